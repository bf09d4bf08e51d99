package tuner

import (
	"strings"
	"testing"

	"quintune/internal/bench"
	"quintune/internal/run"
	"quintune/weights/weightstest"
)

func TestSpecOfAnotherProgramIsRefused(t *testing.T) {
	spec := smallConfig(t, 400).Spec
	if _, err := Open(&spec, "other", nil); err == nil || !strings.Contains(err.Error(), "other") {
		t.Errorf("another engine: %v", err)
	}
	spec.Schema = "0123"
	if _, err := Open(&spec, bench.Signature(), nil); err == nil || !strings.Contains(err.Error(), "0123") {
		t.Errorf("another schema: %v", err)
	}
	record := run.Record{Run: "r", GoArch: "pdp11"}
	if err := record.CheckArch(); err == nil || !strings.Contains(err.Error(), "pdp11") {
		t.Errorf("another architecture: %v", err)
	}
}

func TestConfigBounds(t *testing.T) {
	tests := []struct {
		name   string
		change func(*run.Spec)
		want   string
	}{
		{"budget below the bound", func(c *run.Spec) { c.Budget = 99 }, "99"},
		{"budget above the bound", func(c *run.Spec) { c.Budget = run.MaxBudget + 1 }, "1000000001"},
		{"nodes below the bound", func(c *run.Spec) { c.Nodes = 0 }, "node limit is 0"},
		{"nodes above the bound", func(c *run.Spec) { c.Nodes = run.MaxNodes + 1 }, "node limit is 1000000000001"},
		{"optimizer", func(c *run.Spec) { c.Optimizer = "gradient" }, "gradient"},
		{"start", func(c *run.Spec) { c.Start = nil }, "weights: "},
		{"groups", func(c *run.Spec) { c.Groups = []string{"lines"} }, "lines"},
		{"book", func(c *run.Spec) { c.Openings = nil }, "openings"},
		{"book's size", func(c *run.Spec) { c.Size = 10 }, "10×10"},
		{"parts", func(c *run.Spec) { c.Openings = c.Openings[:1] }, "part"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := smallConfig(t, 400).Spec
			test.change(&s)
			c, err := Open(&s, bench.Signature(), nil)
			if err == nil {
				_, err = New(c)
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q in it", err, test.want)
			}
		})
	}
}

func TestIDDependsOnEverythingThatIsPlayed(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(*run.Spec){
		"nothing": func(*run.Spec) {}, "seed": func(c *run.Spec) { c.Seed++ }, "budget": func(c *run.Spec) { c.Budget++ },
		"nodes": func(c *run.Spec) { c.Nodes++ }, "groups": func(c *run.Spec) { c.Groups = []string{"line"} },
		"gate": func(c *run.Spec) { c.NoGate = true }, "optimizer": func(c *run.Spec) { c.Optimizer = "spsa" },
		"method": func(c *run.Spec) { c.Settings.Width = .1 }, "anchors": func(c *run.Spec) { c.Anchors = nil },
		"start":     func(c *run.Spec) { c.Start = marshal(t, weightstest.Preset(t, "zhang")) },
		"book":      func(c *run.Spec) { c.Openings = c.Openings[1:] },
		"engine":    func(c *run.Spec) { c.Engine = "x" },
		"extension": func(c *run.Spec) { c.Extended = []run.Extension{{Generation: 3, Budget: 200}} },
	} {
		spec := smallConfig(t, 400).Spec
		change(&spec)
		id, err := spec.ID()
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[id]; ok {
			t.Errorf("%s and %s have one id", name, other)
		}
		seen[id] = name
	}
}
