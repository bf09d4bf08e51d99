package gomocup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTranscripts replays whole sessions in the style of the three managers. A line "> text" is
// written to the engine, "< text" must come back, "# text" is a comment, "eol crlf" or "eol cr"
// changes the ends of lines. Consecutive ">" lines are written at once, without reading.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.transcript")
	if err != nil || len(files) < 5 {
		t.Fatalf("transcripts %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".transcript"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			replay(t, strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"))
		})
	}
}

func replay(t *testing.T, script []string) {
	m := serve(t, &fakeEngine{}, ServeOptions{Processors: 8})
	var batch []string
	flush := func() {
		if len(batch) > 0 {
			m.send(batch...)
			batch = nil
		}
	}
	for i, line := range script {
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case line == "eol crlf":
			m.eol = "\r\n"
		case line == "eol cr":
			m.eol = "\r"
		case strings.HasPrefix(line, "> "):
			batch = append(batch, line[2:])
		case strings.HasPrefix(line, "< "):
			flush()
			if got := m.next(); got != line[2:] {
				t.Fatalf("line %d: the engine wrote\n%q, not\n%q", i+1, got, line[2:])
			}
		default:
			t.Fatalf("line %d: %q", i+1, line)
		}
	}
	flush()
	m.end()
}
