package config

import "testing"

// FuzzDecode feeds files: whatever is accepted holds known keys with values that some command takes.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		"seed: 7\nsize: 20\n", "only: [line, cell]\n", `{"nodes": 250, "json": true}`, "", "# nothing\n", "seed: 1\nSEED: 2\n",
		"a: &x 1\nseed: *x\n", "seed: &x 7\nnodes: *x\n", "<<: {seed: 1}\n", "? [seed]\n: 1\n", "seed: !!binary aGk=\n", "---\nseed: 1\n---\nseed: 2\n",
		"seed:\n", "- seed\n", "name: |\n  two\n  lines\n", "\x00", "\xff\xfe", "seed: 1: 2\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		settings := map[string]any{}
		if err := (strictYAML{}).Decode(data, settings); err != nil {
			return
		}
		for key, text := range settings {
			if err := checkKey(key); err != nil {
				t.Errorf("accepted: %v", err)
			}
			if err := checkAny(key, text.(string)); err != nil {
				t.Errorf("accepted: %v", err)
			}
		}
	})
}
