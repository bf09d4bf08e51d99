package tui

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintune/board"
	"quintune/internal/session"
	"quintune/pattern"
	"quintune/search"
)

// field is one choice of the dialog.
type field struct {
	name    string
	options []string
	at      int
}

func (f *field) chosen() string { return f.options[f.at] }

// turn goes to another option, round the ends.
func (f *field) turn(step int) { f.at = (f.at + step + len(f.options)) % len(f.options) }

// The fields of the dialog, by [index].
const (
	fieldRule = iota
	fieldSize
	fieldOpening
	fieldColour
	fieldOpponent
	fieldStrength
	fieldLevel
	fieldNodes
	fieldTime
	numFields
)

// Openings.
const (
	openFree  = "free"
	openSwap2 = "swap2"
)

// Sides that a person takes.
const (
	sideBoth = "both"
	sideNone = "neither"
)

// Kinds of strength.
const (
	byLevel = "level"
	byNodes = "nodes"
	byTime  = "time"
)

// open shows the dialog with what is played now.
func (m *model) open() tea.Cmd {
	if !m.wantsPanel() {
		return nil
	}
	b := m.Game.Board()
	d := &dialog{}
	rules := make([]string, pattern.NumRules)
	for i := range rules {
		rules[i] = pattern.Rule(i).String()
	}
	var sizes []string
	for size := board.MinSize; size <= board.MaxSize; size++ {
		sizes = append(sizes, strconv.Itoa(size))
	}
	names := make([]string, len(m.Choices))
	for i, c := range m.Choices {
		names[i] = c.Name
	}
	d.fields[fieldRule] = newField("rule", rules, b.Rule().String())
	d.fields[fieldSize] = newField("size", sizes, strconv.Itoa(b.Size()))
	d.fields[fieldOpening] = newField("opening", []string{openFree, openSwap2}, openFree)
	d.fields[fieldColour] = newField("you play", []string{"black", "white", sideBoth, sideNone}, m.sides())
	d.fields[fieldOpponent] = newField("weights", names, m.opponentName())
	m.strengthFields(d)
	m.dialog = d
	m.stop()
	return nil
}

// strengthFields fills in the strength of the opponent.
func (m *model) strengthFields(d *dialog) {
	s := m.strength()
	levels := make([]string, search.MaxLevel)
	for i := range levels {
		levels[i] = strconv.Itoa(i + 1)
	}
	kind := byTime
	switch {
	case s.Level > 0 && s.Level < search.MaxLevel:
		kind = byLevel
	case s.Nodes > 0:
		kind = byNodes
	}
	nodes := strconv.FormatInt(cmp.Or(s.Nodes, 10_000), 10)
	d.fields[fieldStrength] = newField("strength by", []string{byLevel, byNodes, byTime}, kind)
	d.fields[fieldLevel] = newField("level", levels, strconv.Itoa(int(max(s.Level, 1))))
	d.fields[fieldNodes] = newField("nodes", []string{"100", "1000", "10000", "100000", "1000000", "10000000"}, nodes)
	d.fields[fieldTime] = newField("time", []string{"100ms", "300ms", "1s", "3s", "10s", "30s", "1m0s"}, s.Limits().Time.String())
}

// newField returns a field that shows the option, which is added to the options if it is not one of them.
func newField(name string, options []string, at string) field {
	i := slices.Index(options, at)
	if i < 0 {
		options, i = append([]string{at}, options...), 0
	}
	return field{name, options, i}
}

// sides returns which side people play.
func (m *model) sides() string {
	black, white := m.Game.Seats[board.Black].Person(), m.Game.Seats[board.White].Person()
	switch {
	case black && white:
		return sideBoth
	case black:
		return "black"
	case white:
		return "white"
	}
	return sideNone
}

// engineSeat returns the seat of an engine, of a person where none plays.
func (m *model) engineSeat() session.Seat {
	for _, seat := range m.Game.Seats {
		if !seat.Person() {
			return seat
		}
	}
	return session.Seat{}
}

func (m *model) strength() session.Strength {
	if seat := m.engineSeat(); !seat.Person() {
		return seat.Strength
	}
	return m.Advice
}

func (m *model) opponentName() string {
	seat := m.engineSeat()
	for _, c := range m.Choices {
		if !seat.Person() && c.Player == seat.Player.Chosen() {
			return c.Name
		}
	}
	return m.Choices[0].Name
}

// game returns the game of the choices.
func (d *dialog) game(m *model) (*session.Game, error) {
	rule, err := pattern.ParseRule(d.fields[fieldRule].chosen())
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(d.fields[fieldSize].chosen())
	if err != nil {
		return nil, err
	}
	g, err := session.New(m.Game.ID+1<<32, size, rule)
	if err != nil {
		return nil, err
	}
	engine := session.Seat{Player: m.Choices[d.fields[fieldOpponent].at].Player}
	if engine.Strength, err = d.strength(); err != nil {
		return nil, err
	}
	if side := d.fields[fieldColour].chosen(); side != sideBoth {
		if engine, err = engine.OnBoard(size, rule); err != nil {
			return nil, err
		}
		for colour := range g.Seats {
			if board.Colour(colour).String() != side {
				g.Seats[colour] = engine
			}
		}
	}
	if d.fields[fieldOpening].chosen() == openSwap2 {
		return g, g.BeginSwap2()
	}
	return g, nil
}

// strength returns what the fields say.
func (d *dialog) strength() (s session.Strength, err error) {
	switch d.fields[fieldStrength].chosen() {
	case byLevel:
		s.Level = search.Level(d.fields[fieldLevel].at + 1)
	case byNodes:
		s.Nodes, err = strconv.ParseInt(d.fields[fieldNodes].chosen(), 10, 64)
	default:
		s.Time, err = time.ParseDuration(d.fields[fieldTime].chosen())
	}
	return s, err
}
