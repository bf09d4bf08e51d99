package tuner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Summary is one line of a list of runs.
type Summary struct {
	Name   string    `json:"name"`
	Run    string    `json:"run"`
	Begun  time.Time `json:"begun"`
	Games  int       `json:"games"`  // played in closed steps
	Budget int       `json:"budget"` // games
	Status string    `json:"status"` // "open", "done", or why it cannot be read
}

// ListRuns returns the runs below the folder of all runs, by name; none where there is no such folder.
func ListRuns(runs string) ([]Summary, error) {
	entries, err := os.ReadDir(runs)
	if errors.Is(err, fs.ErrNotExist) {
		return []Summary{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("tuner: %w", err)
	}
	list := []Summary{}
	for _, e := range entries {
		if !e.IsDir() || !runName.MatchString(e.Name()) {
			continue
		}
		_, record, state, err := OpenFolder(runs, e.Name())
		s := Summary{
			Name: e.Name(), Run: record.Run, Begun: record.Begun, Games: state.Games, Budget: record.Spec.Budget, Status: "open",
		}
		switch {
		case err != nil:
			s.Status = err.Error()
		case state.Done:
			s.Status = "done"
		}
		list = append(list, s)
	}
	return list, nil
}
