package player

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"quintune/internal/engine"
	"quintune/pattern"
	"quintune/search"
)

// An engine under test has a referee and the memory of self-play; another has neither.
func TestUnderTest(t *testing.T) {
	p, err := Parse(engineCommand(t, "sound"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		player *Player
		memory int64
	}{{p, 0}, {p.UnderTest(), testMemory}} {
		t.Run(fmt.Sprintf("memory %d", test.memory), func(t *testing.T) {
			c := test.player.conditions(15, pattern.Freestyle, search.Limits{Nodes: 1}, TimeControl{})
			if (c.Wins == engine.Confirmed) != (test.memory > 0) || c.Limits.Memory != test.memory {
				t.Errorf("announced wins %q, memory %d, want %d", c.Wins, c.Limits.Memory, test.memory)
			}
		})
	}
}

// An engine whose file limits the time of a move ignores a limit of nodes.
func TestUnitOfAnEngineFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for limit, want := range map[string]string{"nodes": engineUnit, "20ms": ""} {
		t.Run(limit, func(t *testing.T) {
			text := "command: sh\npass: info\nlimit: " + limit + "\nparameters: [{name: bold, kind: int, start: 1, min: 0, max: 9}]\n"
			if err := os.WriteFile("params.yaml", []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if p, err := Parse("engine:params.yaml"); err != nil || p.Unit != want {
				t.Errorf("%+v (%v), want the unit %q", p, err, want)
			}
		})
	}
}

func TestParseEngineFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("me@home", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"params.yaml": "command: sh\npass: info\nparameters: [{name: bold, kind: int, start: 1, min: 0, max: 9}]\n",
		"best.json":   `{"values": {"bold": 7}}`,
		"wrong.json":  `{"values": {"bold": 70}}`,
	} {
		if err := errors.Join(os.WriteFile(name, []byte(text), 0o600), os.WriteFile("me@home/"+name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	start, err := Parse("engine:params.yaml")
	if err != nil {
		t.Fatal(err)
	}
	best, err := Parse("engine:params.yaml@best.json")
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := best.values.Get("bold"); v != 7 || !best.External() || best.Identity("x") == start.Identity("x") {
		t.Errorf("bold is %v, external %t, identities %q and %q", v, best.External(), best.Identity("x"), start.Identity("x"))
	}
	for argument, want := range map[string]*Player{
		"engine:me@home/params.yaml": start, "engine:me@home/params.yaml@me@home/best.json": best, "engine:params.yaml@me@home/best.json": best,
	} {
		t.Run(argument, func(t *testing.T) {
			if got, err := Parse(argument); err != nil || !got.values.Equal(want.values) {
				t.Errorf("%s gives %+v, %v; want the values %v", argument, got, err, want.values)
			}
		})
	}
	for argument, want := range map[string]string{
		"engine:nobody.yaml": "no such file", "engine:params.yaml@wrong.json": "bold is 70, outside [0, 9]", "engine:params.yaml@": "no such file",
	} {
		t.Run(argument, func(t *testing.T) {
			if _, err := Parse(argument); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s gives %v, want %q", argument, err, want)
			}
			if _, err := Weights(argument); err == nil || !strings.Contains(err.Error(), "has no weights") {
				t.Errorf("weights of %s: %v", argument, err)
			}
		})
	}
}
