package manual

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"quintune/internal/config"
)

// program returns a command tree with a worker, whose --jobs are as many as there are processors, and a hidden command.
func program() *cobra.Command {
	root := &cobra.Command{Use: "tune", Short: "Tune weights"}
	nothing := func(*cobra.Command, []string) {}
	worker := &cobra.Command{Use: "worker", Short: "Play pairs", Example: "  tune worker --jobs 2", Run: nothing}
	config.Declare(worker, "tune worker")
	root.AddCommand(worker, &cobra.Command{Use: "secret", Hidden: true, Run: nothing})
	return root
}

func pagesOf(t *testing.T, root *cobra.Command) map[string][]byte {
	t.Helper()
	pages, err := Pages(root)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func TestPages(t *testing.T) {
	pages := pagesOf(t, program())
	var names []string
	for name := range pages {
		names = append(names, name)
	}
	slices.Sort(names)
	want := []string{
		"tune-completion-bash.1", "tune-completion-fish.1", "tune-completion-powershell.1", "tune-completion-zsh.1",
		"tune-completion.1", "tune-worker.1", "tune.1",
	}
	if !slices.Equal(names, want) {
		t.Errorf("the pages are %v, want %v", names, want)
	}
	for name, parts := range map[string][]string{
		"tune.1":        {`.TH "TUNE" "1" "" "Quintune" "Quintune"`, "Tune weights", `\fB--version\fP`, `\fBtune-worker(1)\fP`},
		"tune-worker.1": {"Play pairs", `\fB--jobs\fP=N`, "pairs at a time, in [1, 4096]; default the number of processors", `\fB--json\fP[=true|false]`, "tune worker --jobs 2"},
	} {
		for _, part := range parts {
			if !strings.Contains(string(pages[name]), part) {
				t.Errorf("%s lacks %q:\n%s", name, part, pages[name])
			}
		}
	}
}

func TestWriteAndStale(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "man1")
	pages := pagesOf(t, program())
	stale := func() string {
		t.Helper()
		names, err := Stale(folder, "tune", pages)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(names, " ")
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := stale(); len(strings.Fields(got)) != len(pages) {
		t.Errorf("without a folder %q are stale", got)
	}
	if err := Write(folder, "tune", pages); err != nil || stale() != "" {
		t.Fatalf("%q are stale after they were written (%v)", stale(), err)
	}
	put("tune.1", "old")
	put("tune-gone.1", "of a command that was")
	put("play.1", "of another program")
	if got := stale(); got != "tune-gone.1 tune.1" {
		t.Errorf("stale are %q", got)
	}
	if err := Write(folder, "tune", pages); err != nil || stale() != "" {
		t.Errorf("%q are stale after they were written anew (%v)", stale(), err)
	}
	if _, err := os.Stat(filepath.Join(folder, "play.1")); err != nil {
		t.Errorf("the page of the other program: %v", err)
	}
}

func TestCheck(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "man1")
	if err := Check(folder, program(), false); err == nil || !strings.Contains(err.Error(), "tune-worker.1") {
		t.Errorf("without pages the error is %v", err)
	}
	for _, update := range []bool{true, false} {
		if err := Check(folder, program(), update); err != nil {
			t.Errorf("update %v: %v", update, err)
		}
	}
}
