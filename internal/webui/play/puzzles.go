package play

import (
	"bytes"
	_ "embed"
	"net/http"

	"quintune/internal/puzzle"
)

// ownPuzzles are the page's own puzzles, made by `tune puzzles` as docs/puzzles.md describes.
//
//go:embed puzzles.jsonl
var ownPuzzles []byte

// puzzleView is a puzzle with the data that the page needs to refuse moves.
type puzzleView struct {
	puzzle.Puzzle
	Forbidden map[string]string `json:"forbidden"` // reasons, by the cells that renju forbids to Black
}

// puzzles sends the page's own puzzles.
func (s *Server) puzzles(w http.ResponseWriter, _ *http.Request) error {
	list, err := puzzle.Read(bytes.NewReader(ownPuzzles))
	if err != nil {
		return err
	}
	return sendPuzzles(w, list)
}

// openPuzzles checks the puzzles of a file in the body and sends them back.
func (s *Server) openPuzzles(w http.ResponseWriter, r *http.Request) error {
	list, err := puzzle.Read(r.Body)
	if err != nil {
		return badBody(err)
	}
	if len(list) == 0 {
		return refusef(http.StatusBadRequest, "the file holds no puzzle")
	}
	return sendPuzzles(w, list)
}

func sendPuzzles(w http.ResponseWriter, list []puzzle.Puzzle) error {
	views := make([]puzzleView, len(list))
	for i := range list {
		b, err := list[i].Position()
		if err != nil {
			return err
		}
		views[i] = puzzleView{list[i], forbiddenCells(b)}
	}
	return send(w, http.StatusOK, map[string]any{"puzzles": views})
}
