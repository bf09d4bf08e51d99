// Package tutorial tests that the commands of the README and of the tutorials work.
//
// Every block of commands in these pages is fenced as sh. The system test runs all of them, page after page and in
// order, in a copy of the source tree. A comment before a block makes CI run something shorter than the page shows, one
// replacement a line:
//
//	<!-- test: --budget 8h => --budget 300games -->
//
// parse_test.go reads the pages, copy_test.go copies the tree, commands_system_test.go runs the blocks, and
// schema_test.go keeps the schema numbers in docs/add-a-weight.md fresh.
package tutorial
