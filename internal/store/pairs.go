package store

import (
	"database/sql"
	"fmt"
	"time"

	"quintune/board"
	"quintune/selfplay"
)

// finished is a pair to be committed.
type finished struct {
	batch   int64
	index   int
	size    int
	pairing selfplay.Pairing
	result  *selfplay.Result
}

// record commits a finished pair, or leaves it to a commit that comes within a second.
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
		s.timer = time.AfterFunc(latest, func() { _ = s.Flush() }) // who records or flushes next hears of an error
	}
	return nil
}

// commit writes the waiting pairs. After an error they wait no more: the run has to be resumed.
func (s *Session) commit() error {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if s.failed != nil || len(s.waiting) == 0 {
		return s.failed
	}
	start := time.Now()
	if s.inserts.game == nil {
		if s.inserts, s.failed = s.db.prepareInserts(); s.failed != nil {
			return s.failed
		}
	}
	s.failed = s.db.write("storing pairs of run "+s.run.Name, s.putPairs)
	s.waiting = s.waiting[:0]
	s.pace.took(time.Since(start))
	return s.failed
}

// inserts are the statements of putPairs, compiled once.
type inserts struct{ pair, game *sql.Stmt }

func (db *DB) prepareInserts() (i inserts, err error) {
	if i.pair, err = db.sql.Prepare("INSERT INTO pairs VALUES (?, ?, ?, ?, ?, ?, ?)"); err != nil {
		return i, err
	}
	i.game, err = db.sql.Prepare("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
	return i, err
}

func (s *Session) putPairs(tx *sql.Tx) error {
	pair, game := tx.Stmt(s.inserts.pair), tx.Stmt(s.inserts.game)
	for i := range s.waiting {
		if err := putPair(pair, game, &s.waiting[i]); err != nil {
			return err
		}
	}
	return nil
}

func putPair(pair, game *sql.Stmt, f *finished) error {
	points := sql.NullInt64{Int64: int64(f.result.Points()), Valid: !f.result.Void()}
	_, err := pair.Exec(f.batch, f.index, f.pairing.A, f.pairing.B, len(f.pairing.Opening), points, f.result.Worker)
	if err != nil {
		return err
	}
	for i := range f.result.Games {
		if err := putGame(game, f, i, &f.result.Games[i]); err != nil {
			return err
		}
	}
	for i := range f.result.Discarded {
		if err := putGame(game, f, len(f.result.Games)+i, &f.result.Discarded[i]); err != nil {
			return err
		}
	}
	return nil
}

func putGame(insert *sql.Stmt, f *finished, number int, g *selfplay.Game) error {
	var kind, faulty, message sql.NullString
	if g.Fault != nil {
		kind = sql.NullString{String: selfplay.FaultKind(g.Fault), Valid: true}
		faulty = sql.NullString{String: colourLetters[g.Faulty : g.Faulty+1], Valid: true}
		text := g.Fault.Error()
		message = sql.NullString{String: text[:min(len(text), mostMessage)], Valid: true}
	}
	_, err := insert.Exec(f.batch, f.index, number, outcomeLetters[g.Outcome:g.Outcome+1], len(g.Moves), g.Adjudicated, g.Nodes,
		encodeMoves(g.Moves, f.size), kind, faulty, message)
	return err
}

// mostMessage bounds the text of a fault, bytes: external engines may write anything.
const mostMessage = 300

// Letters of results by board.Outcome, and of colours.
const (
	outcomeLetters = "-BWD"
	colourLetters  = "BW"
)

// gameRow is a row of games as it is read.
type gameRow struct {
	number                int
	result                string
	moves                 []byte
	adjudicated           bool
	nodes                 int64
	kind, faulty, message sql.NullString
}

// gameColumns are those of gameRow's places.
const gameColumns = "game, result, moves, adjudicated, games.nodes, fault, faulty, message"

func (g *gameRow) places() []any {
	return []any{&g.number, &g.result, &g.moves, &g.adjudicated, &g.nodes, &g.kind, &g.faulty, &g.message}
}

// game returns the game of a row.
func (g *gameRow) game(size int) (game selfplay.Game, err error) {
	outcome := index(outcomeLetters, g.result)
	if outcome < 0 {
		return game, fmt.Errorf("%w: result %q of a game", ErrDamaged, g.result)
	}
	game.Outcome, game.Adjudicated, game.Nodes = board.Outcome(outcome), g.adjudicated, g.nodes
	if g.kind.Valid {
		game.Fault = &storedFault{g.kind.String, g.message.String}
		game.Faulty = board.Colour(max(0, index(colourLetters, g.faulty.String)))
	}
	if game.Moves, err = decodeMoves(g.moves, size); err != nil {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return game, err
}

// index returns where a letter stands in letters, -1 where it does not.
func index(letters, letter string) int {
	for i := range letters {
		if letters[i:i+1] == letter {
			return i
		}
	}
	return -1
}

// storedFault is a failure with the text that the error had.
type storedFault struct{ kind, text string }

func (f *storedFault) Error() string     { return f.text }
func (f *storedFault) FaultKind() string { return f.kind }
