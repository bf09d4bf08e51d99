package tuner

import (
	"bytes"
	"os"
	"slices"

	"quintune/internal/atomicfile"
	"quintune/internal/engine"
	"quintune/weights"
)

// Delivery writes the result of a run to a file: weights, or the values of an engine from outside. It never replaces values
// that the run has not played against.
type Delivery struct {
	Done bool   // the result is in the file
	Kept bool   // it was not written, since the file holds values that the run has not met, or none
	Form string // file with the values in the engine's own form; "": not written

	config  *Config
	path    string
	earlier []float64 // values of this run that the file held when the run was begun or resumed; nil: none
}

// Delivery returns the delivery of the run's result to a file. Call it before the run is played.
func (r *Run) Delivery(path string) Delivery {
	d := Delivery{config: r.config, path: path}
	if unmet, elsewhere := r.config.unmet(path); unmet != nil && !elsewhere && r.supersedes(unmet) {
		d.earlier = unmet
	}
	return d
}

// Deliver writes the result. It does not if nothing was proven, or if another program has meanwhile written values
// that the run has not played against, or something else. The values of an engine from outside are also written in the engine's own
// form.
func (d *Delivery) Deliver(o *Outcome) error {
	if err := d.writeForm(o.Path, o); err != nil {
		return err
	}
	if !o.Proven && !d.config.NoGate {
		return nil
	}
	unmet, elsewhere := d.config.unmet(d.path)
	known := d.earlier != nil && slices.Equal(unmet, d.earlier)
	if unmet != nil && (elsewhere || !known && !o.supersedes(unmet)) {
		d.Kept = true
		return nil
	}
	if err := replace(d.path, o.File); err != nil {
		return err
	}
	d.Done = true
	return d.writeForm(d.path, o)
}

// writeForm writes the values of an engine from outside in the engine's own form, in a file beside the values
// file, unless that is a pipe or a device.
func (d *Delivery) writeForm(path string, o *Outcome) error {
	if d.config.Tuned == nil {
		return nil
	}
	form := d.config.Tuned.File.FormPath(path)
	if form == "" {
		return nil
	}
	data, err := d.config.Tuned.File.Form(o.Values)
	if err != nil {
		return err
	}
	d.Form = form
	return replace(form, data)
}

// replace writes a file and keeps its old content as .bak. A file that holds the data is left as it is.
func replace(path string, data []byte) error {
	if holds(path, data) {
		return nil
	}
	return atomicfile.Replace(path, data)
}

// holds reports whether a regular file holds the data. Pipes and devices are not read: they may wait for ever, or never end.
func holds(path string, data []byte) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	held, err := atomicfile.Read(path, len(data))
	return err == nil && bytes.Equal(held, data)
}

// Unmet returns the values in the file that the result of a run would replace without having played against them: weights of any
// board, or values of any engine from outside, that are not the start. There are none, but not nil, in a file of another kind. It
// returns nil where nothing would be lost.
func (c *Config) Unmet(path string) []float64 {
	values, _ := c.unmet(path)
	return values
}

// unmet is Unmet, and reports whether the values are for another board or another engine: there equal numbers say nothing.
func (c *Config) unmet(path string) (values []float64, elsewhere bool) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, false
	}
	values, elsewhere = c.valuesAt(path)
	switch {
	case values == nil:
		return []float64{}, false
	case !elsewhere && slices.Equal(values, c.startValues()):
		return nil, false
	}
	return values, elsewhere
}

// valuesAt returns the values of a weights or values file, nil where the file is neither, and whether they are for another board
// or another engine.
func (c *Config) valuesAt(path string) (values []float64, elsewhere bool) {
	if set, err := weights.Load(path); err == nil {
		return set.Floats(), c.Tuned != nil || weights.EvolvedFor(set.Rule, set.Size) != c.Embedded()
	}
	if c.Tuned != nil {
		if result, err := c.Tuned.File.ReadResult(path); err == nil {
			return result.Values.Numbers(), false // in the order of the start's
		}
	}
	if result, err := engine.ReadResult(path); err == nil {
		return result.Values.Numbers(), true
	}
	return nil, false
}
