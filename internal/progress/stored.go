package progress

import (
	"quintune/internal/run"
)

// Stored is what is stored of a run at one moment.
type Stored struct {
	Stage       run.Stage // StageDone, StagePlaying or StageInterrupted
	Progress    run.Progress
	State       *run.State
	Generations []run.Generation // closed, by number
	Games       []run.Game       // some of the last
	Speed       float64          // games a second, 0 where it is not known
}

// Load brings the history of a run that this process does not play up to what is stored: new generations and points
// are added, and the state is that after the last closed step. What was loaded before must still hold.
func (h *History) Load(s *Stored) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := &s.State.Outcome
	e := run.Event{
		Stage: s.Stage, Generation: o.Generations, Games: s.Progress.AllGames(), Evolution: o.Evolution, Budget: h.summary.Budget,
		GamesPerSecond: s.Speed, Verdict: h.now.Verdict, Game: h.now.Game,
	}
	if pairs := o.Against(); pairs.Pairs() > 0 {
		e.Against, e.AgainstPairs = pairs.Elo(), pairs.Pairs()
	}
	// Elsewhere the plan of the run tells what is left, which is not known here. An extended run has played more than its budget counts,
	// and later stages are slower than the games that the speed is of.
	if s.Speed > 0 && !h.staged && s.State.EvolutionOpen() && s.State.Extended == 0 {
		e.Left = max(0, float64(e.Budget-e.Games)/s.Speed)
	}
	if s.Stage == run.StagePlaying {
		e.Verdict = nil
	} else if e.Verdict == nil || h.now.Stage != s.Stage {
		e.Verdict = s.State.Verdict(h.summary.Name, s.Stage == run.StageInterrupted)
	}
	known := -1
	if n := len(h.generations); n > 0 {
		known = h.generations[n-1].value.Number
	}
	for i := range s.Generations {
		if g := &s.Generations[i]; g.Number > known {
			h.addGeneration(*g)
		}
	}
	if n := len(s.Generations); n > 0 {
		last := &s.Generations[n-1]
		e.Phase, e.Figures = last.Phase, last.Figures
	}
	measured := 0
	if n := len(h.curve); n > 0 {
		measured = h.curve[n-1].value.Games
	}
	for _, c := range o.Pooled() {
		if c.Games > measured {
			h.curve = keep(h, h.curve, c.Point())
		}
	}
	for i := range s.Games {
		h.addGame(s.Games[i])
	}
	h.now = e
}
