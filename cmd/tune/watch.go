package main

import (
	"io"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/text"
	"quintune/internal/webui/watch"
)

// watchOptions are the options of `tune watch`.
type watchOptions struct {
	config.Common
	runsOption
	pageOptions
}

func (o *watchOptions) Declare(d *config.Declaration) {
	o.pageOptions.declare(d, "127.0.0.1:8090", "address of the page; port 0: any that is free")
	o.runsOption.Declare(d)
}

func watchCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "watch [RUN...]",
		Short: "Serve a page of all stored runs, finished or being played",
		Long: `Serves a page with all runs of --runs, or those that are named: state, verdict and Elo, the curves and weights of those that are
chosen beside each other, and a page for each run with its curves, verdicts and games. Runs that other processes play are
followed as their steps are stored. The page changes nothing and can be left open. Ctrl-C ends it.

An address that other machines reach needs a token, in the file --token-file; it is part of the link that is printed for them.`,
		Example: "  tune watch\n  tune watch night-1 night-2 --listen 127.0.0.1:8090\n  tune watch --listen 0.0.0.0:8090 --token-file token.txt",
		Args:    cobra.ArbitraryArgs,
	}, &watchOptions{}, watchRuns)
}

func watchRuns(cmd *cobra.Command, o *watchOptions, args []string) error {
	pages, err := watch.NewShelf(o.Runs, args...)
	if err != nil {
		return err
	}
	site, err := openPage(cmd.Context(), &o.pageOptions)
	if err != nil {
		return err
	}
	if out := cmd.OutOrStdout(); o.JSON {
		err = config.WriteJSON(out, map[string]string{"url": site.URL()})
	} else {
		_, err = io.WriteString(out, site.Text(text.CanDraw(out))) // with the colours of a code for a camera
	}
	if err != nil {
		return err
	}
	return site.Serve(cmd.Context(), pages, config.NewLogger(cmd.ErrOrStderr(), &o.Common))
}
