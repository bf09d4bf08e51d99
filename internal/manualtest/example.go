package manualtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
)

// CheckExample returns an error if a program's section in the example configuration file is wrong: it differs
// from Section, it lacks settings of the program or has others, or loading it changes a default of some command.
// With update it first writes the section.
func CheckExample(path string, root *cobra.Command, commands []*cobra.Command, update bool) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, after, found := cutSection(string(data), root.Name())
	if !found {
		return fmt.Errorf("%s has no section %s", path, root.Name())
	}
	section := Section(root.Name(), commands)
	if want := before + section + after; want != string(data) {
		if !update {
			return fmt.Errorf("%s is stale: go test ./cmd/%s -update", path, root.Name())
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			return err
		}
	}
	err = checkSettings(root)
	for _, cmd := range commands {
		err = errors.Join(err, checkDefaults(cmd, section))
	}
	return err
}

// cutSection returns what stands before and after the section of a program.
func cutSection(text, program string) (before, after string, found bool) {
	head := "\n" + program + ":\n"
	at := strings.Index(text, head)
	if at < 0 {
		return "", "", false
	}
	rest := text[at+len(head):]
	end := 0
	for line := range strings.Lines(rest) {
		if line != "\n" && !strings.HasPrefix(line, " ") {
			break
		}
		end += len(line)
	}
	return text[:at+1], rest[end:], true
}

// forCommands begins the line of comment that names the commands of the setting below it.
const forCommands = "  # for "

// Section returns the section of a program. It has every setting that a file can set, under the title of its
// group, with its meaning, the commands that have it, and its default. Commands with the same entry for a
// setting share a line.
func Section(program string, commands []*cobra.Command) string {
	type entry struct{ help, setting string }
	var titles []string
	names := map[string][]string{}  // by title
	entries := map[string][]entry{} // by name
	having := map[string][]string{} // commands by the text of the entry
	all := func(e entry) string { return e.help + e.setting }
	for _, cmd := range commands {
		for _, o := range settingsOf(cmd) {
			e := entry{"  # " + o.Usage() + form(o) + "\n", fmt.Sprintf("  #%s: %s\n", o.Name, scalar(o))}
			if entries[o.Name] == nil {
				if names[o.Group] == nil {
					titles = append(titles, o.Group)
				}
				names[o.Group] = append(names[o.Group], o.Name)
			}
			if having[all(e)] == nil {
				entries[o.Name] = append(entries[o.Name], e)
			}
			having[all(e)] = append(having[all(e)], cmd.CommandPath())
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s:\n", program)
	for _, title := range titles {
		fmt.Fprintf(&b, "\n  # %s\n  # %s\n", title, strings.Repeat("-", len(title)))
		for _, name := range names[title] {
			b.WriteString("\n")
			for _, e := range entries[name] {
				list := strings.Join(having[all(e)], ", ")
				if len(having[all(e)]) == len(commands) {
					list = everyCommand
				}
				fmt.Fprintf(&b, "%s%s%s\n%s", e.help, forCommands, list, e.setting)
			}
		}
	}
	return b.String()
}

// everyCommand is how the file names the commands of a setting that all have.
const everyCommand = "all commands"

// settingsOf returns the options of a command that a file can hold.
func settingsOf(cmd *cobra.Command) []*config.Option {
	return slices.DeleteFunc(config.OptionsOf(cmd), func(o *config.Option) bool { return o.FlagOnly })
}

// form returns in brackets what a setting's value looks like, and its default where that depends on the machine.
func form(o *config.Option) string {
	if o.Varies != "" {
		return " (" + o.Placeholder() + "); without it " + o.Varies
	}
	return " (" + o.Placeholder() + ")"
}

// scalar returns the default in YAML. Where it depends on the machine, it is that of a machine with four
// processors.
func scalar(o *config.Option) string {
	switch {
	case o.Varies != "":
		return "4"
	case o.Default == "" || strings.Contains(o.Default, ": "):
		return strconv.Quote(o.Default)
	}
	return o.Default
}

// tree returns a command and all below it.
func tree(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		list = append(list, tree(sub)...)
	}
	return list
}

// checkSettings compares the names that the configuration knows for a program with the options of its commands.
func checkSettings(root *cobra.Command) error {
	var names []string
	for _, cmd := range tree(root) {
		for _, o := range settingsOf(cmd) {
			names = append(names, o.Name)
		}
		for _, o := range config.OptionsOf(cmd) {
			if strings.Contains(o.Help, "`") {
				return fmt.Errorf("%s --%s: the help takes what stands in back quotes for a placeholder: %s", cmd.CommandPath(), o.Name, o.Help)
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if known := config.Settings(root.Name()); !slices.Equal(names, known) {
		return fmt.Errorf("the settings of %s in internal/config are\n%q, its commands have\n%q", root.Name(), known, names)
	}
	return nil
}

// checkDefaults loads the section for a command: as it stands it must change nothing, and with the command's settings in
// force each must have its default, from the file.
func checkDefaults(cmd *cobra.Command, section string) error {
	for _, inForce := range []bool{false, true} {
		text := section
		if inForce {
			text = uncommented(section, cmd.CommandPath())
		}
		c, file, err := loadFrom(cmd, text)
		if err != nil {
			return fmt.Errorf("%s: %w", cmd.CommandPath(), err)
		}
		for i, o := range config.OptionsOf(cmd) {
			want := config.Entry{Name: o.Name, Value: o.Default, Origin: "default"}
			if o.Name == "config" {
				continue
			}
			if inForce && !o.FlagOnly {
				want.Origin = "file " + file
				if o.Varies != "" {
					want.Value = scalar(o)
				}
			}
			if got := c.Entries()[i]; got != want {
				return fmt.Errorf("%s: the example gives %v, want %v", cmd.CommandPath(), got, want)
			}
		}
		if unused := c.Unused(); len(unused) > 0 {
			return fmt.Errorf("%s does not take %v", cmd.CommandPath(), unused)
		}
	}
	return nil
}

// loadFrom loads the options of a command from the text of a file, and returns the file's name as well.
func loadFrom(cmd *cobra.Command, text string) (c *config.Common, name string, err error) {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	name = filepath.Join(folder, config.DefaultFile)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		return nil, "", err
	}
	if err := cmd.ParseFlags([]string{"--config", name}); err != nil {
		return nil, "", err
	}
	c, err = config.Load(cmd)
	return c, name, err
}

// uncommented returns the section with the settings of one command in force.
func uncommented(section, command string) string {
	var b strings.Builder
	inForce := false
	for line := range strings.Lines(section) {
		if inForce {
			line = strings.Replace(line, "#", "", 1)
		}
		names, found := strings.CutPrefix(strings.TrimSuffix(line, "\n"), forCommands)
		list := strings.Split(names, ", ")
		inForce = found && (slices.Contains(list, command) || slices.Contains(list, everyCommand))
		b.WriteString(line)
	}
	return b.String()
}
