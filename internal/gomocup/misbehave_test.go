package gomocup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// engineArgument begins the argument that makes the test binary an engine.
const engineArgument = "engine="

// launchLine returns the command line of the test binary as an engine of the given behaviour.
func launchLine(t *testing.T, behaviour string, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(append([]string{`"` + self + `"`, engineArgument + behaviour}, args...), " ")
}

// misbehave is the test binary as an engine; it does not return.
func misbehave(behaviour string, args []string) {
	switch behaviour {
	case "good", "slowly":
		err := Serve(context.Background(), os.Stdin, os.Stdout, &fakeEngine{slow: behaviour == "slowly"}, ServeOptions{About: testAbout})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "dead":
		fmt.Fprintln(os.Stderr, "no licence")
		os.Exit(3)
	case "asleep":
		time.Sleep(time.Hour)
	case "parent":
		launchAndWait(args[0])
	case "wrapper":
		wrap()
	default:
		answerBadly(behaviour)
	}
	os.Exit(0)
}

// answerBadly answers START and then does to a request for a move what the behaviour says.
func answerBadly(behaviour string) {
	in := newLineReader(os.Stdin)
	for {
		text, _, err := in.next()
		if err != nil {
			os.Exit(0)
		}
		word, _ := cutWord(text)
		switch word {
		case "START":
			fmt.Println("OK")
		case "BEGIN", "TURN", "DONE":
			badMove(behaviour)
		case "YXSTOP":
			if behaviour == "letters" {
				fmt.Println("UNKNOWN YXSTOP")
			}
		case "END":
			if behaviour == "stays" {
				time.Sleep(time.Hour)
			}
			os.Exit(0)
		}
	}
}

func badMove(behaviour string) {
	switch behaviour {
	case "crash":
		fmt.Fprintln(os.Stderr, "segmentation\x1b[2J fault")
		os.Exit(5)
	case "traceback":
		fmt.Fprintln(os.Stderr, "Traceback (most recent call last):\n  File \"brain.py\", line 3, in <module>\n"+strings.Repeat("    search()\n", 20)+"ValueError: no depth\n")
		os.Exit(1)
	case "hang":
	case "letters": // a move in a notation of its own
		fmt.Println("h8")
	case "deaf":
		time.Sleep(time.Hour)
	case "garbage":
		for {
			fmt.Println("thinking...")
		}
	case "flood": // one line without an end
		for {
			fmt.Print(strings.Repeat("7", 1<<16))
		}
	case "chatty": // garbage, but an answer in the end
		fmt.Println("Forbid none\n\nMESSAGE Depth 3\n7;7\nUNKNOWN x\nDEBUG \x1b[31mred\n" + strings.Repeat("x", 3*maxLine))
		fmt.Println(" 7, 7 \r")
	case "outside":
		fmt.Println("15,3")
	case "negative":
		fmt.Println("-1,3")
	case "same", "stays":
		fmt.Println("7,7")
	case "error":
		fmt.Println("ERROR out of memory")
	case "suggest":
		fmt.Println("SUGGEST 3,4\n3,4")
	case "closes":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	}
}

// wrap starts a child that sleeps, says who it is, and hangs itself, as a script around an engine may.
func wrap() {
	self, _ := os.Executable()
	child := exec.Command(self, engineArgument+"asleep")
	child.Stdout = os.Stdout // it holds the pipes
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		os.Exit(1)
	}
	fmt.Printf("MESSAGE child %d\nOK\n", child.Process.Pid)
	time.Sleep(time.Hour)
}

// launchAndWait launches an engine, says who it is, and hangs.
func launchAndWait(behaviour string) {
	self, _ := os.Executable()
	c, err := Launch(self+" "+engineArgument+behaviour, ClientOptions{})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(c.program.(*process).pid)
	time.Sleep(time.Hour)
}
