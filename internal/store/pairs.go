package store

import (
	"database/sql"
	"fmt"
	"time"

	"quintune/board"
	"quintune/internal/match"
	"quintune/selfplay"
)

// finished is a pair that is to be committed.
type finished struct {
	batch   *batchRow
	index   int
	pairing selfplay.Pairing
	result  *selfplay.Result
}

// row returns the rows of the pair.
func (f *finished) row() pairRow {
	p := pairRow{
		batch: f.batch, index: f.index, a: f.pairing.A, b: f.pairing.B, opening: len(f.pairing.Opening),
		points: sql.NullInt64{Int64: int64(f.result.Points()), Valid: !f.result.Void()}, worker: f.result.Worker,
	}
	for i := range f.result.Games {
		p.games = append(p.games, newGameRow(len(p.games), f.batch.size, &f.result.Games[i]))
	}
	for i := range f.result.Discarded {
		p.games = append(p.games, newGameRow(len(p.games), f.batch.size, &f.result.Discarded[i]))
	}
	p.sum = sql.NullInt64{Int64: p.checksum(), Valid: true}
	return p
}

// record commits a finished pair, or leaves it for a commit within latest.
func (s *Session) record(f finished) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return s.failed
	}
	s.waiting = append(s.waiting, f)
	if s.pace.due() {
		return s.commit()
	}
	if s.timer == nil {
		s.timer = time.AfterFunc(latest, func() { _ = s.Flush() }) // the next record or Flush returns the error
	}
	return nil
}

// commit writes the waiting pairs. If this fails they are dropped, and the run must be resumed.
func (s *Session) commit() error {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if s.failed != nil || len(s.waiting) == 0 {
		return s.failed
	}
	start := time.Now()
	if s.failed = s.prepare(); s.failed != nil {
		return s.failed
	}
	s.failed = s.db.write("storing pairs of run "+s.run.Name, func(tx *sql.Tx) error { return s.putPairs(tx, s.waiting) })
	s.waiting = s.waiting[:0]
	s.pace.took(time.Since(start))
	return s.failed
}

// prepare compiles the statements of putPairs once, before the transaction that holds the only connection.
func (s *Session) prepare() (err error) {
	if s.insertGame != nil {
		return nil
	}
	s.insertPair, err = s.db.sql.Prepare("INSERT INTO pairs VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
	if err == nil {
		s.insertGame, err = s.db.sql.Prepare("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
	}
	return s.db.fault("storing pairs of run "+s.run.Name, err)
}

func (s *Session) putPairs(tx *sql.Tx, list []finished) error {
	pair, game := tx.Stmt(s.insertPair), tx.Stmt(s.insertGame)
	for i := range list {
		row := list[i].row()
		if err := row.put(pair, game); err != nil {
			return err
		}
	}
	return nil
}

func (p *pairRow) put(pair, game *sql.Stmt) error {
	if _, err := pair.Exec(p.batch.id, p.index, p.a, p.b, p.opening, p.points, p.worker, p.sum); err != nil {
		return err
	}
	for i := range p.games {
		g := &p.games[i]
		_, err := game.Exec(p.batch.id, p.index, g.number, g.result, g.plies, g.adjudicated, g.nodes, g.moves, g.kind, g.faulty, g.message)
		if err != nil {
			return err
		}
	}
	return nil
}

// Letters that stand for outcomes (indexed by board.Outcome) and for colours.
const (
	outcomeLetters = "-BWD"
	colourLetters  = "BW"
)

// gameRow is a row of games.
type gameRow struct {
	number                int
	result                string
	plies                 int
	adjudicated           bool
	nodes                 int64
	moves                 []byte
	kind, faulty, message sql.NullString
}

// newGameRow returns the row of a game on a board of a size.
func newGameRow(number, size int, g *selfplay.Game) gameRow {
	row := gameRow{
		number: number, result: outcomeLetters[g.Outcome : g.Outcome+1], plies: len(g.Moves), adjudicated: g.Adjudicated, nodes: g.Nodes,
		moves: encodeMoves(g.Moves, size),
	}
	if g.Fault != nil {
		row.kind = sql.NullString{String: selfplay.FaultKind(g.Fault), Valid: true}
		row.faulty = sql.NullString{String: colourLetters[g.Faulty : g.Faulty+1], Valid: true}
		row.message = sql.NullString{String: match.FaultText(g.Fault), Valid: true}
	}
	return row
}

// game returns the game of a row.
func (g *gameRow) game(size int) (game selfplay.Game, err error) {
	outcome := index(outcomeLetters, g.result)
	if outcome < 0 {
		return game, fmt.Errorf("game %d has the result %q", g.number, g.result)
	}
	game.Outcome, game.Adjudicated, game.Nodes = board.Outcome(outcome), g.adjudicated, g.nodes
	if g.kind.Valid {
		game.Fault = &selfplay.Fault{Kind: g.kind.String, Text: g.message.String}
		game.Faulty = board.Colour(max(0, index(colourLetters, g.faulty.String)))
	}
	game.Moves, err = decodeMoves(g.moves, size)
	return game, err
}

// index returns the position of a letter in letters, -1 where it is not there.
func index(letters, letter string) int {
	for i := range letters {
		if letters[i:i+1] == letter {
			return i
		}
	}
	return -1
}
