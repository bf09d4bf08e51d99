package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/atomicfile"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/store"
	"quintune/internal/text"
	"quintune/internal/tuner"
	"quintune/weights"
)

// storedOptions are the options of the commands that only look at stored runs.
type storedOptions struct {
	config.Common
	runsOption
}

// readRuns opens the runs of a folder to look at them with do.
func readRuns(folder string, do func(*runfolder.Runs) error) error {
	runs, err := runfolder.OpenToRead(folder)
	if err != nil {
		return err
	}
	return errors.Join(do(runs), runs.Close())
}

// changeRuns opens the runs of a folder to play them or to change them with do.
func changeRuns(folder string, do func(*runfolder.Runs) error) error {
	runs, err := runfolder.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(do(runs), runs.Close())
}

// hasRuns reports whether a folder has a database of runs. Where it has none, to open it for changes would make one.
func hasRuns(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, store.FileName))
	return !errors.Is(err, fs.ErrNotExist)
}

// checkThere returns the error of a folder without runs for a run that is to go on; a checkpoint brings its own.
func (o *resumeOptions) checkThere(args []string) error {
	if hasRuns(o.Runs) {
		return nil
	}
	return readRuns(o.Runs, func(runs *runfolder.Runs) error {
		if len(args) > 0 && isCheckpoint(runs, args[0]) {
			return nil
		}
		name, err := runNamed(runs, args, true)
		if err == nil {
			_, err = runs.Row(name)
		}
		return err
	})
}

// createRun creates the run under its name. Without a name it takes base, with a number where that is taken.
func createRun(o *runsOption, runs *runfolder.Runs, name, base string, record run.Record) (*runfolder.Folder, error) {
	if name != "" {
		folder, err := runs.Create(name, record)
		return folder, o.taken(runs, name, err)
	}
	for {
		free, err := runs.FreeName(base)
		if err != nil {
			return nil, err
		}
		folder, err := runs.Create(free, record)
		if !errors.Is(err, fs.ErrExist) {
			return folder, err // if another process has just taken the name, the loop tries the next one
		}
	}
}

// checkRuns checks before the games that a run can be stored under the name, and leaves nothing.
func (o *runsOption) checkRuns(name string) error {
	if err := readRuns(o.Runs, func(runs *runfolder.Runs) error { return o.checkName(runs, name) }); err != nil {
		return err
	}
	if err := atomicfile.Check(filepath.Join(store.NearestFolder(o.Runs), store.FileName)); err != nil {
		return fmt.Errorf("runs: %w", err)
	}
	return nil
}

// checkName checks before the games that a run can be begun under the name; "" is one that will be chosen.
func (o *runsOption) checkName(runs *runfolder.Runs, name string) error {
	if name == "" {
		return nil
	}
	return o.taken(runs, name, runs.CheckNew(name))
}

// taken adds to the error of a taken name what the user can do.
func (o *runsOption) taken(runs *runfolder.Runs, name string, err error) error {
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	resume := []string{"tune", "resume", name}
	if s, err := runs.Load(name); err == nil {
		if s.Row.Done {
			resume = append(resume, "--budget", "MORE")
		}
		resume = withEngine(s.Record.Engine, resume...)
	}
	return fmt.Errorf("a run %s is stored already: choose another --name, or go on with `%s`", name, text.CommandLine(o.withRuns(resume...)...))
}

// runBase makes a name for a run from its start, seed and id. The first character is always a letter.
func runBase(c *tuner.Config, record run.Record) string {
	return fmt.Sprintf("r-%.58s-%d-%s", runfolder.PlainName(c.StartLabel()), c.Seed, record.Run[:8])
}

// completeRuns sets the shell completion of the commands' arguments: names of stored runs, for prune also those
// of ladders and matches, and files.
func completeRuns(root *cobra.Command, commands ...string) {
	for _, cmd := range root.Commands() {
		if !slices.Contains(commands, cmd.Name()) {
			continue
		}
		others := cmd.ValidArgsFunction
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) (list []string, _ cobra.ShellCompDirective) {
			if others != nil {
				list, _ = others(cmd, args, begun)
			}
			runs, kept, _ := stored(cmd.Flags().Lookup("runs").Value.String()) // an error means that there is nothing to complete
			var names []string
			for _, s := range runs {
				names = append(names, s.Name)
			}
			for _, k := range kept {
				if cmd.Name() == "prune" {
					names = append(names, k.Name)
				}
			}
			for _, name := range names {
				if strings.HasPrefix(name, begun) {
					list = append(list, name)
				}
			}
			return list, cobra.ShellCompDirectiveDefault
		}
	}
}

// runNamed returns the named run, or else the latest, with unfinished of those that are not done.
func runNamed(runs *runfolder.Runs, args []string, unfinished bool) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	return runs.Latest(unfinished)
}

// isRun reports whether an argument names a run: it is neither a file nor a preset.
func isRun(argument string) bool {
	_, err := weights.Preset(argument)
	return err != nil && !player.IsFile(argument) && !strings.ContainsAny(argument, ":/\\")
}

// recommended returns the weights of a preset, what a weights or values file holds, or what a run in the folder recommends.
func recommended(folder, argument string) (best *runfolder.Recommendation, err error) {
	switch {
	case isRun(argument):
		err = readRuns(folder, func(runs *runfolder.Runs) error {
			s, err := runs.Load(argument)
			if err == nil {
				best, err = runs.Recommended(s)
			}
			return err
		})
		return best, err
	case player.IsFile(argument):
		return runfolder.ReadFile(argument)
	}
	set, err := player.Weights(argument)
	return &runfolder.Recommendation{Set: set}, config.UsageIf(player.Misused(err), err)
}

// Greatest space that a run takes on the disk.
const (
	bytesAGame = 120      // a game of some 40 plies, with its share of everything else
	bytesARun  = 64 << 20 // write-ahead log and states
)

// warnOfLittleRoom warns before a run that may not fit on the disk.
func warnOfLittleRoom(log *slog.Logger, o *runsOption, games int) {
	free, err := store.Free(o.Runs)
	if err != nil {
		return // the free space is not known, or the folder has an error that will be reported soon
	}
	if need := int64(games)*bytesAGame + bytesARun; free < need {
		log.Warn("the disk may become full; a run that stops for want of room goes on with `"+text.CommandLine(o.withRuns("tune", "resume")...)+"`",
			"folder", o.Runs, "free", megabytes(free), "needed", megabytes(need))
	}
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
