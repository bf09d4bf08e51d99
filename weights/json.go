package weights

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"
)

const (
	// MaxFile bounds the size of a weights file, bytes.
	MaxFile = 1 << 20
	// maxDepth bounds the nesting of a weights file; the format has five levels.
	maxDepth = 8
)

// node is one JSON value as it stands in the file. encoding/json alone is not strict: it takes the
// last of duplicate keys, any case, and any length for an array.
type node struct {
	path     string     // key as errors name it
	token    json.Token // a scalar (string, json.Number, bool, nil), or the opening json.Delim
	keys     []string   // members of an object in the order of the file
	children []*node    // their values, or the elements of an array
}

// parser reads tokens and remembers where it is, so that every error can name a key.
type parser struct {
	dec *json.Decoder
	at  string
}

// parse reads exactly one JSON value.
func parse(data []byte) (*node, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("weights: the file has more than %d bytes", MaxFile)
	}
	if !utf8.Valid(data) {
		return nil, errors.New("weights: the file is not UTF-8")
	}
	p := &parser{dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	root, err := p.value("", 0)
	if err != nil {
		return nil, err
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return nil, errors.New("weights: more data follows the end of the object")
	}
	return root, nil
}

func (p *parser) value(path string, depth int) (*node, error) {
	p.at = path
	if depth > maxDepth {
		return nil, fmt.Errorf("weights: %s is nested deeper than %d levels", clip(path), maxDepth)
	}
	token, err := p.dec.Token()
	if err != nil {
		return nil, p.fail(err)
	}
	n := &node{path: path, token: token}
	switch token {
	case json.Delim('{'):
		return n, p.object(n, depth)
	case json.Delim('['):
		return n, p.array(n, depth)
	}
	return n, nil
}

func (p *parser) object(n *node, depth int) error {
	seen := make(map[string]bool)
	for p.dec.More() {
		token, err := p.dec.Token()
		if err != nil {
			return p.fail(err)
		}
		key := token.(string) // the decoder returns nothing else here
		if seen[key] {
			return fmt.Errorf("weights: %s occurs twice", quote(key))
		}
		seen[key] = true
		child, err := p.value(childPath(n.path, key), depth+1)
		if err != nil {
			return err
		}
		n.keys = append(n.keys, key)
		n.children = append(n.children, child)
	}
	return p.end()
}

func (p *parser) array(n *node, depth int) error {
	for p.dec.More() {
		child, err := p.value(fmt.Sprintf("%s[%d]", n.path, len(n.children)), depth+1)
		if err != nil {
			return err
		}
		n.children = append(n.children, child)
	}
	return p.end()
}

// end reads the closing bracket, which the decoder matches with the opening one.
func (p *parser) end() error {
	if _, err := p.dec.Token(); err != nil {
		return p.fail(err)
	}
	return nil
}

func (p *parser) fail(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errors.New("the file ends early")
	}
	if p.at == "" {
		return fmt.Errorf("weights: %w", err)
	}
	return fmt.Errorf("weights: at %s: %w", clip(p.at), err)
}

// childPath names a member: weights by their own key, which holds the group already.
func childPath(parent, key string) string {
	if parent == "" || parent == "weights" {
		return key
	}
	return parent + "." + key
}

// object returns the members of an object whose keys are among the known and include the required.
func (n *node) object(known, required []string) (map[string]*node, error) {
	if n.token != json.Delim('{') {
		return nil, fmt.Errorf("weights: %s is no object", n.name())
	}
	members := make(map[string]*node, len(n.keys))
	allowed := make(map[string]bool, len(known))
	for _, key := range known {
		allowed[key] = true
	}
	for i, key := range n.keys {
		if !allowed[key] {
			return nil, fmt.Errorf("weights: unknown key %s%s", quote(n.children[i].path), suggest(key, slices.Values(known)))
		}
		members[key] = n.children[i]
	}
	for _, key := range required {
		if members[key] == nil {
			return nil, fmt.Errorf("weights: %s is missing", childPath(n.path, key))
		}
	}
	return members, nil
}

func (n *node) name() string {
	if n.path == "" {
		return "the file"
	}
	return clip(n.path)
}

func (n *node) text() (string, error) {
	s, ok := n.token.(string)
	if !ok {
		return "", fmt.Errorf("weights: %s is no string", n.name())
	}
	return s, nil
}

// integer returns the value of a number written without fraction and exponent, in [low, high].
func (n *node) integer(low, high int64) (int64, error) {
	number, ok := n.token.(json.Number)
	if !ok {
		return 0, fmt.Errorf("weights: %s is no number in [%d, %d]", n.name(), low, high)
	}
	v, err := strconv.ParseInt(string(number), 10, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		return 0, fmt.Errorf("weights: %s is %s, no whole number in [%d, %d]", n.name(), clip(string(number)), low, high)
	}
	if err != nil || v < low || v > high {
		return 0, fmt.Errorf("weights: %s is %s, outside [%d, %d]", n.name(), clip(string(number)), low, high)
	}
	return v, nil
}
