// Dist makes the archives that go to a Gomocup tournament: for each system the engine, its weights
// and a description, in one flat zip file. `make dist` runs it.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"text/template"

	"quintune/internal/atomicfile"
	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/weights"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(config.Exit(err))
	}
}

// run makes the archives of the named targets, or of all, in a folder: [-weights FILE …] [-force] [-man FOLDER] FOLDER [system/processor …].
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var paths []string
	flags.Func("weights", "weights `FILE` of the archives, may be repeated; without it the program plays by its own", func(path string) error {
		paths = append(paths, path)
		return nil
	})
	force := flags.Bool("force", false, "take weights that no gate has proven, or that are weaker than the embedded ones")
	man := flags.String("man", "", "`folder` with the man pages of the archives; without it they have none")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(out)
		flags.Usage()
		return nil
	case err != nil:
		return config.Usage(err)
	}
	if args = flags.Args(); len(args) == 0 {
		return config.Usagef("a folder is wanted, and targets such as %v", targets)
	}
	list, err := parseTargets(args[1:])
	if err != nil {
		return config.Usage(err)
	}
	sets, err := load(paths, *force)
	if err != nil {
		return err
	}
	pages, err := manual(*man)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(args[0], 0o755); err != nil {
		return err
	}
	for _, t := range list {
		program, err := t.build(ctx)
		if err != nil {
			return err
		}
		notices, err := t.notices(ctx)
		if err != nil {
			return err
		}
		archive, err := assemble(t, program, notices, sets, pages)
		if err != nil {
			return fmt.Errorf("%v: %w", t, err)
		}
		path := filepath.Join(args[0], t.archive())
		if err := atomicfile.Write(path, archive); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %d bytes\n", path, len(archive))
	}
	return nil
}

// assemble returns the archive of a target from its program, man pages, weights files, and the licences of what is linked into it. Systems
// without man pages get none.
func assemble(t target, program, notices []byte, sets, pages []file) ([]byte, error) {
	if !t.manual() {
		pages = nil
	}
	text, err := description(t, sets, len(pages) > 0)
	if err != nil {
		return nil, err
	}
	license, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, fmt.Errorf("the working directory must be the root of the module: %w", err)
	}
	files := append([]file{
		{t.program(), program, true},
		{"README.txt", text, false},
		{"LICENSE.txt", license, false},
		{"NOTICES.txt", notices, false},
	}, append(sets, pages...)...)
	return pack(files)
}

// load returns the weights files of the archives: weights.json where there is one, or else one for each class of boards
// under the name that the program looks for. Unless they are forced, unproven weights are refused, and weaker ones, which would never play.
func load(paths []string, force bool) ([]file, error) {
	var files []file
	for _, path := range paths {
		set, err := weights.Load(path)
		if err != nil {
			return nil, err
		}
		const all = "-force takes them all the same (make dist FORCE=1)"
		switch weaker := player.OfFile(path, set).Weaker(); {
		case force:
		case weaker != "":
			return nil, fmt.Errorf("%s; %s", weaker, all)
		case set.Provenance == nil || !set.Provenance.Proven:
			return nil, fmt.Errorf("%s: no gate has proven these weights; %s", path, all)
		}
		values, err := weights.Marshal(set)
		if err != nil {
			return nil, err
		}
		name := "weights.json"
		if len(paths) > 1 {
			name = "weights-" + weights.EvolvedFor(set.Rule, set.Size) + ".json"
		}
		if slices.ContainsFunc(files, func(f file) bool { return f.name == name }) {
			return nil, fmt.Errorf("%s: two files are for the same boards (%s)", path, name)
		}
		files = append(files, file{name, values, false})
	}
	return files, nil
}

// manual returns the man pages of the program in a folder, none where the folder is "".
func manual(folder string) ([]file, error) {
	if folder == "" {
		return nil, nil
	}
	paths, err := filepath.Glob(filepath.Join(folder, "play*.1"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s holds no man pages; make man writes them", folder)
	}
	var pages []file
	for _, path := range paths {
		page, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		pages = append(pages, file{filepath.Base(path), page, false})
	}
	return pages, nil
}

//go:embed README.txt
var readme string

// description returns the text for those who run the tournament.
func description(t target, sets []file, manual bool) ([]byte, error) {
	page, err := template.New("README.txt").Parse(readme)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range sets {
		names = append(names, f.name)
	}
	var text bytes.Buffer
	err = page.Execute(&text, map[string]any{
		"Program": t.program(), "Target": t.String(), "Engine": bench.Signature(), "Commit": config.Commit(),
		"Weights": names, "Manual": manual,
	})
	return bytes.ReplaceAll(text.Bytes(), []byte("\n"), []byte("\r\n")), err
}
