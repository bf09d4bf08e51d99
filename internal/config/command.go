package config

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quintune/internal/text"
)

// Execute runs a program's command line and writes its error to log, in the form that --log-format
// asks for. engine is the engine signature, for --version. The error is returned for Exit.
func Execute(ctx context.Context, root *cobra.Command, engine string, args []string, in io.Reader, out, log io.Writer) error {
	root.SetArgs(append([]string{}, args...)) // never nil, for which cobra takes the arguments of the process
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(log)
	furnish(root, engine, args...)
	markUsage(root)
	var unwritten error // of the help, whose errors cobra does not return
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { unwritten = writeHelp(cmd) })
	cmd, err := root.ExecuteContextC(ctx)
	err = cmp.Or(err, unwritten)
	if errors.Is(err, context.Canceled) && !errors.Is(err, ErrInterrupted) {
		err = ErrInterrupted // in plain words
	}
	if err != nil {
		tell(cmd, log, err)
	}
	return err
}

// furnish adds what all programs have: --version, help and completion. The output must be set before, since the
// completion scripts are written to it.
func furnish(root *cobra.Command, engine string, args ...string) {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Version = Version(engine)
	root.SetVersionTemplate("{{.Version}}\n")
	cobra.AddTemplateFunc("flagGroups", flagGroups)
	cobra.AddTemplateFunc("summary", summary)
	root.SetUsageTemplate(usageTemplate)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
}

// markUsage marks errors in flags and arguments that cobra finds as usage errors.
func markUsage(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return Usage(flagError(cmd, err)) })
	check := cmd.Args
	switch {
	case check != nil:
	case cmd.Name() == "help":
		check = helpTopic
	default:
		check = cobra.NoArgs
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		return Usage(argumentError(cmd, args, check(cmd, args)))
	}
	if !cmd.Runnable() {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return Usagef("a command is missing") }
	}
	if cmd.ValidArgsFunction == nil && !cmd.HasSubCommands() && takesNone(cmd) {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range cmd.Commands() {
		markUsage(sub)
	}
}

// argumentError returns the error for arguments that a command does not take. It shows those that the command
// takes.
func argumentError(cmd *cobra.Command, args []string, err error) error {
	switch {
	case err == nil || cmd.Name() == "help":
		return err
	case cmd.HasSubCommands():
		return unknownCommand(cmd, args[0])
	case takesNone(cmd):
		return fmt.Errorf("%.40q is too much: %s takes no arguments", args[0], cmd.CommandPath())
	}
	return fmt.Errorf("%w: the usage is %s", err, usageOf(cmd))
}

// usageOf returns how a command is called, without its flags.
func usageOf(cmd *cobra.Command) string { return strings.TrimSuffix(cmd.UseLine(), " [flags]") }

// takesNone reports whether a command takes no arguments.
func takesNone(cmd *cobra.Command) bool { return usageOf(cmd) == cmd.CommandPath() }

// unknownCommand returns the error for an unknown command below cmd.
func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	return fmt.Errorf("unknown command %.40q%s", name, text.DidYouMean(name, names))
}

// helpTopic refuses what is not the path of a command.
func helpTopic(cmd *cobra.Command, args []string) error {
	topic, rest, err := cmd.Root().Find(args)
	if err == nil && len(rest) > 0 {
		err = unknownCommand(topic, rest[0])
	}
	return err
}

// otherFlags are what some commands call the flag that others have under another name.
var otherFlags = map[string]string{"out": "output", "output": "out", "o": "out"}

// flagError adds the flag that was probably meant to the error of an unknown flag, and removes pflag's words around our
// own.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *valueError
	switch {
	case errors.As(err, &unknown) && cmd.Flags().Lookup(otherFlags[unknown.GetSpecifiedName()]) != nil:
		return fmt.Errorf("%w: did you mean %q?", err, "--"+otherFlags[unknown.GetSpecifiedName()])
	case errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1:
		var names []string
		cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, "--"+flag.Name) })
		if meant := text.DidYouMean("--"+unknown.GetSpecifiedName(), names); meant != "" {
			return fmt.Errorf("%w%s", err, meant)
		}
	case errors.As(err, &value):
		return value
	}
	return err
}

// valueError is the error of a value that an option does not accept.
type valueError struct {
	name string
	err  error // continues the name
}

func (e *valueError) Error() string { return e.name + " " + e.err.Error() }
func (e *valueError) Unwrap() error { return e.err }

// tell writes an error to log, in the form of --log-format. It may hold text of a server, a file or its name.
func tell(cmd *cobra.Command, log io.Writer, err error) {
	if flag := cmd.Flags().Lookup("log-format"); flag != nil && flag.Value.String() == "json" {
		slog.New(slog.NewJSONHandler(log, nil)).Error(err.Error())
		return
	}
	lines := strings.Split(err.Error(), "\n")
	for i := range lines {
		lines[i] = text.Printable(lines[i])
	}
	fmt.Fprintf(log, "%s: %s\n", cmd.CommandPath(), strings.Join(lines, "\n"))
	if Exit(err) == ExitUsage {
		fmt.Fprintf(log, "`%s --help` shows the usage.\n", cmd.CommandPath())
	}
}

// NewLogger returns the logger of a command, which writes to log in the form of --log-format;
// with --quiet only warnings and errors.
func NewLogger(log io.Writer, c *Common) *slog.Logger {
	options := &slog.HandlerOptions{Level: slog.LevelInfo}
	if c.Quiet {
		options.Level = slog.LevelWarn
	}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(log, options))
	}
	options.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key == slog.TimeKey {
			return slog.Attr{} // the time is left out at a terminal
		}
		return a
	}
	return slog.New(slog.NewTextHandler(log, options))
}

// WriteJSON writes one object on one line, as --json wants it.
func WriteJSON(out io.Writer, object any) error {
	data, err := json.Marshal(object)
	if err != nil {
		return err
	}
	_, err = out.Write(append(data, '\n'))
	return err
}

// Repeat returns the arguments that run a command again as it was typed, beginning with its name. Flags for the
// form of the output are left out, and so are those in omit.
func Repeat(cmd *cobra.Command, args []string, omit ...string) []string {
	line := append(strings.Fields(cmd.CommandPath()), args...)
	omit = append(omit, "json", "quiet", "log-format")
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		value, ours := flag.Value.(*flagValue)
		switch {
		case !ours || slices.Contains(omit, flag.Name):
		case value.option.placeholder == "" && value.text == "true": // a switch
			line = append(line, "--"+flag.Name)
		case value.option.placeholder == "":
			line = append(line, "--"+flag.Name+"="+value.text)
		case value.option.repeated:
			for _, text := range strings.Split(value.text, separator) {
				line = append(line, "--"+flag.Name, text)
			}
		default:
			line = append(line, "--"+flag.Name, value.text)
		}
	})
	return line
}
