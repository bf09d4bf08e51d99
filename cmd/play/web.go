package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/explorer"
	"quintune/internal/player"
	"quintune/internal/record"
	"quintune/internal/text"
	"quintune/internal/webui/guard"
	page "quintune/internal/webui/play"
	"quintune/pattern"
)

// webOptions are the options of `play web`.
type webOptions struct {
	config.Common
	weightsOption
	opponentOptions
	Listen    string
	Host      string // "": none
	TokenFile string
	NoBrowser bool
	Games     string // "": none
}

func (o *webOptions) Declare(d *config.Declaration) {
	d.Group("The page")
	config.Var(d, &o.Listen, "listen", "127.0.0.1:8080", config.Text("ADDRESS"), "address of the page; port 0: any that is free", config.FlagOnly)
	config.Var(d, &o.Host, "host", "", config.Text("NAME"), "name by which other machines reach the page, such as box.lan", config.FlagOnly)
	config.Var(d, &o.TokenFile, "token-file", "", config.Text("FILE"), "file with the token that an address needs which other machines reach", config.FlagOnly)
	config.Var(d, &o.NoBrowser, "no-browser", "false", config.Switch(), "open no browser", config.FlagOnly)
	config.Var(d, &o.Games, "games", "", config.Text("FILE"), "records of games for the opening explorer, such as those of tune export --games jsonl", config.FlagOnly)
	o.weightsOption.Declare(d)
	o.opponentOptions.declare(d, page.MaxNodes, page.MaxTime)
}

func webCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "web",
		Short: "Play and analyse on a page in the browser",
		Long: "Serves a page to this machine alone and opens it where a browser is. Everything is in the program: the page asks for\n" +
			"nothing from elsewhere. Ctrl-C ends it. An address that other machines reach needs a token, in the file --token-file; its content is part of the link that\n" +
			"is printed for them. --host names this machine as they do.\n" +
			"--level, --nodes and --time are the first opponent's; the page changes them.",
		Example: "  play web\n  play web --weights weights.json --no-browser\n  play web --games games.jsonl\n  play web --listen 0.0.0.0:8080 --token-file token.txt",
		Args:    cobra.NoArgs,
	}, &webOptions{}, func(cmd *cobra.Command, o *webOptions, _ []string) error {
		return runWeb(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
	})
}

// runWeb serves the page until ctx is done.
func runWeb(ctx context.Context, o *webOptions, out, log io.Writer) error {
	logger := config.NewLogger(log, &o.Common)
	own, err := o.choose(".", pattern.Freestyle, 15) // on the board that the page shows first
	if err != nil {
		return err
	}
	if _, err := onBoard(own, pattern.Freestyle, 15, logger); err != nil {
		return err
	}
	explored, err := explorerOf(o.Games, own)
	if err != nil {
		return err
	}
	server, err := page.New(page.Config{
		Weights: own, Strength: o.strength(), Searches: searches(o.Threads), Threads: o.Threads, Log: logger, Explorer: explored,
	})
	if err != nil {
		return err
	}
	token, err := guard.ReadToken(o.TokenFile)
	if err != nil {
		return err
	}
	site, err := guard.Open(ctx, o.Listen, token, o.Host)
	if err != nil {
		return config.UsageIf(guard.Misused(err), err)
	}
	if _, err := io.WriteString(out, site.Text(text.CanDraw(out))); err != nil {
		return err
	}
	if o.JSON {
		if err := config.WriteJSON(out, map[string]string{"url": site.URL()}); err != nil {
			return err
		}
	}
	if !o.NoBrowser {
		openBrowser(site.URL())
	}
	return site.Serve(ctx, server, logger)
}

// explorerOf returns an explorer of the games in a file; without a file it has no games.
func explorerOf(path string, own *player.Player) (*explorer.Explorer, error) {
	e := explorer.New(own.Weights)
	if path == "" {
		return e, nil
	}
	games, err := record.ReadFile(path, record.DefaultConditions())
	for i := range games {
		e.Add(&games[i])
	}
	return e, err
}

// searches returns the number of searches with the given threads that may run at a time.
func searches(threads int) int { return max(1, runtime.GOMAXPROCS(0)/threads) }

// openBrowser opens the page in a browser, where the system has one. Elsewhere it does nothing: the address was
// printed.
func openBrowser(address string) {
	program, args := browserCommand(runtime.GOOS, address)
	if program == "" {
		return
	}
	cmd := exec.Command(program, args...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // the exit status of the browser does not matter
	}
}

// browserCommand returns the command that opens an address on the system, "" where there is no screen.
func browserCommand(system, address string) (program string, args []string) {
	switch {
	case system == "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler", address}
	case system == "darwin":
		return "open", []string{address}
	case os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "":
		return "xdg-open", []string{address}
	}
	return "", nil
}
