package config

import (
	"context"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/spf13/cobra"
)

// No line of help is wider than the terminal.
func TestHelpFitsTheTerminal(t *testing.T) {
	const columns = 70
	for _, args := range [][]string{{"--help"}, {"bench", "--help"}, {"help", "bench"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			keyboard, terminal, err := pty.Open()
			if err != nil {
				t.Skip(err)
			}
			defer keyboard.Close()
			if err := pty.Setsize(terminal, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
				t.Fatal(err)
			}
			shown := make(chan string)
			go func() {
				text, _ := io.ReadAll(keyboard) // ends with an error when the terminal is closed
				shown <- string(text)
			}()
			root := program(nil)
			root.AddCommand(&cobra.Command{Use: "other", Short: strings.Repeat("many words ", 12), Run: func(*cobra.Command, []string) {}})
			err = Execute(context.Background(), root, "123-abc", args, strings.NewReader(""), terminal, io.Discard)
			terminal.Close()
			text := strings.ReplaceAll(<-shown, "\r\n", "\n")
			if err != nil || !strings.Contains(text, "--help") {
				t.Errorf("error %v: %q", err, text)
			}
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns {
					t.Errorf("%d columns, want at most %d: %q", n, columns, line)
				}
			}
		})
	}
}
