package tuner

import (
	"strings"
	"testing"

	"quintune/internal/bench"
	"quintune/internal/run"
	"quintune/weights/weightstest"
)

func TestSpecOfAnotherProgramIsRefused(t *testing.T) {
	spec, err := smallConfig(t, 400).Spec()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ConfigOf(&spec, "other"); err == nil || !strings.Contains(err.Error(), "other") {
		t.Errorf("another engine: %v", err)
	}
	spec.Schema = "0123"
	if _, err := ConfigOf(&spec, bench.Signature()); err == nil || !strings.Contains(err.Error(), "0123") {
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
		change func(*Config)
		want   string
	}{
		{"budget below the bound", func(c *Config) { c.Budget = 99 }, "99"},
		{"budget above the bound", func(c *Config) { c.Budget = run.MaxBudget + 1 }, "1000000001"},
		{"nodes", func(c *Config) { c.Nodes = 0 }, "node limit is 0"},
		{"optimizer", func(c *Config) { c.Optimizer = "gradient" }, "gradient"},
		{"start", func(c *Config) { c.Start = nil }, "start"},
		{"groups", func(c *Config) { c.Groups = []string{"lines"} }, "lines"},
		{"book", func(c *Config) { c.Book = nil }, "openings"},
		{"book's size", func(c *Config) { c.Size = 20 }, "20×20"},
		{"parts", func(c *Config) { c.Book.Openings = c.Book.Openings[:1] }, "part"},
		{"polish", func(c *Config) { c.Polish = 2 }, "polish is 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := smallConfig(t, 400)
			test.change(c)
			if _, err := New(c); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q in it", err, test.want)
			}
		})
	}
}

func TestIDDependsOnEverythingThatIsPlayed(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(*Config){
		"nothing": func(*Config) {}, "seed": func(c *Config) { c.Seed++ }, "budget": func(c *Config) { c.Budget++ },
		"nodes": func(c *Config) { c.Nodes++ }, "groups": func(c *Config) { c.Groups = []string{"line"} },
		"gate": func(c *Config) { c.NoGate = true }, "optimizer": func(c *Config) { c.Optimizer = "spsa" },
		"polish": func(c *Config) { c.Polish = .1 }, "anchors": func(c *Config) { c.Anchors = nil },
		"start":     func(c *Config) { c.Start = weightstest.Preset(t, "zhang") },
		"book":      func(c *Config) { c.Book.Openings = c.Book.Openings[1:] },
		"engine":    func(c *Config) { c.Engine = "x" },
		"extension": func(c *Config) { c.Extended = []run.Extension{{Generation: 3, Budget: 200}} },
	} {
		c := smallConfig(t, 400)
		change(c)
		spec, err := c.Spec()
		if err != nil {
			t.Fatal(err)
		}
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
