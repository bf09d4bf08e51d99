package browsertest

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// complaints is our own small accessibility checker in JavaScript. It needs nothing but the page.
//
//go:embed complaints.js
var complaints string

// violations runs axe-core and keeps what it finds.
const violations = `window.violations = undefined;
axe.run(document, { resultTypes: ['violations'] }).then(
  (r) => { window.violations = r.violations.map((v) => 'axe ' + v.id + ', ' + v.help + ': ' + v.nodes.map((n) => n.target.join(' ')).slice(0, 4).join(', ')); },
  (e) => { window.violations = [String(e)]; });
true`

// folder is that of the package under test, where a test begins.
var folder, _ = os.Getwd()

// readAxe returns the script of axe-core, which is in the source tree.
var readAxe = sync.OnceValues(func() ([]byte, error) {
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}")
	list.Dir = folder
	top, err := list.Output()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(top)), "tools/axe/node_modules/axe-core/axe.min.js"))
})

// Complaints returns what makes the page inaccessible: the findings of our checker and the violations that
// axe-core finds. Without axe-core, which `make axe` fetches, only our checker runs; in CI that is a failure.
func (p *Page) Complaints() []string {
	p.t.Helper()
	found := Value[[]string](p, complaints)
	axe, err := readAxe()
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") == "" {
		p.t.Log("axe-core is not there: `make axe` fetches it")
		return found
	}
	if err != nil {
		p.t.Fatal(err)
	}
	Value[bool](p, "typeof axe === 'object' || (() => {"+string(axe)+"; return true; })()")
	Value[bool](p, violations)
	p.Wait("window.violations !== undefined")
	return append(found, Value[[]string](p, "window.violations")...)
}
