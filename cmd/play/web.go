package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/webui/guard"
	page "quintune/internal/webui/play"
	"quintune/pattern"
)

func webCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "web",
		Short: "Play and analyse on a page in the browser",
		Long: "Serves a page to this machine alone and opens it where a browser is. Everything is in the program: the page asks for\n" +
			"nothing from elsewhere. Ctrl-C ends it. An address that other machines reach needs a token, in the file --token-file; its content is part of the link that\n" +
			"is printed for them. --host names this machine as they do.\n" +
			"--level, --nodes and --time are the first opponent's; the page changes them.",
		Example: "  play web\n  play web --weights weights.json --no-browser\n  play web --listen 0.0.0.0:8080 --token-file token.txt",
		Args:    cobra.NoArgs,
		RunE: config.Loaded(func(cmd *cobra.Command, v *config.Values, _ []string) error {
			return runWeb(cmd.Context(), v, cmd.OutOrStdout(), cmd.ErrOrStderr())
		}),
	}
	config.Declare(cmd, "play web")
	return cmd
}

// runWeb serves the page until ctx ends, which is how it is left.
func runWeb(ctx context.Context, v *config.Values, out, log io.Writer) error {
	logger := config.NewLogger(log, v)
	own, _, err := chosenWeights(v, ".", pattern.Freestyle, 15, logger) // what the page begins with
	if err != nil {
		return err
	}
	server, err := page.New(page.Config{
		Weights: own, Strength: strengthOf(v), Searches: searches(v.Int("threads")), Threads: v.Int("threads"), Log: logger,
	})
	if err != nil {
		return err
	}
	token, err := guard.ReadToken(v.String("token-file"))
	if err != nil {
		return config.Usage(err)
	}
	site, err := guard.Open(ctx, v.String("listen"), token, hosts(v)...)
	if errors.Is(err, guard.ErrToken) {
		return config.Usage(err)
	}
	if err != nil {
		return err
	}
	for _, link := range site.Links() {
		if _, err := fmt.Fprintf(out, "From other machines: %s\n", link); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(out, "The page is at %s\nCtrl-C ends it.\n", site.URL()); err != nil {
		return err
	}
	if v.Bool("json") {
		if err := config.WriteJSON(out, map[string]string{"url": site.URL()}); err != nil {
			return err
		}
	}
	if !v.Bool("no-browser") {
		openBrowser(site.URL())
	}
	return site.Serve(ctx, server, logger)
}

// hosts returns the names of --host.
func hosts(v *config.Values) []string {
	if name := v.String("host"); name != "" {
		return []string{name}
	}
	return nil
}

// searches returns the number of searches with the given threads that may run at a time.
func searches(threads int) int { return max(1, runtime.GOMAXPROCS(0)/threads) }

// openBrowser opens the page where this machine shows pages; where it does not, the address was told.
func openBrowser(address string) {
	program, args := browserCommand(runtime.GOOS, address)
	if program == "" {
		return
	}
	cmd := exec.Command(program, args...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // it is the browser's business how it ends
	}
}

// browserCommand returns what opens an address on the system, "" where there is nothing to show it on.
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
