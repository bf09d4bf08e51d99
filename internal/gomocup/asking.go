package gomocup

import (
	"context"
	"strconv"
	"strings"
	"time"

	"quintune/board"
)

// maxGarbage is how many lines that are no answer an engine may write instead of one.
const maxGarbage = 1000

// request is a command that has an answer.
type request struct {
	lines   []string
	limit   time.Duration // for the answer
	soft    time.Duration // after which YXSTOP is sent; 0 for never
	onError FaultKind     // what the answer ERROR is
	accept  func(text string) bool
}

// askOK sends a command and waits for OK.
func (c *Client) askOK(ctx context.Context, onError FaultKind, line string) error {
	_, err := c.ask(ctx, request{
		lines: []string{line}, limit: c.options.StartTimeout, onError: onError,
		accept: func(text string) bool { return strings.EqualFold(text, "OK") },
	})
	return err
}

// askMove sends a command and waits for a move within the limits of the game.
func (c *Client) askMove(ctx context.Context, lines ...string) (Answer, error) {
	limit := c.options.Patience
	if c.limits.Turn > 0 {
		limit = c.limits.Turn
	}
	if c.limits.Match > 0 {
		limit = max(0, min(limit, c.left))
		lines = append([]string{timeLeft(c.left)}, lines...)
	}
	soft := limit + c.options.Tolerance/2
	var xy []int
	elapsed, err := c.ask(ctx, request{
		lines: lines, limit: limit + c.options.Tolerance, soft: soft, onError: FaultProtocol,
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
	answer := Answer{Elapsed: elapsed}
	if elapsed > soft {
		return answer, fault(FaultTimeout, "moved after %d ms, limit %d ms", elapsed.Milliseconds(), limit.Milliseconds())
	}
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
	c.drain()
	sent := time.Now()
	c.send(r.lines...)
	hard := time.NewTimer(r.limit)
	defer hard.Stop()
	var soft <-chan time.Time
	if r.soft > 0 {
		timer := time.NewTimer(r.soft)
		defer timer.Stop()
		soft = timer.C
	}
	garbage := 0
	for {
		select {
		case in, ok := <-c.lines:
			if !ok {
				return time.Since(sent), c.crashed()
			}
			switch c.judge(in, sent, r) {
			case lineAnswer:
				return in.at.Sub(sent), nil
			case lineError:
				return in.at.Sub(sent), fault(r.onError, "%s was answered with %s", r.what(), in.text)
			case lineGarbage:
				if garbage++; garbage > maxGarbage {
					return time.Since(sent), c.fail(fault(FaultProtocol, "%s was answered with %d lines that mean nothing, the last %.80q", r.what(), garbage, in.text))
				}
			}
		case <-soft:
			c.Stop()
		case <-hard.C:
			return time.Since(sent), c.fail(fault(FaultTimeout, "no answer to %s within %d ms", r.what(), r.limit.Milliseconds()))
		case <-ctx.Done():
			return time.Since(sent), ctx.Err()
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

// lineKind is what a line from the engine means to the one who waits.
type lineKind uint8

const (
	lineAnswer lineKind = iota
	lineMessage
	lineError
	lineGarbage
)

// judge says what a line means and passes on what is no answer. A line read before the command
// was sent answers nothing.
func (c *Client) judge(in inbound, sent time.Time, r request) lineKind {
	word, rest := cutWord(in.text)
	word = strings.ToUpper(word)
	early := in.at.Before(sent)
	switch {
	case word == "MESSAGE" || word == "DEBUG":
		c.options.Report(in.text)
		return lineMessage
	case word == "ERROR" && !early:
		return lineError
	case word == "SUGGEST" && !early:
		c.send("PLAY " + rest)
		return lineMessage
	case word != "UNKNOWN" && word != "ERROR" && !early && r.accept(in.text):
		return lineAnswer
	}
	c.options.Report(in.text)
	return lineGarbage
}

// drain passes on what the engine has written unasked.
func (c *Client) drain() {
	for {
		select {
		case in, ok := <-c.lines:
			if !ok {
				return
			}
			c.options.Report(in.text)
		default:
			return
		}
	}
}
