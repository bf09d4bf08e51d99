// Package arch holds one promise as a test: imports run only along the arrows of
// docs/architecture.md.
//
// rooms_test.go declares the arrows, tree_test.go reads the source tree, check_test.go compares
// the two, and arch_test.go runs the comparison on this module and on small invented ones.
package arch
