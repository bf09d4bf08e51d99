package config

import (
	"strconv"

	"quintune/pattern"
)

// DefaultSize is the size of the board without --size.
const DefaultSize = 15

// Board are the options of the board on which games are played.
type Board struct {
	Rule pattern.Rule
	Size int
}

// Declare declares both.
func (o *Board) Declare(d *Declaration) {
	d.Group("The game")
	Var(d, &o.Rule, "rule", "freestyle", Rule(), "rule of the game")
	Var(d, &o.Size, "size", strconv.Itoa(DefaultSize), Size(), "cells on a side of the board")
}
