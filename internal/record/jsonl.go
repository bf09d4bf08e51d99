package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quintune/board"
	"quintune/internal/strictjson"
	"quintune/internal/text"
	"quintune/pattern"
)

// jsonFormat is the format number that every line carries.
const jsonFormat = "quintune.game/1"

// jsonGame is one line.
type jsonGame struct {
	Format  string     `json:"format"`
	Size    int        `json:"size"`
	Rule    string     `json:"rule"`
	Black   string     `json:"black,omitempty"`
	White   string     `json:"white,omitempty"`
	Event   string     `json:"event,omitempty"`
	Result  string     `json:"result"` // black, white, draw, or "" for none
	Reason  string     `json:"reason,omitempty"`
	Moves   string     `json:"moves"` // pos notation
	Opening int        `json:"opening,omitempty"`
	Millis  []int64    `json:"ms,omitempty"` // one a move
	Notes   []jsonNote `json:"notes,omitempty"`
}

// jsonNote is what is known of one move beside its time.
type jsonNote struct {
	Ply     int    `json:"ply"` // number of the move, from 1; rising
	Score   *int32 `json:"score,omitempty"`
	Win     int    `json:"win,omitempty"`
	Comment string `json:"comment,omitempty"`
}

func writeJSON(to *bytes.Buffer, g *Game) error {
	j := jsonGame{
		Format: jsonFormat, Size: g.Size, Rule: g.Rule.String(),
		Black: text.Line(g.Players[board.Black], MaxName), White: text.Line(g.Players[board.White], MaxName), Event: text.Line(g.Event, MaxName),
		Result: outcomeNames[g.Outcome], Reason: string(g.Reason),
		Moves: board.FormatMoves(g.Cells()), Opening: g.Opening,
	}
	timed := slices.ContainsFunc(g.Moves, func(m Move) bool { return m.Time.Milliseconds() > 0 })
	for i, m := range g.Moves {
		if timed {
			j.Millis = append(j.Millis, m.Time.Milliseconds())
		}
		note := jsonNote{i + 1, m.Score, m.Win, text.Lines(m.Comment, MaxComment)}
		if note != (jsonNote{Ply: i + 1}) {
			j.Notes = append(j.Notes, note)
		}
	}
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	to.Write(append(data, '\n'))
	return nil
}

func readJSON(data []byte, _ Conditions) ([]Game, error) {
	if lines := bytes.Count(bytes.TrimSpace(data), []byte("\n")) + 1; lines > MaxGames {
		return nil, fmt.Errorf("there are %d lines, more than %d", lines, MaxGames)
	}
	var games []Game
	for i, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		g, err := parseJSON(line)
		if err != nil {
			return nil, atLine(i+1, err)
		}
		games = append(games, *g)
	}
	return games, nil
}

// parseJSON reads one line.
func parseJSON(line []byte) (*Game, error) {
	var j jsonGame
	if err := strictjson.Decode(line, &j); err != nil {
		return nil, err
	}
	g, err := j.game()
	if err != nil {
		return nil, err
	}
	return g, g.settle()
}

// game returns the game of a line, not replayed yet.
func (j *jsonGame) game() (*Game, error) {
	if j.Format != jsonFormat {
		return nil, fmt.Errorf("format is %.40q, not %q", j.Format, jsonFormat)
	}
	if j.Size < board.MinSize || j.Size > board.MaxSize {
		return nil, fmt.Errorf("size is %d, outside [%d, %d]", j.Size, board.MinSize, board.MaxSize)
	}
	g := &Game{Size: j.Size, Event: text.Line(j.Event, MaxName)}
	g.Players = [2]string{text.Line(j.Black, MaxName), text.Line(j.White, MaxName)}
	var err error
	if g.Rule, err = pattern.ParseRule(j.Rule); err != nil {
		return nil, fmt.Errorf("rule: %w", err)
	}
	outcome := slices.Index(outcomeNames[:], j.Result)
	if outcome < 0 {
		return nil, fmt.Errorf("result is %.20q, none of black, white, draw and nothing", j.Result)
	}
	g.Outcome = board.Outcome(outcome)
	var ok bool
	if g.Reason, ok = reasonOf(j.Reason); !ok {
		return nil, fmt.Errorf("reason is %.40q, which is none that is known", j.Reason)
	}
	cells, err := board.ParseMoves(j.Moves)
	if err != nil {
		return nil, fmt.Errorf("moves: %w", err)
	}
	for _, c := range cells {
		g.Moves = append(g.Moves, Move{Cell: c})
	}
	return g, j.annotate(g)
}

// annotate adds opening, times and notes to the moves.
func (j *jsonGame) annotate(g *Game) error {
	n := len(g.Moves)
	if j.Opening < 0 || j.Opening > n {
		return fmt.Errorf("opening is %d, outside [0, %d]", j.Opening, n)
	}
	g.Opening = j.Opening
	if j.Millis != nil && len(j.Millis) != n {
		return fmt.Errorf("ms has %d numbers, one for each of %d moves is wanted", len(j.Millis), n)
	}
	for i, ms := range j.Millis {
		if ms < 0 || ms > maxMillis {
			return fmt.Errorf("ms of move %d is %d, outside [0, %d]", i+1, ms, int64(maxMillis))
		}
		g.Moves[i].Time = time.Duration(ms) * time.Millisecond
	}
	last := 0
	for _, note := range j.Notes {
		if note.Ply <= last || note.Ply > n {
			return fmt.Errorf("ply of a note is %d, outside [%d, %d]", note.Ply, last+1, n)
		}
		if note.Win < -maxWin || note.Win > maxWin {
			return fmt.Errorf("win of move %d is %d, outside [%d, %d]", note.Ply, note.Win, -maxWin, maxWin)
		}
		last = note.Ply
		m := &g.Moves[note.Ply-1]
		m.Score, m.Win, m.Comment = note.Score, note.Win, text.Lines(note.Comment, MaxComment)
	}
	return nil
}
