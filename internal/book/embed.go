package book

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"quintune/pattern"
)

// Books by rule and size: those such as freestyle15.txt were made by Generate (the header says how);
// those such as expert_freestyle15.txt hold openings of tournaments and of other generators that a strong engine
// calls balanced.
//
//go:embed openings/*.txt
var files embed.FS

// Embedded returns the built-in book of the rule and size, nil where there is none. It has openings of every
// part, and none of Expert.
func Embedded(rule pattern.Rule, size int) *Book { return embedded("", rule, size) }

// Expert returns the built-in expert openings of the rule and size, nil where there are none. All of them are
// for matches and ladders, whatever PartOf returns for their keys. This package never makes one of them.
func Expert(rule pattern.Rule, size int) *Book { return embedded("expert_", rule, size) }

// builtInSeed is the seed of every book that is part of the program.
const builtInSeed = 1

func embedded(prefix string, rule pattern.Rule, size int) *Book {
	name := fmt.Sprintf("openings/%s%s%d.txt", prefix, rule, size)
	data, err := files.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		panic(err) // the files are part of the program
	}
	b, err := Parse(bytes.NewReader(data), name, rule, size)
	if err != nil {
		panic(err)
	}
	return b
}

// For returns the built-in book of the rule and size or, where there is none, a book of count openings
// made at once from a fixed seed. That takes some ten seconds for a thousand openings: callers keep it.
// progress and errors are those of Generate.
func For(ctx context.Context, rule pattern.Rule, size, count int, progress func(found int)) (*Book, error) {
	if b := Embedded(rule, size); b != nil {
		return b, nil
	}
	return Generate(ctx, Config{Rule: rule, Size: size, Count: count, Seed: builtInSeed}, progress)
}

// Validation returns count openings made for the run with the seed, from streams of their own. None of them is in
// used, which is the run's book, or in a built-in book of its rule and size.
func Validation(ctx context.Context, used *Book, seed uint64, count int, progress func(found int)) (*Book, error) {
	return fresh(ctx, Config{Rule: used.Rule, Size: used.Size, Count: count, Seed: seed, Purpose: "validate"}, used.Keys(map[uint64]bool{}), progress)
}

// Own returns the openings that somebody makes with a configuration of their own, from streams of their own: none of them is in a
// built-in book, on whose openings weights are tuned. Purpose and Exclude of the configuration are replaced.
func Own(ctx context.Context, c Config, progress func(found int)) (*Book, error) {
	c.Purpose = "own "
	return fresh(ctx, c, map[uint64]bool{}, progress)
}

// fresh makes openings whose keys are neither taken nor in a built-in book.
func fresh(ctx context.Context, c Config, taken map[uint64]bool, progress func(found int)) (*Book, error) {
	if b := Embedded(c.Rule, c.Size); b != nil {
		b.Keys(taken)
	}
	c.Exclude = func(key uint64) bool { return taken[key] }
	return Generate(ctx, c, progress)
}
