// Package tutorial holds one promise as a test: the commands of the README and of the tutorials work.
//
// Every block of commands in these pages is fenced as sh. The system test runs all of them, page after page and in
// order, in a copy of the source tree. Where CI is to run something shorter than what the page says, a comment before
// the block says so, one replacement a line:
//
//	<!-- test: --budget 8h => --budget 300games -->
//
// parse_test.go reads the pages, copy_test.go copies the tree, commands_system_test.go runs the blocks, and
// schema_test.go keeps what docs/add-a-weight.md says of the schema fresh.
package tutorial
