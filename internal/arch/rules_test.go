package arch

// ban forbids one package to depend on another, directly or through any number of imports.
type ban struct{ from, to string }

// rules is what a tree is checked against.
type rules struct {
	// imports is the text of imports.txt.
	imports string
	bans    []ban
	// blind packages know nothing of Gomoku, and their tests do not either: they import no package
	// outside this list.
	blind []string
	// names are those that no package may carry: they do not tell what is inside.
	names []string
}

// quintune returns the rules of this module; imports is the text of imports.txt.
func quintune(imports string) rules {
	return rules{
		imports: imports,
		bans: []ban{
			{from: "cmd/play", to: "internal/store"},
			{from: "cmd/play", to: "internal/cluster"},
			{from: "cmd/play", to: "internal/manualtest"},
			{from: "cmd/tune", to: "internal/manualtest"},
		},
		blind: []string{"ga", "internal/atomicfile", "internal/stats", "internal/stats/statstest", "internal/stream", "internal/strictjson", "internal/strictmath"},
		names: []string{
			"util", "utils", "common", "type", "types", "helper", "helpers", "misc", "shared", "pkg",
		},
	}
}
