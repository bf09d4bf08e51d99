package play

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"quintune/board"
	"quintune/internal/record"
	"quintune/internal/session"
	"quintune/pattern"
)

// importRecord begins a game from a record in the body: psq, SGF or any other format that record.Detect
// recognises. The query gives the size and rule for formats that lack them, by default 15 and freestyle. It also
// gives the file name, whose ending decides where the text does not. Of a file with several games the first
// maxImports are read. A foul that ended a game is left out, since a game on the page ends on the board alone. A board drawn
// as text is accepted too.
func (s *Server) importRecord(w http.ResponseWriter, r *http.Request) error {
	conditions, err := conditionsOf(r)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return badBody(err)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return refusef(http.StatusBadRequest, "the record is empty")
	}
	if size, black, white, ok := session.ReadDiagram(string(data)); ok {
		return s.importDiagram(w, size, conditions.Rule, black, white)
	}
	written, err := record.ParseFile(cmp.Or(r.URL.Query().Get("file"), "the record"), data, conditions)
	if err != nil {
		return refuse(http.StatusBadRequest, err)
	}
	kept := written[:min(len(written), maxImports)]
	games, fouls := make([]*session.Game, len(kept)), make([]string, len(kept))
	for i := range kept {
		if legal := kept[i].LegalMoves(); legal < len(kept[i].Moves) {
			fouls[i], kept[i].Moves = kept[i].Moves[legal].Cell.String(), kept[i].Moves[:legal]
		}
		if games[i], err = session.FromRecord(s.games.next(), &kept[i]); err != nil {
			return refuse(http.StatusBadRequest, err)
		}
	}
	views := make([]gameView, len(games))
	for i, game := range games {
		views[i] = s.host(game)
		views[i].Tree, views[i].Fouled = treeOf(&kept[i]), fouls[i]
	}
	v := importView{gameView: views[0], Left: len(written) - len(kept), Further: views[1:]}
	return send(w, http.StatusCreated, v)
}

// importDiagram begins a game from the stones of a board drawn as text.
func (s *Server) importDiagram(w http.ResponseWriter, size int, rule pattern.Rule, black, white []board.Cell) error {
	moves, err := record.Arrange(size, rule, black, white)
	if err != nil {
		return refuse(http.StatusUnprocessableEntity, err)
	}
	game, err := session.New(s.games.next(), size, rule)
	if err == nil {
		err = game.Load(moves)
	}
	if err != nil {
		return refuse(http.StatusUnprocessableEntity, err)
	}
	return send(w, http.StatusCreated, importView{gameView: s.host(game), Further: []gameView{}})
}

// maxImports bounds the games that are read from one file.
const maxImports = 16

// importView is the first game of a record, with the others.
type importView struct {
	gameView
	Further []gameView `json:"further"`
	Left    int        `json:"left"` // games of the file that were not read
}

// conditionsOf reads the size and the rule from the query of an import.
func conditionsOf(r *http.Request) (record.Conditions, error) {
	c := record.DefaultConditions()
	query := r.URL.Query()
	if text := query.Get("size"); text != "" {
		size, err := strconv.Atoi(text)
		if err != nil || size < board.MinSize || size > board.MaxSize {
			return c, refusef(http.StatusBadRequest, "size is %.20q, outside [%d, %d]", text, board.MinSize, board.MaxSize)
		}
		c.Size = size
	}
	if text := query.Get("rule"); text != "" {
		rule, err := pattern.ParseRule(text)
		if err != nil {
			return c, refuse(http.StatusBadRequest, err)
		}
		c.Rule = rule
	}
	return c, nil
}

// exportRecord sends the game as a file in the format that the query names.
func (s *Server) exportRecord(h *hosted, w http.ResponseWriter, r *http.Request) error {
	return sendRecord(w, h.record(), r.URL.Query().Get("format"))
}

// record returns the game as a record.
func (h *hosted) record() *record.Game {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.game.Record()
}

// treeRequest asks for a game with the variations that the page keeps.
type treeRequest struct {
	Format string          `json:"format"`
	Tree   json.RawMessage `json:"tree"`
}

// exportTree sends the game with its variations. The main line of the tree is that of the game.
func (s *Server) exportTree(h *hosted, w http.ResponseWriter, r *http.Request) error {
	var want treeRequest
	if err := receive(r, &want); err != nil {
		return err
	}
	game := h.record()
	if err := readTree(game, want.Tree); err != nil {
		return refuse(http.StatusUnprocessableEntity, err)
	}
	h.mu.Lock()
	h.game.Annotate(game)
	h.mu.Unlock()
	return sendRecord(w, game, want.Format)
}

// sendRecord sends a game as a file in the format.
func sendRecord(w http.ResponseWriter, game *record.Game, name string) error {
	format, err := record.ParseFormat(name)
	if err != nil || !format.Writable() {
		return refusef(http.StatusBadRequest, "format is %.20q, not one of %v", name, record.FormatNames())
	}
	var text bytes.Buffer
	if err := record.Write(&text, format, game); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="quintune_%v%s"`, game.Rule, format.Ending()))
	_, err = text.WriteTo(w)
	return err
}
