package weights

import (
	"encoding/json"
	"fmt"
	"strconv"

	"quintune/pattern"
)

var (
	fileKeys     = []string{"format", "schema", "name", "rule", "size", "weights", "provenance"}
	requiredKeys = fileKeys[:len(fileKeys)-1] // a set without a history is whole
)

// Unmarshal reads a weights file. The order of the keys is free; nothing else is: data after the
// object, missing, unknown, duplicate and differently cased keys, and values that are no integers
// within their bounds are refused by name. A file of an older schema is upgraded to identical play.
func Unmarshal(data []byte) (*Set, error) { return current.unmarshal(data) }

func (sc *schema) unmarshal(data []byte) (*Set, error) {
	root, err := parse(data)
	if err != nil {
		return nil, err
	}
	if err := checkFormat(root); err != nil {
		return nil, err
	}
	members, err := root.object(fileKeys, requiredKeys)
	if err != nil {
		return nil, err
	}
	s, err := readHead(members)
	if err != nil {
		return nil, err
	}
	fingerprint, err := members["schema"].text()
	if err != nil {
		return nil, err
	}
	number, err := sc.numberOf(fingerprint)
	if err != nil {
		return nil, err
	}
	if s.Values, err = sc.readValues(members["weights"], number); err != nil {
		return nil, err
	}
	if s.Provenance, err = readProvenance(members["provenance"]); err != nil {
		return nil, err
	}
	return s, sc.check(s)
}

// checkFormat comes before everything else: a file of another format may have any keys.
func checkFormat(root *node) error {
	for i, key := range root.keys {
		if key != "format" {
			continue
		}
		format, err := root.children[i].text()
		if err == nil && format != Format {
			err = fmt.Errorf("weights: format is %s, not %q", quote(format), Format)
		}
		return err
	}
	return nil
}

func readHead(members map[string]*node) (*Set, error) {
	name, err := members["name"].text()
	if err != nil {
		return nil, err
	}
	ruleName, err := members["rule"].text()
	if err != nil {
		return nil, err
	}
	rule, err := pattern.ParseRule(clip(ruleName))
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	size, err := members["size"].integer(MinSize, MaxSize)
	if err != nil {
		return nil, err
	}
	return &Set{Name: name, Rule: rule, Size: int(size)}, nil
}

// readValues reads the weights of the schema with the given number; what came later gets the value
// that leaves the play as it was.
func (sc *schema) readValues(n *node, number int) ([]int32, error) {
	var expected []string
	for _, d := range sc.decls {
		if d.Since <= number {
			expected = append(expected, d.Name)
		}
	}
	members, err := n.object(expected, expected)
	if err != nil {
		return nil, err
	}
	values := make([]int32, len(sc.decls))
	for i, d := range sc.decls {
		if d.Since > number {
			values[i] = d.Neutral
			if d.Mirror != "" {
				values[i] = values[sc.index[d.Mirror]]
			}
			continue
		}
		v, err := members[d.Name].integer(int64(d.Min), int64(d.Max))
		if err != nil {
			return nil, err
		}
		values[i] = int32(v)
	}
	return values, nil
}

func readProvenance(n *node) (*Provenance, error) {
	if n == nil || n.token == nil {
		return nil, nil
	}
	p := new(Provenance)
	return p, readFields(n, p.fields())
}

func readFields(n *node, fields []field) error {
	var known, required []string
	for _, f := range fields {
		known = append(known, f.key)
		if !f.optional() {
			required = append(required, f.key)
		}
	}
	members, err := n.object(known, required)
	if err != nil {
		return err
	}
	for _, f := range fields {
		if members[f.key] == nil {
			continue
		}
		if err := readField(members[f.key], f.value); err != nil {
			return err
		}
	}
	return nil
}

func readField(n *node, value any) (err error) {
	switch v := value.(type) {
	case *string:
		*v, err = n.text()
	case *bool:
		var ok bool
		if *v, ok = n.token.(bool); !ok {
			err = fmt.Errorf("weights: %s is neither true nor false", n.name())
		}
	case *uint64:
		*v, err = n.unsigned()
	case *int64:
		*v, err = n.integer(0, maxCount)
	case *float64:
		*v, err = n.decimal()
	case *[5]int64:
		err = n.pentanomial(v)
	case **Validation:
		if n.token != nil {
			*v = new(Validation)
			err = readFields(n, (*v).fields())
		}
	case *[]Validation:
		*v, err = n.validations()
	default:
		panic(fmt.Sprintf("weights: a field of type %T cannot be read", value))
	}
	return err
}

// maxValidations is the most further validations of a file.
const maxValidations = 100

func (n *node) validations() ([]Validation, error) {
	if n.token != json.Delim('[') || len(n.children) == 0 || len(n.children) > maxValidations {
		return nil, fmt.Errorf("weights: %s is no list of 1 to %d validations", n.name(), maxValidations)
	}
	list := make([]Validation, len(n.children))
	for i, child := range n.children {
		if err := readFields(child, list[i].fields()); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (n *node) unsigned() (uint64, error) {
	number, _ := n.token.(json.Number)
	v, err := strconv.ParseUint(string(number), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("weights: %s is no whole number in [0, %d]", n.name(), uint64(1<<64-1))
	}
	return v, nil
}

// decimal returns a number rounded to the two decimals that are kept.
func (n *node) decimal() (float64, error) {
	number, _ := n.token.(json.Number)
	v, err := strconv.ParseFloat(string(number), 64)
	if err != nil || v < -maxElo || v > maxElo {
		return 0, fmt.Errorf("weights: %s is no number in [%d, %d]", n.name(), -maxElo, maxElo)
	}
	return twoDecimals(v), nil
}

func (n *node) pentanomial(counts *[5]int64) (err error) {
	if n.token != json.Delim('[') || len(n.children) != len(counts) {
		return fmt.Errorf("weights: %s is no list of %d numbers", n.name(), len(counts))
	}
	for i, child := range n.children {
		if counts[i], err = child.integer(0, maxCount); err != nil {
			return err
		}
	}
	return nil
}
