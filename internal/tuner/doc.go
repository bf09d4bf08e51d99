// Package tuner evolves weights: it joins an optimiser, opponents, openings, a runner that plays
// the games, gates, a validation and a store into one run.
//
// A run is a pure function of its Config: the same games, verdicts and bytes for any number of workers, and for a
// run that was stopped after any step and resumed. It advances in steps (a generation, a check
// match, a gate, the validation); each closed step is handed to the Store.
//
// Matches, gates and validations can be played alone too.
package tuner
