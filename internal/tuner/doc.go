// Package tuner evolves weights. One run joins an optimiser, opponents, openings, a runner that plays the games,
// and a store. The package has the optimiser's loop, the plan of the budget, checks, gates and the validation.
//
// A run is a pure function of its Config. It has the same games, verdicts and bytes for any number of workers,
// and when it is stopped after any step and resumed. There are two exceptions: players that do not repeat their
// games, and a deadline, after which the clock ends the evolution. A run advances in steps: a generation, a check
// match, a gate, a validation, or the end of the evolution by a deadline that passed before a generation. Each closed step is saved
// in the Store.
//
// Package internal/match plays matches and gates; internal/runfolder has the Store of a run on the disk.
package tuner
