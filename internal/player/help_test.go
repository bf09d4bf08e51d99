package player

import (
	"strings"
	"testing"

	"quintune/internal/baseline"
	"quintune/weights"
)

func TestHelpNamesEveryPlayer(t *testing.T) {
	help := Help()
	for _, name := range append(weights.PresetNames(), baseline.Names()...) {
		if !strings.Contains(help, name) {
			t.Errorf("no %s in\n%s", name, help)
		}
	}
	for _, line := range strings.Split(help, "\n") {
		if len(line) > 130 {
			t.Errorf("a line has %d bytes: %s", len(line), line)
		}
	}
	if _, err := Parse("baseline:huang?depth=4&candidates=20"); err != nil {
		t.Errorf("the example of the help: %v", err)
	}
}

func TestBaselineOptions(t *testing.T) {
	p, err := Parse("baseline:finard?breadth=3")
	if err != nil || p.Unit != "visited nodes" || p.Name != "baseline:finard?breadth=3" {
		t.Errorf("%+v (%v)", p, err)
	}
	for _, argument := range []string{"baseline:finard?breadth=30", "baseline:zhang?breadth=3"} {
		t.Run(argument, func(t *testing.T) {
			if _, err := Parse(argument); err == nil || !strings.Contains(err.Error(), argument) {
				t.Errorf("%s: error %v", argument, err)
			}
		})
	}
}
