package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/pattern"
)

// The page is served when its address is printed, and no longer when the program ends.
func TestWeb(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, tell := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, []string{"web", "--listen", "127.0.0.1:0", "--no-browser", "--json", "--level", "3"}, strings.NewReader(""), tell, io.Discard)
		tell.Close()
		ended <- err
	}()
	var told struct{ URL string }
	for lines := bufio.NewScanner(out); told.URL == "" && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "{") {
			if err := json.Unmarshal(lines.Bytes(), &told); err != nil {
				t.Fatal(err)
			}
		}
	}
	answer, err := http.Get(told.URL + "api/setup")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var setup struct {
		Default  string
		Strength struct{ Level int }
	}
	if err := json.NewDecoder(answer.Body).Decode(&setup); err != nil || setup.Default != "default" || setup.Strength.Level != 3 {
		t.Errorf("%+v (%v)", setup, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestWebRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "readable.txt", "secret\n")
	writeFile(t, "short.txt", "secret\n")
	if err := os.Chmod("short.txt", 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--listen", "0.0.0.0:0"}, config.ExitUsage, "needs a token"},
		{[]string{"--listen", "nowhere"}, config.ExitUsage, "listen"},
		{[]string{"--token-file", "readable.txt"}, config.ExitFailed, "everybody can read"},
		{[]string{"--token-file", "short.txt"}, config.ExitFailed, "16"},
		{[]string{"--token-file", "absent.txt"}, config.ExitFailed, "absent.txt"},
		{[]string{"--weights", "absent.json"}, config.ExitFailed, "absent.json"},
		{[]string{"--level", "11"}, config.ExitUsage, "level"},
		{[]string{"extra"}, config.ExitUsage, "extra"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, log, status := play(t, "", append([]string{"web", "--no-browser"}, test.args...)...)
			if status != test.status || !strings.Contains(log, test.says) || strings.Contains(log, "secret") {
				t.Errorf("status %d, %s", status, log)
			}
		})
	}
}

// On a system without a screen no browser is started.
func TestOpenBrowserWithoutOne(t *testing.T) {
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "")
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		})
	}
	if program, _ := browserCommand("linux", "http://127.0.0.1:1/"); program != "" {
		t.Errorf("%s would be started", program)
	}
	t.Setenv("DISPLAY", ":0")
	for system, want := range map[string]string{"linux": "xdg-open", "darwin": "open", "windows": "rundll32"} {
		program, args := browserCommand(system, "http://127.0.0.1:1/")
		if program != want || args[len(args)-1] != "http://127.0.0.1:1/" {
			t.Errorf("%s: %s %q", system, program, args)
		}
	}
}

func TestWebGames(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "games.txt", "h8i9g7\n")
	writeFile(t, "bad.txt", "h8h8\n")
	own, err := player.Parse("huang")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, path, want string
		games            int
	}{
		{"none", "", "", 0}, {"a game", "games.txt", "", 1}, {"an illegal move", "bad.txt", "bad.txt", 0}, {"no file", "nothing.txt", "nothing.txt", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, err := explorerOf(test.path, own)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Fatalf("got error %v, want one with %q", err, test.want)
			}
			if err == nil && e.Games(15, pattern.Freestyle) != test.games {
				t.Errorf("%d games, want %d", e.Games(15, pattern.Freestyle), test.games)
			}
		})
	}
}
