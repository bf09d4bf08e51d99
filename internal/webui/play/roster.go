package play

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"quintune/board"
	"quintune/internal/baseline"
	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// maxUploads bounds the number of uploaded weights.
const maxUploads = 16

// Names of players in requests beside those of presets and baselines.
const (
	ownName      = "own" // weights with which the program was started
	uploadPrefix = "upload:"
)

// roster holds the players that requests may name.
type roster struct {
	fixed []listed // in order

	mu      sync.Mutex
	uploads []listed // least recently used first
}

// listed is a player under its name in requests.
type listed struct {
	id     string
	label  string // for people
	player *player.Player
}

// newRoster returns a roster of the program's own weights, the presets and the baselines.
func newRoster(own *player.Player) *roster {
	r := &roster{}
	add := func(id, label string, p *player.Player, err error) {
		if err == nil { // always: all are built in, and a test opens each
			r.fixed = append(r.fixed, listed{id, label, p})
		}
	}
	if !slices.Contains(weights.PresetNames(), own.Name) {
		add(ownName, session.Label(own), own, nil)
	}
	for _, name := range weights.PresetNames() {
		p, err := player.Parse(name)
		add(name, name, p, err)
	}
	for _, name := range baseline.Names() {
		p, err := player.Parse(baseline.Prefix + name)
		add(baseline.Prefix+name, baseline.Prefix+name, p, err)
	}
	return r
}

// find returns the player with the name. Other names, such as paths and commands, are refused.
func (r *roster) find(id string) (listed, error) {
	if l, ok := r.use(func(l listed) bool { return l.id == id }); ok {
		return l, nil
	}
	if strings.HasPrefix(id, uploadPrefix) {
		return listed{}, refusef(http.StatusBadRequest, "these weights are not loaded any more, the latest %d are: load the file again", maxUploads)
	}
	return listed{}, refusef(http.StatusBadRequest, "%.60q is not a preset, baseline or uploaded weights", id)
}

// use returns the player that is meant. Of the uploads it counts as the latest used from now on.
func (r *roster) use(meant func(listed) bool) (l listed, ok bool) {
	if i := slices.IndexFunc(r.fixed, meant); i >= 0 {
		return r.fixed[i], true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.uploads, meant)
	if i < 0 {
		return l, false
	}
	l = r.uploads[i]
	r.uploads = append(slices.Delete(r.uploads, i, i+1), l)
	return l, true
}

// weights returns the set with which a player analyses on a board. Where the player's own set is for another
// board, it returns the embedded one and a sentence that says so.
func (r *roster) weights(id string, on *board.Board) (set *weights.Set, instead string, err error) {
	l, err := r.find(id)
	if err == nil && l.player.Weights == nil {
		err = refusef(http.StatusBadRequest, "%s has no weights to analyse with", id)
	}
	if err != nil {
		return nil, "", err
	}
	p, err := l.player.OnBoard(on.Size(), on.Rule())
	if err != nil || p == l.player {
		return l.player.Weights, "", err
	}
	l, err = r.find(p.Name) // always the same set, so that engines keep their memory
	return l.player.Weights, p.Instead(), err
}

// nameOf returns the roster's name of a player, "" where an upload was dropped.
func (r *roster) nameOf(p *player.Player) string {
	l, _ := r.use(func(l listed) bool { return l.player == p.Chosen() })
	return l.id
}

// upload adds a set. The same file uploaded twice is the same player.
func (r *roster) upload(data []byte) (listed, error) {
	set, err := weights.Unmarshal(data)
	if err != nil {
		return listed{}, refuse(http.StatusBadRequest, err)
	}
	sum := sha256.Sum256(data)
	id := uploadPrefix + hex.EncodeToString(sum[:8])
	if l, err := r.find(id); err == nil {
		return l, nil
	}
	l := listed{id: id, label: set.Name, player: player.OfFile(set.Name, set)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.uploads) >= maxUploads {
		r.uploads = slices.Delete(r.uploads, 0, 1)
	}
	r.uploads = append(r.uploads, l)
	return l, nil
}

// playerView is a player as the page sees it.
type playerView struct {
	ID      string `json:"id"`
	Label   string `json:"label"`
	Weights bool   `json:"weights"` // can analyse and has levels
	Proven  string `json:"proven"`
}

func (l *listed) view() playerView {
	return playerView{l.id, l.label, l.player.Weights != nil, l.player.Proven}
}

// setupView lists what the page can offer.
type setupView struct {
	Players  []playerView `json:"players"`
	Uploads  []playerView `json:"uploads"`
	Default  string       `json:"default"`
	Rules    []string     `json:"rules"`
	MinSize  int          `json:"minSize"`
	MaxSize  int          `json:"maxSize"`
	MaxLevel int          `json:"maxLevel"`
	Strength strengthView `json:"strength"`
	// Evolved holds the names of the embedded sets for each board, [rule][size-MinSize].
	Evolved map[string][]string `json:"evolved"`
}

// setup answers with the players and bounds.
func (s *Server) setup(w http.ResponseWriter, _ *http.Request) error {
	v := setupView{
		MinSize: board.MinSize, MaxSize: board.MaxSize, MaxLevel: int(search.MaxLevel),
		Default: s.roster.fixed[0].id, Strength: viewStrength(s.config.Strength), Uploads: []playerView{}, Evolved: map[string][]string{},
	}
	for _, l := range s.roster.fixed {
		v.Players = append(v.Players, l.view())
		if l.player.Name == s.config.Weights.Name {
			v.Default = l.id
		}
	}
	s.roster.mu.Lock()
	for _, l := range s.roster.uploads {
		v.Uploads = append(v.Uploads, l.view())
	}
	s.roster.mu.Unlock()
	for rule := range pattern.NumRules {
		name := pattern.Rule(rule).String()
		v.Rules = append(v.Rules, name)
		for size := board.MinSize; size <= board.MaxSize; size++ {
			v.Evolved[name] = append(v.Evolved[name], weights.EvolvedFor(pattern.Rule(rule), size))
		}
	}
	return send(w, http.StatusOK, v)
}

// upload adds an uploaded weights file.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) error {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return badBody(err)
	}
	if strings.TrimSpace(string(data)) == "" {
		return refusef(http.StatusBadRequest, "the weights file is empty")
	}
	l, err := s.roster.upload(data)
	if err != nil {
		return err
	}
	return send(w, http.StatusOK, l.view())
}
