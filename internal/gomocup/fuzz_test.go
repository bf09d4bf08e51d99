package gomocup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzServe feeds any bytes to the engine. It must not panic, must write only lines of the
// protocol, must stay silent on INFO, and must answer START and BEGIN afterwards.
func FuzzServe(f *testing.F) {
	files, err := filepath.Glob("testdata/*.transcript")
	if err != nil || len(files) == 0 {
		f.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var input strings.Builder
		for _, line := range strings.Split(string(text), "\n") {
			if command, ok := strings.CutPrefix(line, "> "); ok {
				input.WriteString(command + "\r\n")
			}
		}
		f.Add(input.String(), false)
	}
	for _, input := range []string{
		"START 15\rBEGIN\rTURN 1,1\rSTOP\rFOO\rSTART 20\rBEGIN\r",
		"START 15\nBOARD\n7,7,1\nSTART 15\nBOARD\n1,1,3\n,,\nDONE\nTAKEBACK 7,7",
		"START 5\nYXBOARD\n1,1,1\n1,1,2\nDONE\nSWAP2BOARD\n1,1\nDONE\n\x00\xff,\x00",
		"INFO rule 4\nSTART 15\nINFO rule abc\nINFO max_node 99999999999999999999\nBEGIN\nBEGIN",
		"INFO timeout_match 1\nINFO time_left -9223372036854775808\nINFO time_increment 9223372036854775807\nSTART 22\nBEGIN",
		"START 15\nBEGIN\nEND\nBEGIN",
		"YXSHOWFORBID\nSTART 15\nINFO rule 4\nYXSHOWFORBID\nPLAY 1,1\nRECTSTART 9,9\nYXSHOWFORBID\nBEGIN",
	} {
		f.Add(input, true)
	}
	f.Fuzz(func(t *testing.T, input string, slow bool) {
		if len(input) > maxQueue {
			return // where lines stop being read, a slow engine takes its whole time
		}
		e := &fakeEngine{quiet: true, slow: slow}
		if got := conversation(t, e, asInfo(input)); got != nil {
			t.Fatalf("INFO was answered with %q", got)
		}
		before := conversation(t, e, input)
		if endsIt(input) {
			return
		}
		// a block left open swallows no START; the rule and complaints are put right
		after := conversation(t, e, input+"\nINFO rule 0\nSTART 15\nINFO max_node 1\nBEGIN\nINFO x\nBEGIN\nBEGIN\nBEGIN\n")
		answers := after[min(len(before), len(after)):]
		moves := 0
		for _, line := range answers {
			if _, err := parseCell(line, 15); err == nil {
				moves++
			}
		}
		if moves < 3 { // one BEGIN may get a held-back complaint
			t.Fatalf("START and four times BEGIN were answered with %q", answers)
		}
	})
}

// conversation returns what the engine answers to the input, line by line.
func conversation(t *testing.T, e Engine, input string) []string {
	var out strings.Builder
	if err := Serve(context.Background(), strings.NewReader(input), &out, e, ServeOptions{About: testAbout, Grace: time.Minute}); err != nil {
		t.Fatalf("Serve: %v", err)
	}
	if out.Len() == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool {
		return strings.HasPrefix(line, "MESSAGE INFO ignored: ") || strings.HasSuffix(line, "BOARD: dead cells are ignored, a move may go there")
	})
	for _, line := range lines {
		word, _ := cutWord(line)
		switch {
		case line == "OK" || word == "ERROR" || word == "UNKNOWN" || word == "FORBID" || strings.HasPrefix(line, "name="):
		default:
			if _, err := parseCell(line, 22); err != nil {
				t.Fatalf("the engine wrote %q", line)
			}
		}
	}
	if n := commands(input); len(lines) > n {
		t.Fatalf("%d answers to %d commands that have one: %q", len(lines), n, lines)
	}
	return lines
}

// asInfo returns the input with every line made an INFO.
func asInfo(input string) string {
	var b strings.Builder
	eachLine(input, func(line string) bool {
		b.WriteString("INFO " + line + "\n")
		return true
	})
	return b.String()
}

// eachLine calls visit for every line of the input until it returns false.
func eachLine(input string, visit func(line string) bool) {
	in := newLineReader(strings.NewReader(input))
	for {
		text, _, err := in.next()
		if err != nil || !visit(text) {
			return
		}
	}
}

func firstWord(line string) string {
	word, _ := cutWord(line)
	return strings.ToUpper(word)
}

// commands counts the lines that may have an answer; one more for a block that START and the like
// break off.
func commands(input string) (n int) {
	eachLine(input, func(line string) bool {
		word := firstWord(line)
		switch word {
		case "INFO", "STOP", "YXSTOP", "YXHASHCLEAR":
		default:
			n++
		}
		return word != "END"
	})
	return n
}

func endsIt(input string) (found bool) {
	eachLine(input, func(line string) bool {
		found = firstWord(line) == "END"
		return !found
	})
	return found
}
