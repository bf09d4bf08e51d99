package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"quintune/internal/strictjson"
)

// handler answers a request, or returns an error: a refusal, or a failure of this program.
type handler func(w http.ResponseWriter, r *http.Request) error

// refusal is an error that the client caused.
type refusal struct {
	status int
	err    error
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// refuse marks an error as one that the client caused.
func refuse(status int, err error) error {
	if err == nil {
		return nil
	}
	return &refusal{status, err}
}

func refusef(status int, format string, args ...any) error {
	return &refusal{status, fmt.Errorf(format, args...)}
}

// answer converts errors to answers, or to the last line of a stream that has begun. A request that was cancelled gets
// none.
func (s *Server) answer(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := h(w, r)
		if err == nil || r.Context().Err() != nil {
			return
		}
		status := http.StatusInternalServerError
		var refused *refusal
		var tooLong *http.MaxBytesError
		switch {
		case errors.As(err, &tooLong):
			status, err = http.StatusRequestEntityTooLarge, fmt.Errorf("the request is longer than %d bytes", tooLong.Limit)
		case errors.As(err, &refused):
			status = refused.status
		default:
			s.config.Log.Error("play", "path", r.URL.Path, "error", err)
		}
		failure := map[string]string{"error": err.Error()}
		if w.Header().Get("Content-Type") == streamType {
			newStream(w).send(failure)
			return
		}
		if status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "1")
		}
		_ = send(w, status, failure) // nobody would receive the error
	}
}

// send writes an object as JSON.
func send(w http.ResponseWriter, status int, object any) error {
	data, err := json.Marshal(object)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err = w.Write(data)
	return err
}

// receive decodes the request's JSON object strictly.
func receive(r *http.Request, into any) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return refusef(http.StatusUnsupportedMediaType, "the request is not application/json")
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = strictjson.Decode(body, into)
	}
	if err != nil {
		return badBody(err)
	}
	return nil
}

// badBody refuses a body that could not be read.
func badBody(err error) error {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return err
	}
	return refusef(http.StatusBadRequest, "the request cannot be read: %w", err)
}

// stream writes objects as JSON lines and flushes each.
type stream struct {
	flush   func() error
	encoder *json.Encoder
}

const streamType = "application/x-ndjson"

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", streamType)
	return &stream{flush: http.NewResponseController(w).Flush, encoder: json.NewEncoder(w)}
}

// send writes one object. Errors are ignored: if the client has gone, the request's context ends.
func (s *stream) send(object any) {
	if s.encoder.Encode(object) == nil {
		_ = s.flush()
	}
}
