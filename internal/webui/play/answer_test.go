package play

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
)

// An error in the middle of a stream is its last line.
func TestErrorsEndStreams(t *testing.T) {
	s := &Server{config: Config{Log: slog.New(slog.DiscardHandler)}}
	w := httptest.NewRecorder()
	s.answer(func(w http.ResponseWriter, _ *http.Request) error {
		newStream(w).send(map[string]int{"left": 1})
		return errors.New("out of order")
	})(w, httptest.NewRequest(http.MethodPost, "/", nil))
	if got, want := w.Body.String(), "{\"left\":1}\n{\"error\":\"out of order\"}\n"; got != want || w.Header().Get("Content-Type") != streamType {
		t.Errorf("the stream is %q of type %s, want %q", got, w.Header().Get("Content-Type"), want)
	}
}
