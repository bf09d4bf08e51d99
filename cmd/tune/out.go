package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"quintune/internal/atomicfile"
	"quintune/internal/config"
	"quintune/internal/text"
	"quintune/internal/tuner"
	"quintune/weights"
)

// checkOut finds out before the games whether there is a place for the result.
func checkOut(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return config.Usagef("out: %s is a folder", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return config.Usagef("out: there is no folder %s", filepath.Dir(path))
	}
	if err := atomicfile.Check(path); err != nil {
		return fmt.Errorf("out: %w", err)
	}
	return nil
}

// rivalAt returns the weights of a file that the result of a run would replace without having met them: they play the
// run's boards, and they are not its start. It returns nil where the path holds nothing of the kind.
func rivalAt(path string, c *tuner.Config) *weights.Set {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	set, err := weights.Load(path)
	fits := err == nil && set.Rule == c.Rule && weights.EvolvedFor(c.Rule, set.Size) == weights.EvolvedFor(c.Rule, c.Size)
	if !fits || slices.Equal(set.Values, c.Start.Values) {
		return nil
	}
	return set
}

// checkRival refuses to begin a run whose result would replace weights that it never meets.
func checkRival(path string, c *tuner.Config) error {
	if rivalAt(path, c) == nil {
		return nil
	}
	return config.Usagef("out: %s holds weights that are not the start %s, and the run would replace them without a match: go on from them with --start %s, or choose another --out",
		path, c.StartName, text.CommandLine(path))
}

// deliver writes the result to --out, unless nothing was proven, or the file holds weights that the run has not met:
// somebody else has written them meanwhile.
func (p *playing) deliver(o *tuner.Outcome) error {
	if p.verdict(o) == verdictNone {
		return nil
	}
	rival := rivalAt(p.record.Out, p.config)
	if rival != nil && !p.run.Supersedes(rival) && !(p.earlier != nil && slices.Equal(rival.Values, p.earlier.Values)) {
		p.kept = true
		return nil
	}
	if rival == nil || !rival.Equal(o.Set) {
		if err := weights.Save(p.record.Out, o.Set, true); err != nil {
			return err
		}
	}
	p.delivered = true
	return nil
}
