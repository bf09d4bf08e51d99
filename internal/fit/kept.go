package fit

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"

	"quintune/internal/strictjson"
	"quintune/weights"
)

// Kept is a file of labels made so far. A process that continues after a stop searches only the other positions.
// The first line identifies what is searched. Each further line is a position with a checksum in front. A
// damaged line and all lines after it are ignored. It is not safe for concurrent use.
type Kept struct {
	file  *os.File
	found map[int]Scored
}

// entry is a line of the file.
type entry struct {
	Index  int    `json:"index"` // place among the chosen positions
	Scored Scored `json:"scored"`
}

// Keep opens or creates the file at the path for the positions that the labeller will search. Labels of other
// positions, or of another labeller, are dropped.
func (l *Labeller) Keep(path string, games []Played, chosen []Scored) (*Kept, error) {
	title, err := l.title(games, chosen)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("fit: labels: %w", err)
	}
	k := &Kept{file: file, found: map[int]Scored{}}
	if err := k.read(title, chosen); err != nil {
		return nil, errors.Join(fmt.Errorf("fit: labels: %w", err), file.Close())
	}
	return k, nil
}

// title returns the first line of the file: a hash of all that the labels depend on.
func (l *Labeller) title(games []Played, chosen []Scored) (string, error) {
	set, err := weights.Marshal(l.Set)
	if err != nil {
		return "", fmt.Errorf("fit: labels: %w", err)
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s\n%d %v %d\n", set, l.Size, l.Rule, l.Nodes)
	for _, g := range games {
		fmt.Fprintln(hash, g.Moves)
	}
	for _, s := range chosen {
		fmt.Fprintln(hash, s.Game, s.Ply)
	}
	return "labels " + hex.EncodeToString(hash.Sum(nil)) + "\n", nil
}

// read takes the whole lines of a file with the title, and leaves the file at their end.
func (k *Kept) read(title string, chosen []Scored) error {
	in := bufio.NewReader(k.file)
	var end int64
	if first, err := in.ReadString('\n'); err != nil && err != io.EOF {
		return err
	} else if first == title {
		end = int64(len(first))
		for {
			line, err := in.ReadString('\n')
			if err != nil && err != io.EOF {
				return err
			}
			e, whole := parseEntry(line)
			if !whole || e.Index < 0 || e.Index >= len(chosen) || e.Scored.Game != chosen[e.Index].Game || e.Scored.Ply != chosen[e.Index].Ply {
				break
			}
			k.found[e.Index] = e.Scored
			end += int64(len(line))
		}
	}
	if err := k.file.Truncate(end); err != nil {
		return err
	}
	if _, err := k.file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	if end > 0 {
		return nil
	}
	_, err := k.file.WriteString(title)
	return err
}

// parseEntry returns the position of a line, false where the line is not as it was written.
func parseEntry(line string) (e entry, whole bool) {
	sum, text, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	whole = found && strings.HasSuffix(line, "\n") && sum == checksum(text) && strictjson.Decode([]byte(text), &e) == nil
	return e, whole
}

func checksum(text string) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text))) }

// get fills in the position at a place among the chosen ones, false where it is not kept.
func (k *Kept) get(index int, s *Scored) bool {
	if k == nil {
		return false
	}
	found, known := k.found[index]
	if known {
		*s = found
	}
	return known
}

// put adds the position with the index. The line survives a kill of the process at once, but not a crash of the
// machine.
func (k *Kept) put(index int, s *Scored) error {
	if k == nil {
		return nil
	}
	text, err := json.Marshal(entry{index, *s})
	if err != nil {
		return fmt.Errorf("fit: labels: %w", err)
	}
	if _, err := fmt.Fprintf(k.file, "%s %s\n", checksum(string(text)), text); err != nil {
		return fmt.Errorf("fit: labels: %w", err)
	}
	return nil
}

// Len returns the number of positions that the file held when it was opened.
func (k *Kept) Len() int {
	if k == nil {
		return 0
	}
	return len(k.found)
}

// Close closes the file, which stays.
func (k *Kept) Close() error {
	if k == nil {
		return nil
	}
	return k.file.Close()
}
