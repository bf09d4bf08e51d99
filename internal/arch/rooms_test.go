package arch

// room declares one package of the module and the arrows that end at it.
type room struct {
	// path is relative to the module's root.
	path string
	// from lists the rooms next upstream. Whatever is upstream of those may be imported too.
	from []string
	// blind rooms know nothing of Gomoku: their test files get no rooms beyond the arrows either.
	blind bool
}

// ban says that the program in room `from` links room `to` on no path, however long.
type ban struct{ from, to string }

// house is what a tree is checked against.
type house struct {
	rooms []room
	bans  []ban
	// words are the names that no package may carry: they say nothing of what is inside.
	words []string
}

// quintune returns the arrows of this module. A new room needs a line here and a row in
// docs/architecture.md.
func quintune() house {
	return house{
		rooms: []room{
			{path: "pattern"},
			{path: "board", from: []string{"pattern"}},
			{path: "internal/atomicfile", blind: true},
			{path: "internal/stream", blind: true},
			{path: "internal/strictjson", blind: true},
			{path: "weights", from: []string{"pattern", "internal/atomicfile"}},
			{path: "evaluator", from: []string{"board", "weights"}},
			{path: "search", from: []string{"evaluator"}},
			{path: "selfplay", from: []string{"search"}},

			{path: "internal/stats", blind: true},
			{path: "ga", from: []string{"internal/stats", "internal/stream", "internal/strictjson"}, blind: true},

			{path: "internal/record", from: []string{"board"}},
			{path: "internal/gomocup", from: []string{"board"}},
			{path: "internal/baseline", from: []string{"selfplay"}},
			{path: "internal/book", from: []string{"search", "internal/stream"}},
			{path: "internal/bench", from: []string{"search"}},
			{path: "internal/swap2", from: []string{"internal/book"}},
			{path: "internal/fit", from: []string{"evaluator", "ga"}},
			{path: "internal/player", from: []string{"selfplay", "internal/baseline", "internal/gomocup"}},
			{path: "internal/store", from: []string{"selfplay", "internal/stats"}},
			{path: "internal/cluster", from: []string{"internal/player", "internal/bench", "internal/stream"}},
			{path: "internal/cluster/sim", from: []string{"internal/cluster"}},
			{path: "internal/tuner", from: []string{
				"ga", "internal/atomicfile", "internal/player", "internal/book", "internal/bench", "internal/fit",
				"internal/record", "internal/store", "internal/cluster",
			}},

			{path: "internal/ladder", from: []string{"internal/tuner"}},

			{path: "internal/progress", from: []string{"internal/tuner"}},
			{path: "internal/progress/rehearsal", from: []string{"internal/progress"}},
			{path: "internal/config", from: []string{"weights", "board"}},
			{path: "internal/report", from: []string{"internal/store", "internal/record"}},
			{path: "internal/analysis", from: []string{"search"}},
			{path: "internal/review", from: []string{"internal/analysis", "internal/record"}},
			{path: "internal/session", from: []string{"internal/player", "internal/record", "internal/analysis", "internal/swap2"}},
			{path: "internal/console/goban", from: []string{"internal/session"}},
			{path: "internal/console/dashboard", from: []string{"internal/progress", "internal/progress/rehearsal"}},
			{path: "internal/webui/guard", blind: true},
			{path: "internal/webui/browser", blind: true},
			{path: "internal/webui/watch", from: []string{
				"internal/progress", "internal/progress/rehearsal", "internal/webui/guard", "internal/webui/browser",
			}},
			{path: "internal/webui/play", from: []string{"internal/session", "internal/webui/guard"}},
			{path: "internal/dist", from: []string{"internal/bench", "internal/config", "internal/gomocup", "internal/atomicfile"}},
			{path: "internal/manual", from: []string{"internal/config"}},
			{path: "internal/tutorial", from: []string{"weights"}},
			{path: "internal/arch"},

			{path: "cmd/tune", from: []string{
				"internal/tuner", "internal/ladder", "internal/config", "internal/report", "internal/progress",
				"internal/console/dashboard", "internal/webui/watch", "internal/webui/browser", "internal/manual",
			}},
			{path: "cmd/play", from: []string{
				"internal/player", "internal/review", "internal/book", "internal/swap2", "internal/bench", "internal/config",
				"internal/console/goban", "internal/webui/play", "internal/manual",
			}},
		},
		bans: []ban{
			{from: "cmd/play", to: "internal/store"},
			{from: "cmd/play", to: "internal/webui/browser"},
			{from: "cmd/tune", to: "internal/webui/browser"},
			{from: "cmd/tune", to: "internal/progress/rehearsal"},
			{from: "cmd/play", to: "internal/cluster"},
			{from: "cmd/play", to: "internal/manual"},
			{from: "cmd/tune", to: "internal/manual"},
		},
		words: []string{
			"util", "utils", "common", "type", "types", "helper", "helpers", "misc", "shared", "pkg",
		},
	}
}
