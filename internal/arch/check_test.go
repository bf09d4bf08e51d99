package arch

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// check returns what is wrong with a tree, a line each; document is the text of its
// docs/architecture.md.
func (h house) check(sources []source, document string) []string {
	return slices.Concat(
		h.declaration(), h.arrows(sources), h.links(sources), h.names(sources), h.rows(sources, document),
	)
}

// declaration returns arrows that start nowhere or run in a circle.
func (h house) declaration() []string {
	var wrong []string
	for _, r := range h.rooms {
		for _, from := range r.from {
			if !h.declares(from) {
				wrong = append(wrong, fmt.Sprintf("%s: declared arrow from %s, which is no room", r.path, from))
			}
		}
		if reach(h.next, r.path)[r.path] {
			wrong = append(wrong, fmt.Sprintf("%s: declared arrows run in a circle", r.path))
		}
	}
	return wrong
}

// arrows returns the imports that no arrow allows, and the packages that are no rooms.
//
// A test file follows the arrows too. An external test package may also import every room under
// internal/, for positions and records to test with, unless its room is blind.
func (h house) arrows(sources []source) []string {
	var wrong []string
	for _, s := range sources {
		r, found := h.room(s.room)
		if !found {
			wrong = append(wrong, fmt.Sprintf("%s: %s is not declared as a room", s.file, s.room))
			continue
		}
		upstream := reach(h.next, r.path)
		for _, to := range s.imports {
			switch {
			case upstream[to], s.test() && to == r.path:
			case s.external() && !r.blind && strings.HasPrefix(to, "internal/"):
			default:
				wrong = append(wrong, fmt.Sprintf("%s: %s must not import %s", s.file, r.path, to))
			}
		}
	}
	return wrong
}

// links returns the bans that the imports of the tree, followed to their end, break.
func (h house) links(sources []source) []string {
	graph := map[string][]string{}
	for _, s := range sources {
		if !s.test() {
			graph[s.room] = append(graph[s.room], s.imports...)
		}
	}
	next := func(room string) []string { return graph[room] }
	var wrong []string
	for _, b := range h.bans {
		if reach(next, b.from)[b.to] {
			wrong = append(wrong, fmt.Sprintf("%s links %s", b.from, b.to))
		}
	}
	return wrong
}

// names returns the packages whose folder or name says nothing.
func (h house) names(sources []source) []string {
	var wrong []string
	for _, s := range sources {
		for _, word := range append(strings.Split(s.room, "/"), strings.TrimSuffix(s.name, "_test")) {
			if slices.Contains(h.words, word) {
				wrong = append(wrong, fmt.Sprintf("%s: %s is no name for a package", s.file, word))
			}
		}
	}
	slices.Sort(wrong)
	return slices.Compact(wrong)
}

// row matches the head of a line of the table of rooms: | `room` | what it is for |
var row = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

// rows returns the rooms that exist without a row in the document's table, and the rows that tell of
// no room. A room may have its row before its first file.
func (h house) rows(sources []source, document string) []string {
	told := map[string]bool{}
	var wrong []string
	for _, match := range row.FindAllStringSubmatch(document, -1) {
		told[match[1]] = true
		if !h.declares(match[1]) {
			wrong = append(wrong, fmt.Sprintf("docs/architecture.md has a row for %s, which is no room", match[1]))
		}
	}
	for _, s := range sources {
		if !told[s.room] {
			told[s.room] = true
			wrong = append(wrong, fmt.Sprintf("docs/architecture.md has no row for %s", s.room))
		}
	}
	return wrong
}

// room returns the declaration of the room at path.
func (h house) room(path string) (room, bool) {
	i := slices.IndexFunc(h.rooms, func(r room) bool { return r.path == path })
	if i < 0 {
		return room{}, false
	}
	return h.rooms[i], true
}

// declares reports whether path is a room.
func (h house) declares(path string) bool {
	_, found := h.room(path)
	return found
}

// next returns the rooms with an arrow to path.
func (h house) next(path string) []string {
	r, _ := h.room(path)
	return r.from
}

// reach returns what one or more steps of next lead to; start itself only if a circle leads back.
func reach(next func(string) []string, start string) map[string]bool {
	reached := map[string]bool{}
	open := []string{start}
	for len(open) > 0 {
		last := len(open) - 1
		steps := next(open[last])
		open = open[:last]
		for _, to := range steps {
			if !reached[to] {
				reached[to] = true
				open = append(open, to)
			}
		}
	}
	return reached
}
