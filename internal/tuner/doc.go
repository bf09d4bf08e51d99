// Package tuner evolves weights: it joins an optimiser, opponents, openings, a runner that plays
// the games, gates, a validation and a store into one run: the optimiser's loop, the plan of its budget, checks and gates.
//
// A run is a pure function of its Config: the same games, verdicts and bytes for any number of workers, and for a
// run that was stopped after any step and resumed. It advances in steps (a generation, a check
// match, a gate, the validation); each closed step is handed to the Store.
//
// Matches and gates are played by internal/match; internal/runfolder is the Store of a run on the disk.
package tuner
