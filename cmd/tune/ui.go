package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
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

// pageOptions choose where the page of a run is served.
type pageOptions struct {
	Listen    string // "": nowhere
	Host      string // "": no other name
	TokenFile string
}

// declare declares the options. address is the default of --listen, help explains its purpose.
func (o *pageOptions) declare(d *config.Declaration, address, help string) {
	d.Group("The page")
	config.Var(d, &o.Listen, "listen", address, config.Text("ADDRESS"), help, config.FlagOnly)
	config.Var(d, &o.Host, "host", "", config.Text("NAME"), "name by which other machines reach the page, such as box.lan", config.FlagOnly)
	config.Var(d, &o.TokenFile, "token-file", "", config.Text("FILE"), "file with the token that an address needs which other machines reach", config.FlagOnly)
}

// openPage listens at --listen for a page, which is served later. So errors of the address come up before the games.
func openPage(ctx context.Context, o *pageOptions) (*guard.Site, error) {
	token, err := guard.ReadToken(o.TokenFile)
	if err != nil {
		return nil, err
	}
	site, err := guard.Open(ctx, o.Listen, token, o.Host)
	return site, config.UsageIf(guard.Misused(err), err)
}

// openPage opens the page of a run, if --listen asks for one and it is not open. Without it other options of the page are wrong usage.
func (o *playOptions) openPage(ctx context.Context) (err error) {
	if o.Listen == "" {
		for _, other := range []struct {
			name  string
			given bool
		}{{"stay", o.Stay}, {"token-file", o.TokenFile != ""}, {"host", o.Host != ""}} {
			if other.given {
				return config.Usagef("%s: there is no page without --listen", other.name)
			}
		}
		return nil
	}
	if o.page == nil {
		o.page, err = openPage(ctx, &o.pageOptions)
	}
	return err
}

// closePage closes a page that may be nil or closed already.
func closePage(site *guard.Site) {
	if site != nil {
		_ = site.Close()
	}
}

// ui shows a run while it is played: on a terminal in the dashboard, elsewhere as log lines, and on the page of
// --listen.
type ui struct {
	history        *progress.History
	display        *display
	stop           context.CancelFunc
	leaveDashboard context.CancelFunc // nil: there is none
	shown          atomic.Bool        // the dashboard uses the terminal, so there are no log lines
	ended          chan struct{}      // closed when the dashboard has left the terminal
	served         chan error         // error with which the page ended; nil: there is no page
}

// show starts to show a run. interrupt makes the run save and stop.
func (p *playing) show(cmd *cobra.Command, interrupt func()) (*ui, error) {
	history, err := progress.New(&p.record, p.folder.Name(), progress.Sources{Live: p.executor.pool.Live, Cluster: p.executor.status()})
	if err != nil {
		return nil, err
	}
	history.Resume(&p.state.Outcome, p.past)
	u := &ui{history: history, display: p.display, ended: make(chan struct{})}
	var ctx context.Context
	ctx, u.stop = context.WithCancel(context.WithoutCancel(cmd.Context()))
	options := dashboard.Options{In: cmd.InOrStdin(), Out: cmd.ErrOrStderr(), Interrupt: interrupt}
	if page := p.options.page; page != nil {
		options.Address, options.Code = page.URL(), page.Code()
		if links := page.Links(); len(links) > 0 {
			options.Link = links[0]
		}
		handler, err := watch.Handler(u.history)
		if err != nil {
			u.stop()
			return nil, err
		}
		u.serve(ctx, page, handler)
		if stderr := cmd.ErrOrStderr(); text.IsTerminal(stderr) {
			_, _ = io.WriteString(stderr, page.TextOfLinks())
			if text.CanDraw(stderr) {
				_, _ = io.WriteString(stderr, options.Code)
			}
		}
	}
	if p.display.full {
		u.shown.Store(true)
		var shown context.Context
		shown, u.leaveDashboard = context.WithCancel(ctx)
		go u.dashboard(shown, options)
	} else {
		close(u.ended)
	}
	return u, nil
}

// serve serves the page until ctx is done.
func (u *ui) serve(ctx context.Context, site *guard.Site, handler http.Handler) {
	u.display.log.Info("the run is shown", "address", site.URL())
	for _, link := range site.Links() {
		address, _, _ := strings.Cut(link, "#") // the token is not logged
		u.display.log.Info("the run is shown to other machines", "address", address)
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

// dashboard shows the dashboard until ctx is done or the user leaves it; after that the run has log lines. Lines
// logged while it is shown are written afterwards.
func (u *ui) dashboard(ctx context.Context, o dashboard.Options) {
	defer close(u.ended)
	u.display.held.begin()
	err := dashboard.Run(ctx, u.history, o)
	u.shown.Store(false)
	u.display.held.end()
	if errors.Is(err, dashboard.ErrKilled) {
		os.Exit(config.ExitInterrupted)
	}
	if err != nil {
		u.display.log.Warn("the dashboard is no longer shown", "error", err)
	}
}

// event shows an event of the run.
func (u *ui) event(e run.Event) {
	u.history.Add(e)
	if !u.shown.Load() {
		u.display.event(e)
	}
}

// leave closes the dashboard and restores the terminal. The page is still served.
func (u *ui) leave() {
	if u.leaveDashboard != nil {
		u.leaveDashboard()
	}
	<-u.ended
}

// stay serves the page of a finished run until ctx is done, if that is wanted.
func (u *ui) stay(ctx context.Context, wanted bool) {
	if !wanted {
		return
	}
	u.display.log.Info("the run has ended, and its page stays: Ctrl-C ends it")
	select {
	case <-ctx.Done():
	case err := <-u.served:
		u.served <- err // kept for end
	}
}

// end ends the dashboard and the page.
func (u *ui) end() {
	u.stop()
	u.leave()
	if u.served != nil {
		<-u.served
	}
}

// pastOf returns the closed generations of a run that is resumed.
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
