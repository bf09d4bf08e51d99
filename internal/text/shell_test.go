package text

import (
	"os/exec"
	"testing"
)

// A shell reads back the arguments that a command line was made of.
func TestCommandLine(t *testing.T) {
	if got := CommandLine("tune", "match", "weights.json", "--tc", "60s+0.1s"); got != "tune match weights.json --tc 60s+0.1s" {
		t.Errorf("plain arguments are quoted: %s", got)
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	for _, a := range []string{"", "a b", "it's", `"$HOME"`, "`id`", "a;b", "*", `\`, "gomocup:./e --x 'y z'", "#", "(", "~"} {
		t.Run(a, func(t *testing.T) {
			out, err := exec.Command(shell, "-c", "printf %s "+CommandLine(a)).Output()
			if err != nil || string(out) != a {
				t.Errorf("the shell reads %q as %q (%v)", a, out, err)
			}
		})
	}
}
