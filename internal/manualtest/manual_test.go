package manualtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"quintune/internal/config"
)

// workerOptions are the options of the worker.
type workerOptions struct {
	config.Common
	Jobs int
}

func (o *workerOptions) Declare(d *config.Declaration) {
	d.Group("The cluster")
	config.Var(d, &o.Jobs, "jobs", "3", config.Whole(1, 4096), "pairs at a time", config.Varies("the number of processors"))
}

// program returns a command tree with a worker, whose --jobs depend on the processors, and a hidden command.
func program() *cobra.Command {
	root := &cobra.Command{Use: "tune", Short: "Tune weights"}
	nothing := func(*cobra.Command, []string) {}
	worker := config.Bind(&cobra.Command{Use: "worker", Short: "Play pairs", Example: "  tune worker --jobs 2"}, &workerOptions{}, nil)
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
		t.Run(name, func(t *testing.T) {
			for _, part := range parts {
				if !strings.Contains(string(pages[name]), part) {
					t.Errorf("%s lacks %q:\n%s", name, part, pages[name])
				}
			}
		})
	}
}

func TestWrite(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "man", "man1")
	pages := pagesOf(t, program())
	if err := Write(folder, pages); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != len(pages) {
		t.Fatalf("the folder holds %v (%v), want %d pages", entries, err, len(pages))
	}
	for name, page := range pages {
		if data, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(data) != string(page) {
			t.Errorf("%s holds %.80q (%v)", name, data, err)
		}
	}
}
