// Package arch checks, as tests, what a reviewer would otherwise have to remember about the tree:
// which package imports which, which packages a program must not link, what packages are called, and
// that docs/architecture.md has a row for each package. It also tests the words of code and documents, the length of sentences,
// links, and the functions that documents name.
//
// imports.txt is the exact list of imports between the packages of this module, one a line.
// rules_test.go holds the other rules, tree_test.go reads the source tree, check_test.go compares, and
// arch_test.go runs the comparison on this module and on small invented ones.
package arch
