package text

import "strings"

// plainArgument are the characters that no shell takes for anything but themselves.
const plainArgument = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@"

// CommandLine joins arguments to a line for a shell, quoted where they need it.
func CommandLine(args ...string) string {
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = a
		if a == "" || strings.Trim(a, plainArgument) != "" {
			list[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(list, " ")
}
