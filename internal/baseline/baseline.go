// Package baseline has the Gomoku programs of the literature as opponents. Each plays as its author describes
// it. They show the strength of our engine relative to published programs, and are opponents for beginners.
//
// Each file has one system and names its source. None of the systems claims wins, because what they find is not
// a proof.
package baseline

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"quintune/board"
	"quintune/pattern"
	"quintune/selfplay"
)

// system is one program of the literature.
type system interface {
	// newGame forgets the last game. All random choices of the system come from rng.
	newGame(rng *rand.Rand)
	// choose returns a legal move in an ongoing game. The system may play on the position. When the budget is used up, it
	// returns the best move found so far.
	choose(position *board.Board, b *budget) board.Cell
}

// entry declares one system.
type entry struct {
	name    string
	rules   []pattern.Rule
	unit    string // what the limit counts, "" for a system that ignores it
	make    func(size int, rule pattern.Rule, s settings) system
	options []option
}

// freestyle is what the authors play: five or more in a row win.
func freestyle() []pattern.Rule { return []pattern.Rule{pattern.Freestyle} }

// rowRules are the rules by which nothing is forbidden and the length of a row alone decides.
func rowRules() []pattern.Rule { return []pattern.Rule{pattern.Freestyle, pattern.Standard} }

// anyRule is for a system that asks the board which moves are legal.
func anyRule() []pattern.Rule {
	rules := make([]pattern.Rule, pattern.NumRules)
	for i := range rules {
		rules[i] = pattern.Rule(i)
	}
	return rules
}

// entries lists the systems, in the order in which they were published.
func entries() []entry {
	return []entry{
		{"huang", freestyle(), "", newHuang, huangOptions()},
		{"zhang", freestyle(), "", newZhang, nil},
		{"finard", freestyle(), "visited nodes", newFinard, finardOptions()},
		{"shapes", freestyle(), "visited nodes", newShapes, shapesOptions()},
		{"sjtu-ga", freestyle(), "fitness evaluations", newSjtuGA, nil},
		{"sjtu-mcts", rowRules(), "play-outs", newSjtuMCTS, nil},
		{"sjtu-minimax", freestyle(), "visited nodes", newSjtuMinimax, nil},
		{"random", anyRule(), "", newRandom, nil},
	}
}

// Prefix begins the name of a system where a player is named: for people, on the page and in messages of a cluster.
const Prefix = "baseline:"

// Names returns the names that Open knows.
func Names() []string {
	var names []string
	for _, e := range entries() {
		names = append(names, e.name)
	}
	return names
}

// Unit returns what a system's node limit counts, such as "play-outs"; "" for a system that ignores
// the limit. The name is as for Open. The error lists the names, or says what is wrong with the options.
func Unit(name string) (string, error) {
	e, _, err := parse(name)
	return e.unit, err
}

func find(name string) (entry, error) {
	list := entries()
	i := slices.IndexFunc(list, func(e entry) bool { return e.name == name })
	if i < 0 {
		return entry{}, fmt.Errorf("baseline %.80q is not one of %s", name, strings.Join(Names(), ", "))
	}
	return list[i], nil
}

// CheckRule returns an error that names the rules of a system where it does not play the given one.
func CheckRule(name string, rule pattern.Rule) error {
	e, _, err := parse(name)
	if err != nil || slices.Contains(e.rules, rule) {
		return err
	}
	var played []string
	for _, r := range e.rules {
		played = append(played, r.String())
	}
	return fmt.Errorf("baseline %s does not play %v, only %s", name, rule, strings.Join(played, ", "))
}

// Open returns a player of the named system, behind whose name options may follow: huang?depth=4&candidates=20; see
// Help. nodes limits a move in the system's Unit; 0 sets none but the system's own end and the context. The error
// names an unknown system, or a rule, size or limit that the system does not have, and the possible ones.
//
// When the context of a Move ends, the player returns the best move that it knows beside the
// context's error.
func Open(name string, size int, rule pattern.Rule, nodes int64) (selfplay.Player, error) {
	e, values, err := parse(name)
	if err != nil {
		return nil, err
	}
	if err := CheckRule(name, rule); err != nil {
		return nil, err
	}
	if nodes < 0 {
		return nil, fmt.Errorf("baseline %s: the node limit is %d, less than 0", name, nodes)
	}
	own, err := board.New(size, rule)
	if err != nil {
		return nil, fmt.Errorf("baseline %s: %w", name, err)
	}
	if e.unit == "" {
		nodes = 0
	}
	p := &player{name: e.name, nodes: nodes, board: own, system: e.make(size, rule, values)}
	return p, p.NewGame(0)
}

// player makes a system a selfplay.Player.
type player struct {
	name   string
	nodes  int64
	board  *board.Board // a copy of the position, for the system to play on
	system system
}

// NewGame seeds the system's random choices.
func (p *player) NewGame(seed uint64) error {
	purpose := fnv.New64a()
	_, _ = purpose.Write([]byte("baseline " + p.name)) // writing to a hash never fails
	p.system.newGame(rand.New(rand.NewPCG(seed, purpose.Sum64())))
	return nil
}

// Move returns the system's move; see Open.
func (p *player) Move(ctx context.Context, position *board.Board) (selfplay.Reply, error) {
	none := selfplay.Reply{Move: board.NoCell}
	switch {
	case position.Size() != p.board.Size() || position.Rule() != p.board.Rule():
		return none, fmt.Errorf("baseline %s plays %v on size %d, not %v on size %d",
			p.name, p.board.Rule(), p.board.Size(), position.Rule(), position.Size())
	case position.Outcome() != board.Ongoing:
		return none, errors.New("baseline: the game is over")
	}
	p.board.CopyFrom(position)
	b := newBudget(ctx, p.nodes)
	move := p.system.choose(p.board, &b)
	return selfplay.Reply{Move: move, Nodes: b.used}, ctx.Err()
}
