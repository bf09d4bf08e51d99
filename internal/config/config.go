// Package config is the configuration of both programs: the options of a command are the fields of a struct, declared
// once beside it, from which flags, file keys, variables, defaults, help and checks are derived.
//
// A value comes from the flag, else from the variable QUINTUNE_NAME, else from the program's section of the file (--config
// FILE, or quintune.yaml in the working directory), else it is the default. All that is given is checked, used or not:
// unknown, misspelt, repeated and differently cased names, texts of the wrong kind and values out of range are refused by
// name. A program knows the values of its own settings, and the names of the other's. viper joins the four sources at
// start-up inside Load and is gone when it returns; what remains never changes.
package config

// settings are the names that files and variables may set, by program. A test of each program compares them with its
// options.
var settings = map[string][]string{
	"play": {
		"against", "ascii", "color", "engine", "json", "level", "log-format", "nodes", "notation", "quiet", "rule",
		"seed", "size", "threads", "time", "weights",
	},
	"tune": {
		"allow-commands", "anchor", "anchors", "audit", "budget", "champions", "cluster-dir", "count", "creds",
		"deadline", "evolution", "freeze", "gate-openings", "gauntlet", "in-flight", "jobs", "json", "listen-cluster", "log-format",
		"name", "nats", "nelo", "no-gate", "nodes", "notify", "only", "openings", "optimizer", "out", "outside-time",
		"pairs", "peers", "polish", "quiet", "rule", "runs", "seed", "size", "sprt", "start", "task-deadline",
		"task-time", "tc", "threads", "time", "warm-start", "window", "workers",
	},
}
