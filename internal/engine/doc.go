// Package engine tunes and plays outside engines: any program that speaks the Gomocup protocol.
//
// An engine file gives the command, the parameters with their bounds, and how their values reach the engine. A
// [File] makes a [Space] for an optimiser. Each point of the space stands for [Values], with which [Host] runs
// the engine as a player.
package engine
