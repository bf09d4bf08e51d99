package config

import (
	"slices"
	"testing"
)

// FuzzDecode decodes arbitrary files. An accepted file has known keys only, with values that some command
// accepts.
func FuzzDecode(f *testing.F) {
	var d Declaration
	(&runOptions{}).Declare(&d)
	for _, text := range []string{
		"seed: 7\nsize: 20\n", "tune:\n  seed: 7\nplay:\n  nodes: 5\n", "tune:\n", "tune: {seed: 1}\nnodes: 2\n", "only: [line, cell]\n", `{"nodes": 250, "json": true}`, "", "# nothing\n", "seed: 1\nSEED: 2\n",
		"a: &x 1\nseed: *x\n", "seed: &x 7\nnodes: *x\n", "<<: {seed: 1}\n", "? [seed]\n: 1\n", "seed: !!binary aGk=\n", "---\nseed: 1\n---\nseed: 2\n",
		"seed:\n", "- seed\n", "name: |\n  two\n  lines\n", "\x00", "\xff\xfe", "seed: 1: 2\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		f := &file{program: "tune", known: d.options}
		if err := f.decode(data); err != nil {
			return
		}
		for _, s := range f.settings {
			if !slices.Contains(allSettings(), s.Name) {
				t.Errorf("accepted: %s", s.Name)
			}
			if err := checkAny(d.options, s.Name, s.Value); err != nil {
				t.Errorf("accepted: %v", err)
			}
		}
	})
}
