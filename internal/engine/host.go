package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"quintune/internal/gomocup"
	"quintune/pattern"
	"quintune/selfplay"
)

// Host runs an engine with different values. It keeps processes between games, at most one for each side of each
// worker, and reuses them. It is safe for concurrent use.
type Host struct {
	file *File
	most int // processes at a time

	mu      sync.Mutex
	idle    []*process  // longest idle first
	count   int         // processes, idle or held
	made    int         // folders made
	folder  *workFolder // parent of the engines' working folders; nil before the first engine
	unknown string      // last line by which an engine answered that it does not know one of ours
	games   habits
	leaving sync.WaitGroup
}

// NewHost returns a host for a number of workers, each of which plays one game at a time. Nothing is started yet.
func NewHost(f *File, workers int) *Host { return &Host{file: f, most: 2 * max(1, workers)} }

// movePatience bounds the time of a move of an engine that is limited by nodes.
const movePatience = time.Minute

// Contestant returns the engine with the values as one side of pairings. The values must be valid for the file:
// see [File.Check]. The batch's node limit applies, unless the file limits the time of a move.
func (h *Host) Contestant(name string, values Values) selfplay.Contestant {
	values = slices.Clone(values)
	c := selfplay.Contestant{Name: name, Identity: h.file.hash + " " + values.Hash(), Liable: true}
	c.Open = func(size int, rule pattern.Rule, nodes int64) (selfplay.Player, error) {
		return h.open(values, h.file.conditions(Conditions{Size: size, Rule: rule, Limits: gomocup.GameLimits{Nodes: nodes, Threads: 1}}))
	}
	return c
}

// conditions returns the conditions of games with what the engine file adds: wins, memory, and its time of a move in place of the
// nodes where no clock limits the games.
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

// hosted is a player with its own host, which is closed with the player.
type hosted struct {
	*player
	host *Host
}

// Open returns the engine with the values as a player with processes of its own, as NewPlayer does. The values
// must be valid for the file: see [File.Check]. Time limits of the file apply where the conditions have none.
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

// candidate starts processes that play with some values.
type candidate struct {
	host   *Host
	values Values
}

// key identifies the processes that can play with the values.
func (c candidate) key() string {
	if c.host.file.Pass == Info {
		return "" // any process can: it gets the values before each game
	}
	return c.values.Hash()
}

// take returns an idle process that can play with the values, or starts one. If there are too many processes, it
// ends another one first.
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

// idleFor takes an idle process for the key; nil: a new one must be started. An engine that can read its file
// again may use any idle process.
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

// reload makes a process read another file. Each file is in a folder of its own inside the folder of the
// process.
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
	p.begun = nil // START must follow, before which the engine reads the file
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

// end ends a process in the background.
func (h *Host) end(p *process) {
	h.count--
	h.leaving.Go(func() {
		if p.client != nil {
			_ = p.client.Quit() // a process that does not end is killed
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
		Dir: f.beside("."), Patience: movePatience,
		Report: func(line string) {
			c.host.note(line)
			p.hear(line)
		},
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

// note keeps a line that begins with UNKNOWN.
func (h *Host) note(line string) {
	if len(line) >= 7 && strings.EqualFold(line[:7], "UNKNOWN") {
		h.mu.Lock()
		h.unknown = line
		h.mu.Unlock()
	}
}

// unknownLine returns the last line by which an engine answered that it does not know one of ours, "" for none.
func (h *Host) unknownLine() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.unknown
}

// write writes the file with the values into a folder and returns its path.
func (c candidate) write(folder string) (string, error) {
	data, err := c.host.file.Form(c.values)
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

// Close ends all processes and removes their folders. The host's players must be closed before.
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
