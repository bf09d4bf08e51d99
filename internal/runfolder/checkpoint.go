package runfolder

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"quintune/internal/run"
	"quintune/internal/strictjson"
)

// checkpointFormat is the format of checkpoints.
const checkpointFormat = "quintune.checkpoint/1"

// MaxCheckpoint bounds a checkpoint and what is packed in it, bytes.
const MaxCheckpoint = 64 << 20

// checkpoint is a run without its games, with which another machine can continue. It has a summary for people;
// everything else is packed, because openings and their counts are bulky.
type checkpoint struct {
	Format      string `json:"format"`
	Name        string `json:"name"`
	Run         string `json:"run"`
	Engine      string `json:"engine"`
	Schema      string `json:"schema"`
	Start       string `json:"start"`
	Seed        uint64 `json:"seed"`
	Generations int    `json:"generations"`
	Games       int    `json:"games"`
	Budget      int    `json:"budget"`
	Done        bool   `json:"done"`
	Sum         string `json:"sum"`  // SHA-256 of the packed JSON, hexadecimal
	Data        string `json:"data"` // the packed JSON, compressed with gzip, in base64
}

// Checkpoint is what is packed in a checkpoint.
type Checkpoint struct {
	Name      string          `json:"-"` // of the run where it was exported
	Record    run.Record      `json:"record"`
	State     run.State       `json:"state"`
	Candidate json.RawMessage `json:"candidate"` // weights file of what the run recommends
}

// Checkpoint returns a stored run without its games as a file for ReadCheckpoint. Equal states give equal bytes. Pairs
// of the open step are not included; they are played again.
func (r *Runs) Checkpoint(s *Stored) ([]byte, error) {
	best, err := r.Recommended(s)
	if err != nil {
		return nil, err
	}
	file, err := best.Marshal()
	if err != nil {
		return nil, err
	}
	packed := Checkpoint{s.Row.Name, s.Record, s.State, file}
	text, err := packed.pack(s.Row.Hash)
	if err != nil {
		return nil, fmt.Errorf("runfolder: run %s: %w", s.Row.Name, err)
	}
	return text, nil
}

// pack returns the file of a checkpoint of the run with the hash.
func (c *Checkpoint) pack(hash string) ([]byte, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var zipped bytes.Buffer
	w, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	sum, outer := sha256.Sum256(data), c.summary()
	outer.Run, outer.Sum, outer.Data = hash, hex.EncodeToString(sum[:]), base64.StdEncoding.EncodeToString(zipped.Bytes())
	text, err := json.MarshalIndent(outer, "", "  ")
	return append(text, '\n'), err
}

// summary returns the summary for people. It has no Run, since a newer program may compute another one.
func (c *Checkpoint) summary() checkpoint {
	spec, state := &c.Record.Spec, &c.State
	return checkpoint{
		Format: checkpointFormat, Name: c.Name, Engine: spec.Engine, Schema: spec.Schema, Start: spec.StartName, Seed: spec.Seed,
		Generations: state.Generations, Games: state.Games, Budget: spec.Budget, Done: state.Done,
	}
}

// Import adds the run of a checkpoint under the name. It is held as by Create; the record and the state are those of
// the checkpoint. Where the same run is stored under the name and is as far or farther, that is held instead. Where
// the name is taken otherwise the error wraps fs.ErrExist.
func (r *Runs) Import(c *Checkpoint, name string) (*Folder, *Stored, error) {
	f, err := r.create(name, c.Record, &c.State, c.Candidate)
	if errors.Is(err, fs.ErrExist) {
		return r.holdAsFar(c, name)
	}
	if err != nil {
		return nil, nil, err
	}
	return f, &Stored{f.session.Run(), c.Record, c.State}, nil
}

// holdAsFar is Hold of the run of a checkpoint, which must be stored at least as far as there.
func (r *Runs) holdAsFar(c *Checkpoint, name string) (*Folder, *Stored, error) {
	f, s, err := r.Hold(name)
	if err != nil {
		return nil, nil, err
	}
	id, err := s.Record.Spec.ID()
	want, otherErr := c.Record.Spec.ID()
	if err = errors.Join(err, otherErr); err == nil && (id != want || s.State.Games < c.State.Games) {
		err = fmt.Errorf("runfolder: the stored run %s is another than that of the checkpoint, or not as far: %w", name, fs.ErrExist)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Release())
	}
	return f, s, nil
}

// ReadCheckpoint reads what Runs.Checkpoint wrote. Errors name what is wrong.
func ReadCheckpoint(data []byte) (*Checkpoint, error) {
	c, err := readCheckpoint(data)
	if err != nil {
		return nil, fmt.Errorf("runfolder: checkpoint: %w", err)
	}
	return c, nil
}

func readCheckpoint(data []byte) (*Checkpoint, error) {
	var c checkpoint
	if len(data) > MaxCheckpoint {
		return nil, fmt.Errorf("%d bytes, more than %d", len(data), MaxCheckpoint)
	}
	if err := strictjson.Decode(data, &c); err != nil {
		var other struct{ Format string }
		if json.Unmarshal(data, &other) != nil || other.Format == "" || other.Format == checkpointFormat {
			return nil, err
		}
		c.Format = other.Format // a file of another kind, such as weights, has other keys
	}
	if c.Format != checkpointFormat {
		return nil, fmt.Errorf("format %.40q, not %q", c.Format, checkpointFormat)
	}
	zipped, err := base64.StdEncoding.DecodeString(c.Data)
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	unzip, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(unzip, MaxCheckpoint+1))
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	if sum := sha256.Sum256(text); len(text) > MaxCheckpoint || hex.EncodeToString(sum[:]) != c.Sum {
		return nil, errors.New("data: the sum is wrong: the file is damaged")
	}
	p := &Checkpoint{Name: c.Name}
	if err := strictjson.Decode(text, p); err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	if c.Run, c.Sum, c.Data = "", "", ""; c != p.summary() {
		return nil, errors.New("the summary is not that of the data, which alone counts: it was changed")
	}
	if text := string(p.Candidate); text == "" || text == "null" {
		return nil, errors.New("data: candidate is missing")
	}
	return p, p.Record.CheckFormat()
}
