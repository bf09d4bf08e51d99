package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quintune/internal/atomicfile"
	"quintune/internal/config"
	"quintune/internal/text"
	"quintune/internal/tuner"
	"quintune/weights"
)

// checkOut checks before the games that the result can be written.
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

// rivalAt returns the values in the file that the result of a run would replace without having played against
// them. Such values are of the kind that the run tunes, play its board, and are not its start. It returns nil
// where the file holds none.
func rivalAt(path string, c *tuner.Config) []float64 {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	values := valuesAt(path, c)
	if slices.Equal(values, c.StartValues()) {
		return nil
	}
	return values
}

// valuesAt returns the values of a file if they are of the kind that a run tunes and play its board, else nil.
func valuesAt(path string, c *tuner.Config) []float64 {
	if c.Tuned != nil {
		if result, err := c.Tuned.File.ReadResult(path); err == nil {
			return result.Values.Numbers()
		}
		return nil
	}
	set, err := weights.Load(path)
	if err != nil || weights.EvolvedFor(set.Rule, set.Size) != c.Embedded() {
		return nil
	}
	return set.Floats()
}

// checkRival refuses a run whose result would replace values that it never plays against.
func checkRival(path string, c *tuner.Config) error {
	if rivalAt(path, c) == nil {
		return nil
	}
	what := "weights"
	if c.Outside != nil {
		what = "values"
	}
	return config.Usagef("out: %s holds %s that are not the start %s, and the run would replace them without a match: go on from them with --start %s, or choose another --out",
		path, what, c.StartName, text.CommandLine(path))
}

// deliver writes the result to --out. It does not if nothing was proven, or if another program has meanwhile
// written values that the run has not played against. The values of an engine from outside are also written in
// the engine's own form.
func (p *playing) deliver(o *tuner.Outcome) error {
	if err := p.writeForm(o.Place, o); err != nil {
		return err
	}
	if p.verdict(o) == verdictNone {
		return nil
	}
	rival := rivalAt(p.record.Out, p.config)
	if rival != nil && !p.run.Supersedes(rival) && !slices.Equal(rival, p.earlier) {
		p.kept = true
		return nil
	}
	if held, err := os.ReadFile(p.record.Out); err != nil || !bytes.Equal(held, o.File) {
		if err := replace(p.record.Out, o.File); err != nil {
			return err
		}
	}
	p.delivered = true
	return p.writeForm(p.record.Out, o)
}

// replace writes a file and keeps its old content as .bak.
func replace(path string, data []byte) error {
	if err := atomicfile.Backup(path); err != nil {
		return err
	}
	return atomicfile.Write(path, data)
}

// writeForm writes the values of an engine from outside in the engine's own form, in a file beside the values
// file.
func (p *playing) writeForm(path string, o *tuner.Outcome) error {
	if p.config.Tuned == nil {
		return nil
	}
	ending, data, err := p.config.Tuned.File.Form(o.Values)
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(path, filepath.Ext(path))
	if p.form = base + ending; p.form == path {
		p.form = base + ".engine" + ending // both are JSON
	}
	if held, err := os.ReadFile(p.form); err == nil && bytes.Equal(held, data) {
		return nil
	}
	return replace(p.form, data)
}

// candidateValues returns the values of a stored candidate, nil where there are none.
func candidateValues(path string) json.RawMessage {
	var file struct {
		Values json.RawMessage `json:"values"`
	}
	if data, err := os.ReadFile(path); err != nil || json.Unmarshal(data, &file) != nil {
		return nil
	}
	return file.Values
}
