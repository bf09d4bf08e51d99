package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"quintune/internal/cluster"
	"quintune/internal/config"
	"quintune/internal/engine"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/internal/text"
	"quintune/internal/tuner"
	"quintune/pattern"
	"quintune/selfplay"
)

// defaultValues is the file for the values of a proven candidate, where a run of an engine from outside has no
// --out.
const defaultValues = "best.json"

// outside is the engine of an engine file with its processes. The zero value stands for no engine.
type outside struct {
	tuned  *tuner.Outside
	remote *cluster.Outside // the same as a cluster knows it
	host   *engine.Host
}

// openOutside reads the engine file of --engine; the path "" stands for no engine. workers is the number of
// games at a time. No process is started yet.
func openOutside(path string, workers int) (o outside, err error) {
	if path == "" {
		return o, nil
	}
	file, err := engine.Read(path)
	if err != nil {
		return o, err
	}
	o.host = engine.NewHost(file, workers)
	o.tuned = &tuner.Outside{
		File:   file,
		Player: func(values engine.Values) selfplay.Contestant { return o.host.Contestant("", values) },
		Remote: func(values engine.Values) string {
			data, _ := json.Marshal(values) // numbers can always be encoded
			return cluster.EnginePrefix + string(data)
		},
	}
	o.remote = &cluster.Outside{Hash: file.Hash(), Timed: file.Time > 0, Contestant: o.travelled}
	return o, nil
}

// travelled returns the engine with the values of a message of the cluster; without any, with its start values.
func (o outside) travelled(text string) (selfplay.Contestant, error) {
	values := o.tuned.File.Start()
	if text != "" {
		if err := json.Unmarshal([]byte(text), &values); err != nil {
			return selfplay.Contestant{}, err
		}
		if err := o.tuned.File.Check(values); err != nil {
			return selfplay.Contestant{}, err
		}
	}
	return o.tuned.Contestant(values), nil
}

// setBoard notes the board of the run, before a cluster is there.
func (o outside) setBoard(rule pattern.Rule, size int) {
	if o.remote != nil {
		o.remote.Rule, o.remote.Size = rule, size
	}
}

// setRepeats notes whether equal values give equal games, before any is played on a cluster.
func (o outside) setRepeats(equal bool) {
	if o.remote != nil {
		o.remote.Repeats = equal
	}
}

// close ends the engine's processes.
func (o outside) close() error {
	if o.host == nil {
		return nil
	}
	return o.host.Close()
}

// startFrom returns the start values of a run of an engine from outside, from a values file or from the engine
// file, and a name for them.
func startFrom(path string, f *engine.File) (name string, values json.RawMessage, err error) {
	name, start := f.Name(), f.Start()
	if path != "" && !player.IsFile(path) {
		return "", nil, config.Usagef("start: %.80q is not a values file (anything that ends in .json), which --engine takes", path)
	}
	if path != "" {
		result, err := f.ReadResult(path)
		if err != nil {
			return "", nil, err
		}
		name, start = fmt.Sprintf("%s@%.8s", name, result.Values.Hash()), result.Values
	}
	values, err = json.Marshal(start)
	return name, values, err
}

// engineFile returns the path of the engine file with which a stored run continues. That is --engine, if typed. Else it
// is the one of the original command line, if allow says that stored commands may be started; hint says how they would be allowed. It is ""
// for a run that tunes weights.
func engineFile(typed string, allow bool, hint, name string, record *run.Record) (string, error) {
	switch {
	case record.Spec.Outside == nil && typed != "":
		return "", config.Usagef("engine: run %s tunes weights, not an engine from outside", name)
	case record.Spec.Outside == nil:
		return "", nil
	case typed != "":
		return typed, nil
	case !allow:
		return "", config.Usagef("run %s starts the engine %s: name its engine file with --engine %s%s",
			name, record.Spec.Outside.Name, text.CommandLine(record.Engine), hint)
	}
	return record.Engine, nil
}

// absolute returns the absolute form of a path.
func absolute(path string) string {
	if path == "" {
		return ""
	}
	if a, err := filepath.Abs(path); err == nil {
		return a
	}
	return path
}
