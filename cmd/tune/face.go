package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/console/dashboard"
	"quintune/internal/progress"
	"quintune/internal/store"
	"quintune/internal/tuner"
	"quintune/internal/webui/guard"
	"quintune/internal/webui/watch"
)

// openPage listens at --listen, where the run's page is shown later; nil without it. So what is wrong
// with the address is found before the games.
func openPage(ctx context.Context, v *config.Values) (*guard.Site, error) {
	address := v.String("listen")
	if address == "" {
		if v.String("token-file") != "" {
			return nil, config.Usagef("token-file: there is no page without --listen")
		}
		return nil, nil
	}
	token, err := guard.ReadToken(v.String("token-file"))
	if err != nil {
		return nil, config.Usage(err)
	}
	var hosts []string
	if name := v.String("host"); name != "" {
		hosts = append(hosts, name)
	}
	site, err := guard.Open(ctx, address, token, hosts...)
	if errors.Is(err, guard.ErrToken) {
		err = config.Usage(err)
	}
	return site, err
}

// closePage closes a page that may not be there, or be closed already.
func closePage(site *guard.Site) {
	if site != nil {
		_ = site.Close()
	}
}

// faces show a run while it is played: the dashboard on a terminal or else log lines, and the page of --listen.
type faces struct {
	history *progress.History
	display *display
	stop    context.CancelFunc
	shown   atomic.Bool   // the dashboard is: no log lines beside it
	ended   chan struct{} // closed when the dashboard has left the terminal
	served  chan error    // the page's end; nil: there is none
}

// show begins to show a run. interrupt asks it to save and stop.
func (p *playing) show(cmd *cobra.Command, interrupt func()) (*faces, error) {
	facts := progress.FactsOf(p.config, p.folder.Name(), p.run.ID(), config.Commit())
	f := &faces{history: progress.New(facts, p.config, progress.Sources{Live: p.crew.pool.Live, Cluster: p.crew.status()}), display: p.display, ended: make(chan struct{})}
	f.history.Resume(p.state, generationsOf(f.history, p.past))
	var ctx context.Context
	ctx, f.stop = context.WithCancel(context.WithoutCancel(cmd.Context()))
	note := ""
	if p.page != nil {
		note = p.page.URL()
		handler, err := watch.Handler(f.history)
		if err != nil {
			f.stop()
			return nil, err
		}
		f.serve(ctx, p.page, handler)
	}
	if p.display.full {
		f.shown.Store(true)
		go f.dashboard(ctx, cmd, note, interrupt)
	} else {
		close(f.ended)
	}
	return f, nil
}

// serve serves the page until ctx is done.
func (f *faces) serve(ctx context.Context, site *guard.Site, handler http.Handler) {
	f.display.log.Info("the run is shown", "address", site.URL())
	for _, link := range site.Links() {
		f.display.log.Info("the run is shown to other machines", "link", link)
	}
	f.served = make(chan error, 1)
	go func() {
		err := site.Serve(ctx, handler, f.display.log)
		if err != nil {
			f.display.log.Warn("the page is shown no more", "error", err)
		}
		f.served <- err
	}()
}

// dashboard shows the dashboard until ctx is done or the user leaves it; the run goes on with log lines then. What
// is logged meanwhile is written after.
func (f *faces) dashboard(ctx context.Context, cmd *cobra.Command, note string, interrupt func()) {
	defer close(f.ended)
	f.display.hold.begin()
	err := dashboard.Run(ctx, f.history, dashboard.Options{In: cmd.InOrStdin(), Out: cmd.ErrOrStderr(), Note: note, Interrupt: interrupt})
	f.shown.Store(false)
	f.display.hold.end()
	if errors.Is(err, dashboard.ErrKilled) {
		os.Exit(config.ExitInterrupted)
	}
	if err != nil {
		f.display.log.Warn("the dashboard is shown no more", "error", err)
	}
}

// event shows what has happened.
func (f *faces) event(e tuner.Event) {
	f.history.Add(e)
	if !f.shown.Load() {
		f.display.event(e)
	}
}

// end ends what shows the run, and leaves the terminal as it was.
func (f *faces) end() {
	f.stop()
	<-f.ended
	if f.served != nil {
		<-f.served
	}
}

// generationsOf returns the stored generations of a run for its history.
func generationsOf(h *progress.History, stored []store.Generation) []progress.Generation {
	list := make([]progress.Generation, len(stored))
	for i := range stored {
		g := &stored[i]
		list[i] = progress.Generation{
			Number: g.Number, Games: g.Games, Phase: g.Phase, Sigma: g.Sigma, Spread: g.Spread,
			Best: g.Best, Mean: g.Mean, Values: h.Tuned(g.Champion),
		}
	}
	return list
}

// pastOf returns the closed generations of a run that goes on.
func pastOf(runs *tuner.Runs, name string) ([]store.Generation, error) {
	row, err := runs.Row(name)
	if err != nil {
		return nil, err
	}
	list, err := runs.DB().Generations(row)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", name, err)
	}
	return list, nil
}
