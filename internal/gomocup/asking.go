package gomocup

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"quintune/board"
)

// maxGarbage is how many lines that are not answers an engine may write instead of one.
const maxGarbage = 1000

// request is a command that has an answer.
type request struct {
	lines   []string
	before  int           // how many of them, at the beginning, have no answer
	limit   time.Duration // for the answer
	soft    time.Duration // after which YXSTOP is sent; 0 for never
	onError FaultKind     // what the answer ERROR is

	mayBeUnknown bool // any UNKNOWN is the answer, since not all engines know the command and another does instead
	accept       func(text string) bool
}

// askOK sends a command and waits for OK.
func (c *Client) askOK(ctx context.Context, onError FaultKind, line string) error {
	_, err := c.ask(ctx, request{
		lines: []string{line}, limit: c.options.StartTimeout, onError: onError, mayBeUnknown: line == "RESTART",
		accept: func(text string) bool { return strings.EqualFold(text, "OK") },
	})
	return err
}

// askMove sends a command and waits for a move within the limits of the game.
func (c *Client) askMove(ctx context.Context, lines ...string) (Answer, error) {
	limit := c.options.Patience
	switch {
	case c.limits.Turn > 0:
		limit = c.limits.Turn
	case c.limits.Match > 0:
		limit = c.left
	}
	before := 0
	if c.limits.Match > 0 {
		limit = min(limit, c.left)
		lines, before = append([]string{timeLeft(c.left)}, lines...), 1
	}
	soft := max(0, limit+c.options.Tolerance/2)
	var xy []int
	elapsed, err := c.ask(ctx, request{
		lines: lines, before: before, limit: limit + c.options.Tolerance, soft: soft, onError: FaultProtocol,
		accept: func(text string) (ok bool) {
			v, err := parseInts(text, 2)
			xy = v
			return err == nil
		},
	})
	c.left -= elapsed
	if err != nil {
		return Answer{Cell: board.NoCell, Elapsed: elapsed}, err
	}
	answer := Answer{Cell: board.NoCell, Elapsed: elapsed}
	if elapsed > soft && limit < 0 {
		return answer, fault(FaultTimeout, "the clock of the game is overdrawn by %d ms", -c.left.Milliseconds())
	} else if elapsed > soft {
		return answer, fault(FaultTimeout, "moved after %d ms, limit %d ms", elapsed.Milliseconds(), limit.Milliseconds())
	}
	c.left += c.limits.Increment
	if answer.Cell, err = cellAt(xy[0], xy[1], c.size); err != nil {
		return answer, fault(FaultIllegal, "%v", err)
	}
	return answer, nil
}

// timeLeft returns the INFO line that tells the rest of the game's clock, negative when overdrawn.
func timeLeft(d time.Duration) string {
	return "INFO time_left " + strconv.FormatInt(d.Milliseconds(), 10)
}

// ask sends a request and returns the time until its answer.
func (c *Client) ask(ctx context.Context, r request) (time.Duration, error) {
	if c.dead != nil {
		return 0, c.dead
	}
	w := wait{client: c, request: r, sent: time.Now()}
	c.send(r.lines...)
	hard := time.NewTimer(r.limit)
	defer hard.Stop()
	var soft <-chan time.Time
	if r.soft > 0 {
		timer := time.NewTimer(r.soft)
		defer timer.Stop()
		soft = timer.C
	}
	for {
		select {
		case in, ok := <-c.lines:
			if !ok {
				return time.Since(w.sent), c.crashed()
			}
			if done, err := w.hear(in); done {
				c.told = nil
				return in.at.Sub(w.sent), err
			}
		case <-soft:
			c.Stop()
		case <-hard.C:
			return time.Since(w.sent), c.fail(fault(FaultTimeout, "no answer to %s within %d ms%s", r.what(), r.limit.Milliseconds(), w.misheard()))
		case <-ctx.Done():
			c.told = append(c.told, r.lines[:r.before]...) // an answer may still come to any
			return time.Since(w.sent), ctx.Err()
		}
	}
}

// what names the command of a request: the last line, or BOARD.
func (r request) what() string {
	last := r.lines[len(r.lines)-1]
	if last == "DONE" {
		return "BOARD"
	}
	return last
}

// refused names what an ERROR was the answer to: the request, or a line before it that has no answer otherwise, such as INFO.
func (c *Client) refused(r request, text string) string {
	words := strings.Fields(text)
	for _, line := range c.told {
		if _, rest := cutWord(line); rest != "" && slices.Contains(words, strings.Fields(rest)[0]) {
			return line
		}
	}
	if len(c.told) == 0 {
		return r.what()
	}
	word, _ := cutWord(c.told[len(c.told)-1])
	return word + " or " + r.what()
}

// wait is a request on its way to an answer.
type wait struct {
	client  *Client
	request request
	sent    time.Time
	garbage int    // lines that meant nothing
	last    string // the last of them that was not UNKNOWN
	unknown int    // lines UNKNOWN
	doubt   string // the last of them, where it cannot answer an aside
}

// misheard returns a clause about the last line in place of an answer, "" where there was none.
func (w *wait) misheard() string {
	switch {
	case w.last != "":
		return fmt.Sprintf(", and its line %.80q means nothing here", w.last)
	case w.doubt != "":
		return fmt.Sprintf(", but its line %.80q may be one", w.doubt)
	}
	return ""
}

// isUnknown takes a line UNKNOWN and reports whether it answers the request. Engines answer our lines in their order, with at most one
// UNKNOWN each. So it does where it begins with the command, or where all lines before that have no answer may have had theirs. Those of
// asides may come after the move, in a later wait.
func (w *wait) isUnknown(text string) bool {
	c, r := w.client, w.request
	w.unknown++
	asides := int(c.asides.Load())
	if asides == 0 {
		w.doubt = text
	}
	command, _ := cutWord(r.what())
	names := func(line string) bool {
		words := strings.Fields(line)
		return len(words) > 1 && words[1] == command
	}
	return r.mayBeUnknown || names(text) && !slices.ContainsFunc(c.told, names) || w.unknown > len(c.told)+r.before+asides
}

// hear takes a line and reports whether it ends the wait. A line read before the command was sent
// answers nothing.
func (w *wait) hear(in inbound) (done bool, err error) {
	c, r := w.client, w.request
	word, rest := cutWord(in.text)
	word = strings.ToUpper(word)
	early := in.at.Before(w.sent)
	switch {
	case word == "MESSAGE" || word == "DEBUG":
		c.options.Report(in.text)
		return false, nil
	case word == "ERROR" && !early:
		return true, fault(r.onError, "%s was answered with %s", c.refused(r, in.text), in.text)
	case word == "UNKNOWN" && !early && w.isUnknown(in.text):
		return true, fault(r.onError, "%s was answered with %s", r.what(), in.text)
	case word == "SUGGEST" && !early:
		c.aside("PLAY " + rest)
		return false, nil
	case word != "UNKNOWN" && !early && r.accept(in.text):
		return true, nil
	}
	c.options.Report(in.text)
	if word != "UNKNOWN" && !early {
		w.last = in.text
	}
	if w.garbage++; w.garbage > maxGarbage+len(c.told) { // each of which may be UNKNOWN
		return true, c.fail(fault(FaultProtocol, "%s was answered with %d lines that mean nothing, the last %.80q", r.what(), w.garbage, in.text))
	}
	return false, nil
}
