package player

import (
	"fmt"
	"strings"

	"quintune/internal/baseline"
	"quintune/weights"
)

// Help tells people which player arguments there are: for the end of a command's help.
func Help() string {
	return fmt.Sprintf(`A PLAYER is a preset (%s),
a weights file (anything that ends in %s), %sCOMMAND LINE (an engine behind the Gomocup
protocol) or %sNAME, a system of the literature, with options behind the name
where it has any, such as '%shuang?depth=4&candidates=20':
%s`, strings.Join(weights.PresetNames(), ", "), fileEnding, gomocupPrefix, baselinePrefix, baselinePrefix, strings.TrimRight(baseline.Help(), "\n"))
}
