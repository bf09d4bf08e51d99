package cluster

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/baseline"
	"quintune/internal/gomocup"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/selfplay"
)

// task is what a worker gets: pairs and everything that their games depend on, with weights as content hashes. A
// task without a name means that there is none at present.
type task struct {
	Name    string        `json:"name"`  // of this copy, for its result
	Batch   string        `json:"batch"` // session and batch, by which the task is dropped when its batch is given up
	Rule    string        `json:"rule"`
	Size    int           `json:"size"`
	Nodes   int64         `json:"nodes"`
	PlayOut bool          `json:"play_out,omitempty"`
	Search  bool          `json:"search,omitempty"` // see selfplay.Batch
	Players []string      `json:"players"`          // hash of a set of weights, or name of a player that has none
	Pairs   []pair        `json:"pairs"`
	Expect  time.Duration `json:"expect"` // expected time of a pair, ns; 0: not known yet
}

// pair is one pairing in a message.
type pair struct {
	Index   int    `json:"i"` // in the batch
	A       int    `json:"a"` // index in task.Players
	B       int    `json:"b"`
	Opening string `json:"o"`
	Seed    uint64 `json:"s,string"`
}

// answer is what a worker sends back. It holds fewer pairs than the task where the worker was told to end, or
// was too slow for all of them.
type answer struct {
	Pairs []played      `json:"pairs"`
	Took  time.Duration `json:"took"` // playing time of the pairs, ns
}

// bytes returns an upper bound of the answer's length in a message, approximately.
func (a *answer) bytes() int {
	n := 100
	for i := range a.Pairs {
		n += a.Pairs[i].bytes()
	}
	return n
}

// fits reports whether there are no more pairs, and games of each, than a task can have. Empty ones take a few bytes in a
// message and dozens of times as many here, where answers wait.
func (a *answer) fits() bool {
	games := len(selfplay.Result{}.Games)
	return len(a.Pairs) <= mostPairs && !slices.ContainsFunc(a.Pairs, func(p played) bool {
		return len(p.Games) > games || len(p.Discarded) > games
	})
}

// played is the result of one pair in a message.
type played struct {
	Index     int    `json:"i"`
	Games     []game `json:"g"`           // two: A as Black, A as White; or one search
	Discarded []game `json:"d,omitempty"` // games of a first attempt in which a player failed
}

// bytes returns an upper bound of the result's length in a message, approximately.
func (p *played) bytes() int {
	n := 100
	for _, g := range slices.Concat(p.Games, p.Discarded) {
		n += 200 + len(g.Moves) + 2*len(g.Fault)
	}
	return n
}

// game is one game in a message.
type game struct {
	Outcome     board.Outcome `json:"o"`
	Moves       string        `json:"m"`
	Adjudicated bool          `json:"a,omitempty"`
	Nodes       int64         `json:"n"`
	Score       int32         `json:"s,omitempty"` // of a search
	Fault       string        `json:"f,omitempty"`
	Kind        string        `json:"k,omitempty"` // kind of the fault
	Faulty      board.Colour  `json:"y,omitempty"`
}

// joining is how a worker introduces itself.
type joining struct {
	Protocol  int    `json:"protocol"`
	Name      string `json:"name"`     // of its machine, for people
	Instance  string `json:"instance"` // of its process
	Version   string `json:"version"`
	Signature string `json:"signature"` // of its engine
	Schema    string `json:"schema"`    // of its weights
	Jobs      int    `json:"jobs"`
	Proof     string `json:"proof,omitempty"` // answer to the nonce of the last refusal
	Nonce     string `json:"nonce,omitempty"`
}

// welcome answers a worker that wants to join: it is admitted, asked to prove its engine, or refused for good.
type welcome struct {
	Protocol  int    `json:"protocol"`
	Admitted  bool   `json:"admitted"`
	Nonce     string `json:"nonce,omitempty"`   // chooses the positions that prove the engine
	Rule      string `json:"rule,omitempty"`    // of the games that prove an engine from outside
	Size      int    `json:"size,omitempty"`    // of their board
	Refused   string `json:"refused,omitempty"` // reason of a final refusal
	Heartbeat int64  `json:"heartbeat"`         // time between heartbeats, ns
	Deadline  int64  `json:"deadline"`          // time for a task, ns
}

// heartbeat reports that a worker is alive, and what it does.
type heartbeat struct {
	Instance string  `json:"instance"`
	Pairs    int64   `json:"pairs"` // played since it joined
	Busy     float64 `json:"busy"`  // share of its jobs' time in games since it joined
	Speed    float64 `json:"speed"` // pairs a second over the last half minute
	Held     int     `json:"held"`  // tasks in hand
	Leaving  bool    `json:"leaving,omitempty"`
}

// bounded returns the heartbeat with its figures in bounds. They are shown and added up.
func (b heartbeat) bounded() heartbeat {
	const mostSpeed = 1e6
	b.Pairs, b.Held = max(0, b.Pairs), min(max(0, b.Held), slotsOf(MaxJobs))
	b.Busy, b.Speed = min(max(0, b.Busy), 1), min(max(0, b.Speed), mostSpeed)
	return b
}

// heartbeatAnswer tells a worker whether it is still a member.
type heartbeatAnswer struct {
	Known   bool   `json:"known"`             // false: the worker must join again
	Refused string `json:"refused,omitempty"` // the worker must end, for this reason
}

// taskOf returns some pairs of a batch as a task. refs are the names of all contestants in messages.
func taskOf(b *selfplay.Batch, refs []string, indices []int) *task {
	t := &task{Rule: b.Rule.String(), Size: b.Size, Nodes: b.Nodes, PlayOut: b.PlayOut, Search: b.Search}
	place := map[int]int{}
	local := func(contestant int) int {
		i, ok := place[contestant]
		if !ok {
			i = len(t.Players)
			place[contestant] = i
			t.Players = append(t.Players, refs[contestant])
		}
		return i
	}
	for _, i := range indices {
		p := &b.Pairings[i]
		t.Pairs = append(t.Pairs, pair{i, local(p.A), local(p.B), board.FormatMoves(p.Opening), p.Seed})
	}
	return t
}

// check returns an error for a message with more than a task has. In the ledger a whole batch has the form of a task.
func (t *task) check() error {
	if len(t.Pairs) > mostPairs || len(t.Players) > 2*mostPairs {
		return fmt.Errorf("%d pairs of %d players, more than a task has", len(t.Pairs), len(t.Players))
	}
	return nil
}

// unpack returns the task as a batch; its players are missing.
func (t *task) unpack() (*selfplay.Batch, error) {
	rule, err := pattern.ParseRule(t.Rule)
	if err != nil {
		return nil, err
	}
	b := &selfplay.Batch{Rule: rule, Size: t.Size, Nodes: t.Nodes, PlayOut: t.PlayOut, Search: t.Search}
	for _, p := range t.Pairs {
		moves, err := board.ParseMoves(p.Opening)
		if err != nil {
			return nil, err
		}
		b.Pairings = append(b.Pairings, selfplay.Pairing{A: p.A, B: p.B, Opening: moves, Seed: p.Seed})
	}
	return b, nil
}

// send encodes a result of the batch for a message.
func send(index int, r *selfplay.Result, b *selfplay.Batch) played {
	games := r.Games[:]
	if b.Search {
		games = games[:1]
	}
	return played{index, sendGames(games), sendGames(r.Discarded)}
}

func sendGames(games []selfplay.Game) []game {
	var list []game
	for i := range games {
		g := &games[i]
		sent := game{Outcome: g.Outcome, Moves: board.FormatMoves(g.Moves), Adjudicated: g.Adjudicated, Nodes: g.Nodes, Score: g.Score, Faulty: g.Faulty}
		if g.Fault != nil {
			sent.Fault, sent.Kind = g.Fault.Error(), selfplay.FaultKind(g.Fault)
		}
		list = append(list, sent)
	}
	return list
}

// receive decodes the result of a pairing and replays its games. It refuses games that break the rules. Whether
// the engine would play these moves is checked by audits. The board must have the batch's size and rule; its
// position is overwritten.
func receive(p *played, b *selfplay.Batch, position *board.Board) (selfplay.Result, error) {
	var r selfplay.Result
	pairing := &b.Pairings[p.Index]
	var err error
	if b.Search {
		if len(p.Games) != 1 || len(p.Discarded) != 0 {
			return r, fmt.Errorf("has %d and %d games, not 1 and 0", len(p.Games), len(p.Discarded))
		}
		r.Games[0], err = p.Games[0].search(position, pairing.Opening, b.Nodes+mostOvershoot)
		return r, err
	}
	if len(p.Games) != len(r.Games) || len(p.Discarded) != 0 && len(p.Discarded) != len(r.Games) {
		return r, fmt.Errorf("has %d and %d games, not 2 and 0 or 2", len(p.Games), len(p.Discarded))
	}
	most := int64(math.MaxInt64) // some baselines have limits of their own kind
	if b.Contestants[pairing.A].Weights != nil && b.Contestants[pairing.B].Weights != nil {
		most = b.Nodes + mostOvershoot
	}
	for i, sent := range slices.Concat(p.Games, p.Discarded) {
		g, err := sent.replay(position, pairing.Opening, most)
		if err != nil {
			return r, fmt.Errorf("game %d: %w", i, err)
		}
		faulty := &b.Contestants[pairing.A]
		if !g.FaultOfA(i % len(r.Games)) {
			faulty = &b.Contestants[pairing.B]
		}
		failed := g.Fault != nil && sent.Kind != selfplay.FaultForbidden
		loses := selfplay.FaultCause(sent.Kind) != sent.Kind // by a failure in the second attempt
		switch {
		case b.PlayOut && g.Adjudicated:
			return r, fmt.Errorf("game %d: it ended early, and was to be played out", i)
		case g.Fault != nil && faulty.Weights != nil:
			return r, fmt.Errorf("game %d: its fault is of weights, which never fail", i)
		case failed && strings.HasPrefix(faulty.Remote, baseline.Prefix):
			return r, fmt.Errorf("game %d: its fault is of a baseline, which loses by a forbidden move only", i)
		case failed && faulty.Liable && loses != (i < len(r.Games)):
			return r, fmt.Errorf("game %d: its fault is %.40q, and a failure of its player counts as a loss in the second attempt, there alone", i, sent.Kind)
		case i < len(r.Games):
			r.Games[i] = g
		default:
			r.Discarded = append(r.Discarded, g)
		}
	}
	if len(r.Discarded) > 0 && !(&selfplay.Result{Games: [2]selfplay.Game(r.Discarded)}).Void() {
		return r, errors.New("was played once more, and nobody had failed")
	}
	return r, nil
}

// mostOvershoot is more than the nodes that a search makes beyond its limit.
const mostOvershoot = 1 << 10

// moved plays the game's moves, which begin with the opening, on the board. The last move is forbidden where that is
// the game's fault, and nowhere else. most bounds the nodes of a move.
func (g *game) moved(b *board.Board, opening []board.Cell, most int64) ([]board.Cell, error) {
	moves, err := board.ParseMoves(g.Moves)
	if err != nil {
		return nil, err
	}
	if len(moves) < len(opening) || !slices.Equal(moves[:len(opening)], opening) {
		return nil, fmt.Errorf("%.40s does not begin with its opening", g.Moves)
	}
	if n := len(moves) - len(opening); g.Nodes < 0 || g.Nodes > 0 && (n == 0 || g.Nodes/int64(n) > most) {
		return nil, fmt.Errorf("has %d nodes for %d moves of at most %d", g.Nodes, n, most)
	}
	b.Reset()
	foul := false
	for i, m := range moves {
		err := b.Legal(m)
		foul = errors.Is(err, board.ErrForbidden) && i >= len(opening) && i == len(moves)-1
		if err != nil && !foul {
			return nil, err
		}
		b.Play(m)
	}
	if foul != (g.Kind == selfplay.FaultForbidden) {
		return nil, fmt.Errorf("fault %.40q does not fit the last move of %.40s", g.Kind, g.Moves)
	}
	return moves, nil
}

// search returns what a search found.
func (g *game) search(b *board.Board, opening []board.Cell, most int64) (selfplay.Game, error) {
	moves, err := g.moved(b, opening, most)
	if err != nil {
		return selfplay.Game{}, err
	}
	found := selfplay.Game{Moves: moves, Score: g.Score, Nodes: g.Nodes}
	if *g != (game{Moves: g.Moves, Score: g.Score, Nodes: g.Nodes}) || len(moves) != len(opening)+1 {
		return found, fmt.Errorf("%.40s is not a move after its opening, or more than a search finds", g.Moves)
	}
	return found, nil
}

// replay plays the game's moves on the board and returns it.
func (g *game) replay(b *board.Board, opening []board.Cell, most int64) (selfplay.Game, error) {
	moves, err := g.moved(b, opening, most)
	if err != nil {
		return selfplay.Game{}, err
	}
	end, foul := b.Outcome(), g.Kind == selfplay.FaultForbidden
	switch {
	case g.Score != 0:
		return selfplay.Game{}, fmt.Errorf("has score %d, and is a game", g.Score)
	case g.Outcome <= board.Ongoing || g.Outcome > board.Draw || g.Faulty > board.White:
		return selfplay.Game{}, fmt.Errorf("outcome %d or side %d out of bounds", g.Outcome, g.Faulty)
	case g.Fault == "" && !g.Adjudicated && end != g.Outcome:
		return selfplay.Game{}, fmt.Errorf("is given as %v, but the board says %v", g.Outcome, end)
	case (g.Fault != "" || g.Adjudicated) && end != board.Ongoing && !foul: // a foul may fill the board
		return selfplay.Game{}, fmt.Errorf("ended early, but the board says %v", end)
	case g.Adjudicated && g.Outcome != board.Draw && len(moves) == len(opening):
		return selfplay.Game{}, errors.New("is won by a proof, and has no move after its opening")
	case g.Adjudicated && g.Outcome == board.Draw && !selfplay.Hopeless(b):
		return selfplay.Game{}, errors.New("is given as a draw, but a five is still possible")
	case g.Fault == "" && (g.Kind != "" || g.Faulty != 0):
		return selfplay.Game{}, fmt.Errorf("names the kind %.40q or a side, and has no fault", g.Kind)
	case g.Fault != "" && (g.Adjudicated || g.Outcome != board.WinFor(g.Faulty.Other()) || !isFaultKind(g.Kind) || foul && g.Faulty != board.Black):
		return selfplay.Game{}, fmt.Errorf("fault %.40q of %v does not end a game as %v", g.Kind, g.Faulty, g.Outcome)
	}
	result := selfplay.Game{Outcome: g.Outcome, Moves: moves, Adjudicated: g.Adjudicated, Nodes: g.Nodes, Faulty: g.Faulty}
	if g.Fault != "" {
		result.Fault = &selfplay.Fault{Kind: g.Kind, Text: text.Short(g.Fault, mostFault)}
	}
	return result, nil
}

// mostFault bounds the text of a fault, in bytes. It leaves the faults of our own programs whole.
const mostFault = 4096

// isFaultKind reports whether a player of ours can fail in a way with that name.
func isFaultKind(kind string) bool {
	return kind == selfplay.FaultForbidden || gomocup.IsFaultKind(selfplay.FaultCause(kind))
}

// digest is a hash of a result. Equal digests stand for results that agree in every bit of the games that count.
type digest uint64

// digestOf hashes a pair as it is sent, without its index in the batch, the texts of its faults and the games that were played
// before it was played once more. The texts hold what an engine wrote as it crashed, such as the id of its process.
func digestOf(p *played) digest {
	data, err := json.Marshal(played{Games: withoutTexts(p.Games)})
	if err != nil {
		panic(fmt.Sprintf("cluster: a result does not encode: %v", err)) // the result holds strings and numbers only
	}
	sum := sha256.Sum256(data)
	return digest(binary.BigEndian.Uint64(sum[:]))
}

// withoutTexts returns the games without the texts of their faults.
func withoutTexts(games []game) []game {
	games = slices.Clone(games)
	for i := range games {
		games[i].Fault = ""
	}
	return games
}
