package arch

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// check returns what is wrong with a tree, a line each; document is the text of its
// docs/architecture.md.
func (r rules) check(sources []source, document string) []string {
	return slices.Concat(
		r.checkImports(sources), r.checkTestPackages(sources), r.checkBlind(sources),
		r.checkBans(sources), r.checkNames(sources), checkRows(sources, document),
	)
}

// checkImports compares the imports of the tree with the list, which is sorted and exact.
func (r rules) checkImports(sources []source) []string {
	var wrong []string
	listed := map[string]bool{}
	last := ""
	for line := range strings.Lines(r.imports) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if line <= last {
			wrong = append(wrong, fmt.Sprintf("imports.txt: %q belongs before %q", line, last))
		}
		last = line
		listed[line] = true
	}
	used := map[string]string{} // line → a file that needs it
	for _, s := range sources {
		for _, to := range s.imports {
			line := s.line(to)
			used[line] = cmp.Or(used[line], s.file)
		}
	}
	for _, line := range sortedKeys(used) {
		if !listed[line] {
			wrong = append(wrong, fmt.Sprintf("imports.txt: add the line %q if %s is right to", line, used[line]))
		}
	}
	for _, line := range sortedKeys(listed) {
		if used[line] == "" {
			wrong = append(wrong, fmt.Sprintf("imports.txt: remove the line %q, no file does", line))
		}
	}
	return wrong
}

// line returns the line of imports.txt that allows the file to import the package `to`.
func (s source) line(to string) string {
	if s.test() {
		return s.folder + " tests import " + to
	}
	return s.folder + " imports " + to
}

// checkTestPackages returns the product files that import a package made for tests.
func (r rules) checkTestPackages(sources []source) []string {
	var wrong []string
	for _, s := range sources {
		for _, to := range s.imports {
			if strings.HasSuffix(to, "test") && !s.test() && !strings.HasSuffix(s.folder, "test") {
				wrong = append(wrong, fmt.Sprintf("%s: only tests may import %s", s.file, to))
			}
		}
	}
	return wrong
}

// checkBlind returns the imports, of tests too, through which a blind package would know of Gomoku.
func (r rules) checkBlind(sources []source) []string {
	var wrong []string
	for _, s := range sources {
		for _, to := range s.imports {
			if slices.Contains(r.blind, s.folder) && !slices.Contains(r.blind, to) {
				wrong = append(wrong, fmt.Sprintf("%s: %s must know nothing of %s", s.file, s.folder, to))
			}
		}
	}
	return wrong
}

// checkBans returns the bans that the imports of the product, followed to their end, break.
func (r rules) checkBans(sources []source) []string {
	graph := map[string][]string{}
	for _, s := range sources {
		if !s.test() {
			graph[s.folder] = append(graph[s.folder], s.imports...)
		}
	}
	var wrong []string
	for _, b := range r.bans {
		if reachable(graph, b.from)[b.to] {
			wrong = append(wrong, fmt.Sprintf("%s must not link %s", b.from, b.to))
		}
	}
	return wrong
}

// checkNames returns the packages whose folder or name does not tell what is inside.
func (r rules) checkNames(sources []source) []string {
	var wrong []string
	for _, s := range sources {
		for _, word := range append(strings.Split(s.folder, "/"), strings.TrimSuffix(s.name, "_test")) {
			if slices.Contains(r.names, word) {
				wrong = append(wrong, fmt.Sprintf("%s: do not name a package %s", s.file, word))
			}
		}
	}
	slices.Sort(wrong)
	return slices.Compact(wrong)
}

// row matches the head of a line of the table of packages: | `package` | what it is for |
var row = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

// checkRows returns the packages without a row in the document's table, and the rows without a package.
func checkRows(sources []source, document string) []string {
	packages, rows := map[string]bool{}, map[string]bool{}
	for _, s := range sources {
		packages[s.folder] = true
	}
	for _, match := range row.FindAllStringSubmatch(document, -1) {
		rows[match[1]] = true
	}
	var wrong []string
	for _, folder := range sortedKeys(rows) {
		if !packages[folder] {
			wrong = append(wrong, fmt.Sprintf("docs/architecture.md: remove the row of %s, which is not a package", folder))
		}
	}
	for _, folder := range sortedKeys(packages) {
		if !rows[folder] {
			wrong = append(wrong, fmt.Sprintf("docs/architecture.md: add a row for %s", folder))
		}
	}
	return wrong
}

// reachable returns the packages that one or more steps through graph lead to from start.
func reachable(graph map[string][]string, start string) map[string]bool {
	reached := map[string]bool{}
	open := []string{start}
	for len(open) > 0 {
		last := len(open) - 1
		steps := graph[open[last]]
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

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
