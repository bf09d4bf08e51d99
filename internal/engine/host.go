package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"quintune/internal/gomocup"
	"quintune/pattern"
	"quintune/selfplay"
)

// Host runs an engine under many values. It keeps processes between games, one a side and worker, and gives them to who
// needs them next. It is safe for concurrent use.
type Host struct {
	file *File
	most int // processes at a time

	mu      sync.Mutex
	idle    []*process  // the longest idle first
	count   int         // processes, idle or held
	made    int         // folders made
	folder  *workFolder // parent of the engines' working folders; nil before the first engine
	games   habits
	leaving sync.WaitGroup
}

// NewHost returns a host for a number of workers, each of which plays one game at a time. Nothing is started yet.
func NewHost(f *File, workers int) *Host { return &Host{file: f, most: 2 * max(1, workers)} }

// movePatience is how long a move may take an engine that is limited by nodes.
const movePatience = time.Minute

// Contestant returns the engine under the values as one side of pairings. The values are those of the file: see
// [File.Check]. The batch's limit of nodes counts, unless the file limits the time of a move.
func (h *Host) Contestant(name string, values Values) selfplay.Contestant {
	values = slices.Clone(values)
	c := selfplay.Contestant{Name: name, Identity: h.file.hash + " " + values.Hash(), Liable: true}
	c.Open = func(size int, rule pattern.Rule, nodes int64) (selfplay.Player, error) {
		return h.open(values, h.file.conditions(Conditions{Size: size, Rule: rule, Limits: gomocup.GameLimits{Nodes: nodes, Threads: 1}}))
	}
	return c
}

// conditions returns the conditions of games that are limited by nodes, with what the engine file adds.
func (f *File) conditions(c Conditions) Conditions {
	c.Wins, c.Limits.Memory = f.Wins, f.Memory
	if l := &c.Limits; f.Time > 0 && l.Turn == 0 && l.Match == 0 {
		l.Nodes, l.Turn = 0, f.Time
	}
	return c
}

func (h *Host) open(values Values, c Conditions) (*player, error) {
	p := &player{source: candidate{h, values}, games: &h.games, conditions: c}
	p.info = []string{briefLine}
	if h.file.Pass == Info {
		p.info = append(p.info, h.file.lines(values)...)
	}
	return newPlayer(p)
}

// hosted is a player with a host of its own, which is closed with the player.
type hosted struct {
	*player
	host *Host
}

// Open returns the engine under the values as a player with processes of its own, as NewPlayer does. The values are those of
// the file: see [File.Check]. Limits of the file count where the conditions have none of time.
func (f *File) Open(values Values, c Conditions) (selfplay.Player, error) {
	h := NewHost(f, 1)
	p, err := h.open(values, f.conditions(c))
	if err != nil {
		return nil, err
	}
	return hosted{p, h}, nil
}

// Close ends the engine.
func (p hosted) Close() error {
	p.giveBack()
	return p.host.Close()
}

// candidate is the source of processes that play under some values.
type candidate struct {
	host   *Host
	values Values
}

// key is what processes that can play under the values have in common.
func (c candidate) key() string {
	if c.host.file.Pass == Info {
		return "" // any process will do: the values are sent before each game
	}
	return c.values.Hash()
}

// take returns an idle process that plays under the values, or starts one, for which another has to leave where there are
// too many.
func (c candidate) take() (*process, error) {
	h, key := c.host, c.key()
	p := h.idleFor(key)
	fresh := p == nil
	if fresh {
		p = &process{}
	}
	var err error
	switch {
	case fresh:
		err = c.launch(p)
	case p.key != key:
		err = c.reload(p)
	}
	if p.key = key; err == nil {
		return p, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end(p)
	return nil, err
}

// idleFor takes an idle process for the key, nil where a new one has to be started. Of those that can be told to read their
// file again any will do.
func (h *Host) idleFor(key string) *process {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := -1
	for i := range h.idle {
		if h.idle[i].key == key || at < 0 && h.file.Reload != "" {
			at = i
		}
	}
	if at >= 0 {
		p := h.idle[at]
		h.idle = slices.Delete(h.idle, at, at+1)
		return p
	}
	if h.count >= h.most && len(h.idle) > 0 {
		h.end(h.idle[0])
		h.idle = slices.Delete(h.idle, 0, 1)
	}
	h.count++
	return nil
}

// reload makes a process read another file. Each file has a folder of its own, inside the folder of the process.
func (c candidate) reload(p *process) error {
	before := p.reread
	p.reread = filepath.Join(p.folder, c.key())
	if err := os.Mkdir(p.reread, 0o700); err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	path, err := c.write(p.reread)
	if err != nil {
		return err
	}
	p.client.Tell(placed(c.host.file.Reload, path))
	p.begun = nil // START follows, before which the engine reads
	if before == "" {
		return nil
	}
	return os.RemoveAll(before)
}

// give keeps a process for later games, unless it has failed.
func (c candidate) give(p *process) {
	h := c.host
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.spent || !p.client.Alive() {
		h.end(p)
		return
	}
	h.idle = append(h.idle, p)
}

// end lets a process leave meanwhile.
func (h *Host) end(p *process) {
	h.count--
	h.leaving.Go(func() {
		if p.client != nil {
			_ = p.client.Quit() // one that does not leave is killed
		}
		if p.folder != "" {
			_ = os.RemoveAll(p.folder)
		}
	})
}

// launch starts the engine under the values.
func (c candidate) launch(p *process) error {
	f := c.host.file
	options := gomocup.ClientOptions{
		Dir: filepath.Dir(f.beside(filepath.Base(f.Path))), Patience: movePatience,
		Report: func(line string) { p.hear(line) },
	}
	args := f.words
	switch f.Pass {
	case Argument:
		args = append(slices.Clone(args), f.lines(c.values)...)
	case Environment:
		options.Env = f.lines(c.values)
	case Template, Weights:
		folder, err := c.host.newFolder()
		if err != nil {
			return err
		}
		options.Dir, p.folder = folder, folder
		written, err := c.write(folder)
		if err != nil {
			return err
		}
		args = f.told(written)
	}
	var err error
	p.client, err = gomocup.LaunchArguments(args, options)
	return err
}

// write writes the file with the values into a folder and returns its path.
func (c candidate) write(folder string) (string, error) {
	_, data, err := c.host.file.Form(c.values)
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, c.host.file.Output)
	return path, os.WriteFile(path, data, 0o600)
}

// newFolder makes an empty folder for one process.
func (h *Host) newFolder() (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.folder == nil {
		var err error
		if h.folder, err = newWorkFolder(os.TempDir()); err != nil {
			return "", fmt.Errorf("engine: %w", err)
		}
	}
	h.made++
	folder := filepath.Join(h.folder.path, fmt.Sprint(h.made))
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", fmt.Errorf("engine: %w", err)
	}
	return folder, nil
}

// Close ends all processes and removes their folders. Players of the host are closed before.
func (h *Host) Close() error {
	h.mu.Lock()
	for _, p := range h.idle {
		h.end(p)
	}
	h.idle = nil
	folder := h.folder
	h.mu.Unlock()
	h.leaving.Wait()
	return folder.remove()
}
