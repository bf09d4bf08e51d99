package gomocup

import (
	"time"
)

// statusWait is how long the exit status of an engine that closed its output is waited for.
const statusWait = time.Second

// Alive reports whether the engine can be asked more. It stays true after a fault that ends a game
// but not the engine, such as an illegal move.
func (c *Client) Alive() bool { return c.dead == nil }

// PeakMemory returns the most memory that the engine's process has held at once so far, bytes,
// without its children. ok is false where that is not known: behind streams, after the engine has
// ended, and on systems other than Linux.
func (c *Client) PeakMemory() (peak int64, ok bool) {
	if c.process == nil || c.dead != nil {
		return 0, false
	}
	return peakMemory(c.process.pid)
}

// Quit ends the engine: END, a while to leave, then a kill. The error is a FaultTimeout when the
// kill was needed. All goroutines have ended when it returns.
func (c *Client) Quit() error {
	var late error
	if c.dead == nil {
		c.send("END")
		if !c.leaves(c.options.QuitTimeout) {
			late = fault(FaultTimeout, "did not leave within %d ms of END", c.options.QuitTimeout.Milliseconds())
		}
		c.dead = fault(FaultCrash, "the engine was ended")
	}
	c.Kill()
	return late
}

// Kill ends the engine, its process group and the client's goroutines at once. A call that waits
// in another goroutine returns a FaultCrash.
func (c *Client) Kill() {
	c.once.Do(func() { close(c.closed) })
	if c.process != nil {
		c.process.close()
	}
	for _, s := range c.streams {
		_ = s.Close()
	}
	if c.process != nil || len(c.streams) == 2 {
		c.running.Wait()
	}
}

// leaves reads on until the engine closes its output, and reports whether it did in time.
func (c *Client) leaves(within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	for {
		select {
		case in, ok := <-c.lines:
			if !ok {
				return true
			}
			c.options.Report(in.text)
		case <-timer.C:
			return false
		}
	}
}

// fail ends an engine that cannot go on.
func (c *Client) fail(f *Fault) *Fault {
	c.dead = f
	c.Kill()
	return f
}

// crashed returns the fault of an engine whose output has ended.
func (c *Client) crashed() *Fault {
	if c.process == nil {
		return c.fail(fault(FaultCrash, "the engine closed its output"))
	}
	return c.fail(fault(FaultCrash, "the engine %s", c.process.lastWords(statusWait)))
}
