package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/console/dashboard"
	"quintune/internal/progress"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/text"
	"quintune/internal/webui/guard"
	"quintune/internal/webui/watch"
)

// pageOptions say where the page of a run is shown.
type pageOptions struct {
	Listen    string // "": nowhere
	Host      string // "": no other name
	TokenFile string
}

// declare declares all of them; address is the default of --listen, help what it is for.
func (o *pageOptions) declare(d *config.Declaration, address, help string) {
	d.Group("The page")
	config.Var(d, &o.Listen, "listen", address, config.Text("ADDRESS"), help, config.FlagOnly)
	config.Var(d, &o.Host, "host", "", config.Text("NAME"), "name by which other machines reach the page, such as box.lan", config.FlagOnly)
	config.Var(d, &o.TokenFile, "token-file", "", config.Text("FILE"), "file with the token that an address needs which other machines reach", config.FlagOnly)
}

// openPage listens at --listen, where the run's page is shown later; nil without it. So what is wrong with the address
// is found before the games.
func openPage(ctx context.Context, o *pageOptions) (*guard.Site, error) {
	if o.Listen == "" {
		if o.TokenFile != "" {
			return nil, config.Usagef("token-file: there is no page without --listen")
		}
		return nil, nil
	}
	token, err := guard.ReadToken(o.TokenFile)
	if err != nil {
		return nil, config.Usage(err)
	}
	site, err := guard.Open(ctx, o.Listen, token, o.Host)
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

// ui shows a run while it is played: the dashboard on a terminal or else log lines, and the page of --listen.
type ui struct {
	history        *progress.History
	display        *display
	stop           context.CancelFunc
	leaveDashboard context.CancelFunc // nil: there is none
	shown          atomic.Bool        // the dashboard is: no log lines beside it
	ended          chan struct{}      // closed when the dashboard has left the terminal
	served         chan error         // the page's end; nil: there is none
}

// show begins to show a run. interrupt asks it to save and stop.
func (p *playing) show(cmd *cobra.Command, interrupt func()) (*ui, error) {
	history, err := progress.New(&p.record, p.folder.Name(), progress.Sources{Live: p.executor.pool.Live, Cluster: p.executor.status()})
	if err != nil {
		return nil, err
	}
	history.Resume(&p.state.Outcome, p.past)
	u := &ui{history: history, display: p.display, ended: make(chan struct{})}
	var ctx context.Context
	ctx, u.stop = context.WithCancel(context.WithoutCancel(cmd.Context()))
	note := ""
	if p.page != nil {
		note = p.page.URL()
		handler, err := watch.Handler(u.history)
		if err != nil {
			u.stop()
			return nil, err
		}
		u.serve(ctx, p.page, handler)
		if stderr := cmd.ErrOrStderr(); text.IsTerminal(stderr) {
			_, _ = io.WriteString(stderr, p.page.Code()) // the link is in the log
		}
	}
	if p.display.full {
		u.shown.Store(true)
		var shown context.Context
		shown, u.leaveDashboard = context.WithCancel(ctx)
		go u.dashboard(shown, cmd, note, interrupt)
	} else {
		close(u.ended)
	}
	return u, nil
}

// serve serves the page until ctx is done.
func (u *ui) serve(ctx context.Context, site *guard.Site, handler http.Handler) {
	u.display.log.Info("the run is shown", "address", site.URL())
	for _, link := range site.Links() {
		u.display.log.Info("the run is shown to other machines", "link", link)
	}
	u.served = make(chan error, 1)
	go func() {
		err := site.Serve(ctx, handler, u.display.log)
		if err != nil {
			u.display.log.Warn("the page is no longer shown", "error", err)
		}
		u.served <- err
	}()
}

// dashboard shows the dashboard until ctx is done or the user leaves it; the run goes on with log lines then. What
// is logged meanwhile is written after.
func (u *ui) dashboard(ctx context.Context, cmd *cobra.Command, note string, interrupt func()) {
	defer close(u.ended)
	u.display.held.begin()
	err := dashboard.Run(ctx, u.history, dashboard.Options{In: cmd.InOrStdin(), Out: cmd.ErrOrStderr(), Note: note, Interrupt: interrupt})
	u.shown.Store(false)
	u.display.held.end()
	if errors.Is(err, dashboard.ErrKilled) {
		os.Exit(config.ExitInterrupted)
	}
	if err != nil {
		u.display.log.Warn("the dashboard is no longer shown", "error", err)
	}
}

// event shows what has happened.
func (u *ui) event(e run.Event) {
	u.history.Add(e)
	if !u.shown.Load() {
		u.display.event(e)
	}
}

// leave ends the dashboard, and leaves the terminal as it was. The page is still served.
func (u *ui) leave() {
	if u.leaveDashboard != nil {
		u.leaveDashboard()
	}
	<-u.ended
}

// stay goes on serving the page of a run that has ended until ctx is done, where that is wanted.
func (u *ui) stay(ctx context.Context, wanted bool) {
	if !wanted {
		return
	}
	u.display.log.Info("the run has ended, and its page stays: Ctrl-C ends it")
	select {
	case <-ctx.Done():
	case err := <-u.served:
		u.served <- err // for end
	}
}

// end ends what shows the run.
func (u *ui) end() {
	u.stop()
	u.leave()
	if u.served != nil {
		<-u.served
	}
}

// pastOf returns the closed generations of a run that goes on.
func pastOf(runs *runfolder.Runs, name string) ([]run.Generation, error) {
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
