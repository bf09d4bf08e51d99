package main

import (
	"log/slog"
	"time"

	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/pattern"
	"quintune/search"
)

// weightsOption is the option of every command that plays or analyses.
type weightsOption struct{ Weights string }

func (o *weightsOption) Declare(d *config.Declaration) {
	d.Group("Weights and players")
	config.Var(d, &o.Weights, "weights", "", config.Text("FILE"), "weights file or preset; without it a weights.json that is found, else the built-in weights of the board", config.YieldsTo("engine"))
}

// choose is player.Choose; an error of the option's value itself is a usage error.
func (o *weightsOption) choose(folder string, rule pattern.Rule, size int) (*player.Player, error) {
	p, err := player.Choose(o.Weights, folder, rule, size)
	return p, config.UsageIf(player.Misused(err), err)
}

// searchOptions limit the searches of a command. Without a limit a move takes session.DefaultTime.
type searchOptions struct {
	Nodes   int64         // 0: no limit
	Time    time.Duration // 0: no limit
	Threads int
}

func (o *searchOptions) declare(d *config.Declaration, maxNodes int64, maxTime time.Duration) {
	d.Group("Limits of a move")
	config.Var(d, &o.Nodes, "nodes", "0", config.Whole(0, maxNodes), "nodes a move; 0: no limit")
	config.Var(d, &o.Time, "time", "", config.Optional(config.Span(time.Millisecond, maxTime)), "time a move; without any limit 1s")
	config.Var(d, &o.Threads, "threads", "1", config.Threads(), "threads that search together; with more than one nothing can be repeated exactly")
}

// homeEntries is the number of TT entries for games and analysis of people: 16 MiB.
const homeEntries = 1 << 20

// limits returns the limits of a search.
func (o *searchOptions) limits() search.Limits {
	return session.Strength{Nodes: o.Nodes, Time: o.Time}.Limits()
}

// engine returns the options of engines for games and analysis of people.
func (o *searchOptions) engine() search.Options {
	return search.Options{TableEntries: homeEntries, Threads: o.Threads}
}

// opponentOptions choose the strength of an opponent.
type opponentOptions struct {
	searchOptions
	Level int
}

func (o *opponentOptions) declare(d *config.Declaration, maxNodes int64, maxTime time.Duration) {
	d.Group("Weights and players")
	config.Var(d, &o.Level, "level", "10", config.Whole(1, int(search.MaxLevel)), "strength of the opponent; 10: all that the limits allow")
	o.searchOptions.declare(d, maxNodes, maxTime)
}

func (o *opponentOptions) strength() session.Strength {
	return session.Strength{Level: search.Level(o.Level), Nodes: o.Nodes, Time: o.Time}
}

// onBoard returns the player that takes the place of p on the board, and logs which weights play.
func onBoard(p *player.Player, rule pattern.Rule, size int, log *slog.Logger) (*player.Player, error) {
	p, err := p.OnBoard(size, rule)
	if err == nil {
		tellWeights(log, p)
	}
	return p, err
}

// tellWeights logs which weights play, in place of which others or with what doubt, and what was proven about
// them.
func tellWeights(log *slog.Logger, p *player.Player) {
	for _, words := range []string{p.Instead(), p.Caution()} {
		if words != "" {
			log.Warn(words)
		}
	}
	log.Info("weights", "from", p.Name, "name", p.Weights.Name, "proven", p.Proven)
}
