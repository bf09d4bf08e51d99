package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rounded are the packages whose numbers end in stored runs: their bits must not depend on the processor.
var rounded = []string{
	"board", "evaluator", "ga", "internal/book", "internal/engine", "internal/fit", "internal/journal", "internal/ladder", "internal/match",
	"internal/run", "internal/stats", "internal/store", "internal/strictmath", "internal/tuner", "pattern", "search", "selfplay", "weights",
}

// exact are the functions of package math with one result, which every processor gives. The others have assembly for some
// processors, or sums that the compiler fuses on some; internal/strictmath has those that are needed.
var exact = []string{
	"Abs", "Ceil", "Copysign", "FMA", "Float64bits", "Float64frombits", "Floor", "Frexp", "Inf", "IsInf", "IsNaN", "Ldexp", "Max", "Min",
	"Mod", "Modf", "NaN", "Nextafter", "Remainder", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc",
}

// constants are those of package math.
var constants = regexp.MustCompile(`^(E|Pi|Phi|Sqrt(2|E|Pi|Phi)|Ln2|Log2E|Ln10|Log10E|(Max|Min|Smallest)\w+)$`)

// checkMath returns the uses in a file of functions of package math whose bits depend on the processor, and the imports
// of gonum, whose vector loops do too.
func checkMath(file string, text []byte) ([]string, error) {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var wrong []string
	local := "math" // its name in the file
	for _, s := range tree.Imports {
		name, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(name, "gonum.org/") && file != "internal/stats/elo.go" { // LOS rounds what it takes from there
			wrong = append(wrong, fmt.Sprintf("%s: imports %s, whose sums depend on the processor", file, name))
		}
		if name == "math" && s.Name != nil {
			local = s.Name.Name
		}
	}
	if local == "." {
		wrong = append(wrong, fmt.Sprintf("%s: imports math without a name, so its functions are not seen", file))
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		used, isSelector := n.(*ast.SelectorExpr)
		if !isSelector || slices.Contains(exact, used.Sel.Name) || constants.MatchString(used.Sel.Name) {
			return true
		}
		if p, isName := used.X.(*ast.Ident); isName && p.Name == local {
			wrong = append(wrong, fmt.Sprintf("%s: uses math.%s, whose last bit depends on the processor; want one of internal/strictmath",
				files.Position(used.Pos()), used.Sel.Name))
		}
		return true
	})
	return wrong, nil
}

func TestStoredNumbersDoNotDependOnTheProcessor(t *testing.T) {
	seen := map[string]bool{}
	err := walkFiles("../..", []string{".go"}, func(file string, data []byte) error {
		if !slices.Contains(rounded, path.Dir(file)) || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		seen[path.Dir(file)] = true
		wrong, err := checkMath(file, data)
		for _, w := range wrong {
			t.Error(w)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != len(rounded) {
		t.Errorf("got files of %d packages, want those of %d", len(seen), len(rounded))
	}
}

func TestCheckMath(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       int
	}{
		{"exact", "import \"math\"\nvar x = math.Sqrt(2) + math.Pi", 0},
		{"assembly", "import \"math\"\nvar x = math.Exp(2)", 1},
		{"nested", "import \"math\"\nvar x = math.Abs(math.Log(2) * math.Sinh(1))", 2},
		{"a value", "import \"math\"\nvar f = math.Exp", 1},
		{"another name", "import m \"math\"\nvar x = m.Exp(m.Pi)", 1},
		{"no name", "import . \"math\"\nvar x = Exp(2)", 1},
		{"another package", "import \"quintune/internal/strictmath\"\nvar x = strictmath.Exp(2)", 0},
		{"vector loops", "import \"gonum.org/v1/gonum/floats\"\nvar x = floats.Sum(nil)", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, err := checkMath("a/a.go", []byte("package a\n"+test.text)); err != nil || len(got) != test.want {
				t.Errorf("got %q and error %v, want %d faults", got, err, test.want)
			}
		})
	}
}
