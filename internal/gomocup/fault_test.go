package gomocup

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"quintune/pattern"
)

// wantFault fails the test unless the error is a fault of the kind with the part in its text.
func wantFault(t *testing.T, err error, kind FaultKind, part string) {
	t.Helper()
	var f *Fault
	if !errors.As(err, &f) || f.Kind != kind || !strings.Contains(f.Text, part) {
		t.Fatalf("got %v, not a fault %v with %q", err, kind, part)
	}
}

// Misbehaving engines in processes of their own. Those that answer have a minute, since the
// machine may be busy; TestClientOnLateMoves measures what comes after the limit.
func TestFaults(t *testing.T) {
	const turn, brief, patient = 100 * time.Millisecond, 300 * time.Millisecond, time.Minute
	for behaviour, want := range map[string]struct {
		tolerance time.Duration
		kind      FaultKind
		part      string
		alive     bool
	}{
		"crash":     {patient, FaultCrash, "exit status 5; stderr: segmentation?[2J fault", false},
		"traceback": {patient, FaultCrash, "exit status 1; stderr: Traceback (most recent call last): ... ValueError: no depth", false},
		"letters":   {5 * time.Second, FaultTimeout, "no answer to BEGIN within 5100 ms, and its line \"h8\" means nothing here", false},
		"closes":    {patient, FaultCrash, "closed its output and ran on", false},
		"hang":      {brief, FaultTimeout, "no answer to BEGIN within 400 ms", false},
		"deaf":      {brief, FaultTimeout, "no answer to BEGIN within 400 ms", false},
		"flood":     {brief, FaultTimeout, "no answer to BEGIN", false},
		"garbage":   {patient, FaultProtocol, "1005 lines that mean nothing, the last \"thinking...\"", false},
		"outside":   {patient, FaultIllegal, "15,3 is outside the board of size 15", true},
		"negative":  {patient, FaultIllegal, "-1,3 is outside", true},
		"error":     {patient, FaultProtocol, "BEGIN was answered with ERROR out of memory", true},
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			c := launched(t, behaviour, ClientOptions{Tolerance: want.tolerance}, GameLimits{Turn: turn})
			_, err := c.Begin(t.Context())
			wantFault(t, err, want.kind, want.part)
			if c.Alive() != want.alive {
				t.Errorf("alive: %v", c.Alive())
			}
			if _, again := c.Begin(t.Context()); !want.alive && !errors.Is(again, err) {
				t.Errorf("asked again: %v", again)
			}
			c.Kill()
			if _, err := c.Begin(t.Context()); err == nil {
				t.Error("a killed engine moved")
			}
		})
	}
}

func TestFaultsOfStarting(t *testing.T) {
	for _, line := range []string{"", `"open`, "/no/such/engine", "no-such-engine-anywhere --x"} {
		t.Run(line, func(t *testing.T) {
			_, err := Launch(line, ClientOptions{})
			wantFault(t, err, FaultStart, "")
		})
	}
	dead, err := Launch(launchLine(t, "dead"), ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wantFault(t, dead.Start(t.Context(), 15, pattern.Freestyle, GameLimits{}), FaultCrash, "exit status 3; stderr: no licence")

	c := launched(t, "good", ClientOptions{}, GameLimits{})
	wantFault(t, c.Start(t.Context(), 99, pattern.Freestyle, GameLimits{}), FaultStart, "START 99 was answered with ERROR size 99")
	wantFault(t, c.Start(t.Context(), 15, pattern.NumRules, GameLimits{}), FaultStart, "no number")
	if err := c.Quit(); err != nil {
		t.Errorf("Quit: %v", err)
	}

	silent := scripted(t, ClientOptions{StartTimeout: 20 * time.Millisecond}, func(in *bufio.Scanner, _ io.Writer) {
		for in.Scan() {
		}
	})
	wantFault(t, silent.Start(t.Context(), 15, pattern.Freestyle, GameLimits{}), FaultTimeout, "no answer to START 15 within 20 ms")
}

func TestQuit(t *testing.T) {
	c := launched(t, "stays", ClientOptions{QuitTimeout: 50 * time.Millisecond}, GameLimits{})
	wantFault(t, c.Quit(), FaultTimeout, "did not leave within 50 ms of END")
	if c.Alive() || c.Quit() != nil {
		t.Error("the engine was not ended by the first Quit")
	}
	select {
	case <-c.program.(*process).exited:
	default:
		t.Error("the process runs on")
	}
}
