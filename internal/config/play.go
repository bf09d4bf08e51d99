package config

import (
	"math"
	"time"
)

// maxDepth bounds the depth of a search, plies, as search.MaxDepth does.
const maxDepth = 100

// maxLevel is the strongest level, as search.MaxLevel is.
const maxLevel = 10

// maxThreads bounds the threads of a search.
const maxThreads = 256

// playOptions are those of the program play.
func playOptions() []Option {
	terminal, analyze, bench := []string{"play"}, []string{"play analyze"}, []string{"play bench"}
	boards, web := []string{"play", "play analyze"}, []string{"play web"}
	engines, opponents := []string{"play", "play web", "play analyze"}, []string{"play", "play web"}
	return []Option{
		{Name: "weights", Commands: []string{"play", "play web", "play gomocup", "play analyze", "play bench"}, Kind: Text("FILE"), Help: "weights file"},
		{Name: "rule", Commands: boards, Default: "freestyle", Kind: Rule(), Help: "rule of the game"},
		{Name: "size", Commands: boards, Default: "15", Kind: Size(), Help: "cells on a side of the board"},
		{Name: "nodes", Commands: engines, Default: "0", Kind: Whole(0, math.MaxInt64), Help: "nodes a move; 0: no limit"},
		{Name: "time", Commands: engines, Kind: Optional(Span(time.Millisecond, time.Hour)), Help: "time a move; without any limit 1s"},
		{Name: "threads", Commands: engines, Default: "1", Kind: Whole(1, maxThreads), Help: "threads that search together; with more than one nothing can be repeated exactly"},
		{Name: "level", Commands: opponents, Default: "10", Kind: Whole(1, maxLevel), Help: "strength of the opponent; 10: all that the limits allow"},
		{Name: "seed", Commands: []string{"play", "play gomocup"}, Default: "1", Kind: Seed(), Help: "of the choices among nearly equal moves below level 10, and of opponents that draw lots"},
		{Name: "color", Commands: terminal, Default: "black", Kind: OneOf("black", "white"), Help: "your side"},
		{Name: "against", Commands: terminal, Kind: Player(), Help: "opponent: a preset, a weights file, baseline:NAME, gomocup:COMMAND LINE; without it --weights"},
		{Name: "record", Commands: terminal, Kind: Text("FILE"), Help: "where games are saved, by ending .psq, .sgf, .txt or .jsonl, none: nowhere; the board in the terminal saves to game-N.sgf without it", FlagOnly: true},
		{Name: "opening", Commands: terminal, Default: "free", Kind: OneOf("free", "swap2"), Help: "how games begin; under swap2 --color black opens", FlagOnly: true},
		{Name: "ascii", Commands: terminal, Default: "false", Kind: Switch(), Help: "draw the board with ASCII alone"},
		{Name: "notation", Commands: terminal, Default: "pos", Kind: OneOf("pos", "renju"), Help: "how rows are numbered: pos from the top, renju from the bottom"},
		{Name: "listen", Commands: web, Default: "127.0.0.1:8080", Kind: Text("ADDRESS"), Help: "address of the page; port 0: any that is free", FlagOnly: true},
		{Name: "host", Commands: web, Kind: Text("NAME"), Help: "name by which other machines reach the page, such as box.lan", FlagOnly: true},
		{Name: "token-file", Commands: web, Kind: Text("FILE"), Help: "file with the token that an address needs which other machines reach", FlagOnly: true},
		{Name: "no-browser", Commands: web, Default: "false", Kind: Switch(), Help: "open no browser", FlagOnly: true},
		{Name: "moves", Commands: analyze, Kind: Text("MOVES"), Help: "position to analyse, such as h8i9", FlagOnly: true},
		{Name: "depth", Commands: analyze, Default: "0", Kind: Whole(0, maxDepth), Help: "plies; 0: no limit", FlagOnly: true},
		{Name: "format", Commands: analyze, Default: "text", Kind: OneOf("text", "json", "sgf"), Help: "form of the output; sgf: the game with comments", FlagOnly: true},
		{Name: "game", Commands: analyze, Default: "0", Kind: Whole(0, 100_000), Help: "which game of a record of many; 0: its only one", FlagOnly: true},
		{Name: "position", Commands: analyze, Default: "false", Kind: Switch(), Help: "search the last position of the record alone", FlagOnly: true},
		{Name: "multipv", Commands: analyze, Default: "1", Kind: Whole(1, 32), Help: "how many moves of the last position are searched, best first", FlagOnly: true},
		{Name: "solve", Commands: analyze, Kind: Optional(OneOf("vcf", "vct")), Help: "look for a forced win only, by continuous fours or threats", FlagOnly: true},
		{Name: "explain", Commands: analyze, Default: "false", Kind: Switch(), Help: "list the weights that make up the static score", FlagOnly: true},
		{Name: "depth", Commands: bench, Default: "0", Kind: Whole(0, maxDepth), Help: "plies; 0: the depth of the signature", FlagOnly: true},
		{Name: "engine", Commands: []string{"play gomocup"}, Kind: Player(), Help: "player to put behind the protocol, instead of --weights"},
	}
}
