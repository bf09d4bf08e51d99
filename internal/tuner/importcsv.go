package tuner

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"quintune/weights"
)

// csvHeader is the first line of a table of weights.
var csvHeader = [2]string{"name", "value"}

// ImportCSV fills the set with the weights of a table, as Export writes it: every weight once, in any order. Errors
// say the file's name and the line, and what is missing, unknown, repeated or out of its bounds.
func ImportCSV(set *weights.Set, r io.Reader, name string) error {
	table := csv.NewReader(r)
	table.FieldsPerRecord = len(csvHeader)
	table.TrimLeadingSpace = true
	seen := map[string]bool{}
	for first := true; ; first = false {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("tuner: %s: %w", name, err)
		}
		if first && strings.TrimPrefix(row[0], "\ufeff") == csvHeader[0] && row[1] == csvHeader[1] {
			continue
		}
		if err := importRow(set, seen, row); err != nil {
			line, _ := table.FieldPos(0)
			return fmt.Errorf("tuner: %s: line %d: %w", name, line, err)
		}
	}
	for _, d := range weights.Declarations() {
		if !seen[d.Name] {
			return fmt.Errorf("tuner: %s: %s is missing", name, d.Name)
		}
	}
	return set.Check()
}

// importRow takes one weight over.
func importRow(set *weights.Set, seen map[string]bool, row []string) error {
	if seen[row[0]] {
		return fmt.Errorf("%.60s comes twice", row[0])
	}
	value, err := strconv.ParseInt(strings.TrimSpace(row[1]), 10, 64)
	if err != nil {
		return fmt.Errorf("%.60s is %.40q, no whole number", row[0], row[1])
	}
	changed, err := set.With(row[0], value)
	if err != nil {
		return err
	}
	set.Values = changed.Values
	seen[row[0]] = true
	return nil
}
