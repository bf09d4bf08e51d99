package tuner

import (
	"errors"
	"fmt"

	"quintune/internal/book"
)

// checkBook returns an error when a book is not for the run's rule and size, a part is empty, or the two
// books have an opening in common.
func (c *Config) checkBook() error {
	if c.Book == nil {
		return errors.New("tuner: no openings")
	}
	for _, b := range []*book.Book{c.Book, c.GateBook} {
		if b != nil && (b.Rule != c.Rule || b.Size != c.Size) {
			return fmt.Errorf("tuner: the openings are for %s on %d×%d, the run plays %s on %d×%d",
				b.Rule, b.Size, b.Size, c.Rule, c.Size, c.Size)
		}
	}
	if c.GateBook != nil {
		if err := c.GateBook.CheckDisjoint(c.Book); err != nil {
			return fmt.Errorf("tuner: the openings of the gates overlap those of the training: %w", err)
		}
	}
	for _, p := range []book.Part{book.Train, book.Gate} {
		if len(c.part(p).Openings) == 0 && !(c.NoGate && p == book.Gate) {
			return fmt.Errorf("tuner: none of the %d openings is of the %s part", len(c.Book.Openings), p)
		}
	}
	return nil
}

// part returns the openings of one part. With a book for the gates the other one is for training alone.
func (c *Config) part(p book.Part) *book.Book {
	switch {
	case c.GateBook == nil:
		return c.Book.Part(p)
	case p == book.Gate:
		return c.GateBook
	}
	return c.Book
}

// used returns all openings that the validation must not meet.
func (c *Config) used() *book.Book {
	if c.GateBook == nil {
		return c.Book
	}
	all := &book.Book{Rule: c.Rule, Size: c.Size}
	all.Openings = append(append(all.Openings, c.Book.Openings...), c.GateBook.Openings...)
	return all
}
