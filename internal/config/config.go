// Package config is the configuration of both programs. The options of a command are the fields of a struct,
// declared beside the command. Flags, file keys, variables, defaults, help and checks are derived from this
// declaration.
//
// A value comes from the first of these that has one: the flag; the variable QUINTUNE_NAME; the program's section
// of the file (--config FILE, or quintune.yaml in the working directory); the default. A flag also turns off what
// the file and variables say of options that it excludes. Everything is checked, even what the command does not
// use: unknown, misspelt, repeated and differently cased names, texts of the wrong kind and values out of range
// are errors that name them. A program checks the values of its own settings and only the names of the other's.
// Inside Load, viper combines the four sources; afterwards the options never change.
package config

// settings lists the names that files and variables may set, by program. A test in each program compares them
// with its options.
var settings = map[string][]string{
	"play": {
		"against", "ascii", "color", "engine", "json", "level", "log-format", "nodes", "notation", "quiet", "rule",
		"seed", "size", "threads", "time", "weights",
	},
	"tune": {
		"anchor", "anchors", "audit", "budget", "champions", "cluster-dir", "count", "creds",
		"deadline", "evolution", "first-nodes", "freeze", "gate-openings", "gauntlet", "in-flight", "jobs", "json", "listen-cluster", "log-format",
		"name", "nats", "nelo", "no-gate", "nodes", "notify", "only", "openings", "optimizer", "out", "outside-time",
		"pairs", "peers", "polish", "quiet", "rule", "runs", "seed", "size", "sprt", "start", "task-deadline",
		"task-time", "tc", "threads", "time", "warm-start", "window", "workers",
	},
}
