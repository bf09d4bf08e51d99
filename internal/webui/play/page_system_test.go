//go:build system

package play_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"quintune/internal/webui/browsertest"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// A whole game by clicking, against the weakest opponent, with undo and redo at its end.
func TestGameByClicking(t *testing.T) {
	address := serve(t)
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	player, err := search.NewEngine(set, 15, pattern.Freestyle, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range windows() {
		p := open(t, address, size[0], size[1])
		p.Picture(fmt.Sprintf("start_%d", size[0]))
		choose(p, "white-player", "baseline:random")
		p.Wait(`document.getElementById('white-name').textContent.startsWith('baseline:random')`)
		for ply := 0; ; ply += 2 {
			stones(p, ply)
			move := player.Search(t.Context(), position(t, p), search.Limits{Nodes: 500}, nil)
			clickCell(t, p, move.Best.String())
			p.Wait(fmt.Sprintf(`document.getElementById('status').textContent === 'You win.' || document.querySelectorAll('#moves li').length === %d`, ply+2))
			if text(p, "#status") == "You win." {
				break
			}
		}
		if n := count(p, "#board .winning circle"); n < 5 {
			t.Errorf("%d stones of the winning row are marked", n)
		}
		if text(p, "#bar-text") != "Black wins" {
			t.Errorf("the bar says %q", text(p, "#bar-text"))
		}
		p.Picture(fmt.Sprintf("won_%d", size[0]))
		n := position(t, p).Ply()
		p.Click("#undo")
		stones(p, n-1)
		p.Click("#redo")
		stones(p, n)
		p.Click("#undo")
		stones(p, n-1)
		p.Click("#undo")
		stones(p, n-3)
		p.CheckQuiet(address)
	}
}

// hostile is a name that would become markup if it were not escaped.
const hostile = `<img src=x onerror="document.title='hit'"> "mine"`

func TestFiles(t *testing.T) {
	address := serve(t)
	set, err := weights.Preset("zhang")
	if err != nil {
		t.Fatal(err)
	}
	set.Name = hostile
	data, err := weights.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	files := map[string]string{
		"weights.json": string(data), "game.psq": "Piskvorky 15x15, 11:11, 0\n8,8,100\n9,9,100\n8,9,100\nA.zip\nB.zip\n0\n", "bad.psq": "Piskvorky 15x15, 11:11, 0\n77,8,100\n",
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range windows() {
		p := open(t, address, size[0], size[1])
		p.Do(chromedp.SetUploadFiles("#weights-file", []string{filepath.Join(folder, "weights.json")}))
		p.Wait(`!document.getElementById('toast').hidden`)
		if !strings.Contains(text(p, "#toast"), hostile) || count(p, "img[src=x]") != 0 {
			t.Errorf("the message is %q", text(p, "#toast"))
		}
		if got := browsertest.Value[string](p, `document.getElementById('analysis-weights').value`); got != "default" {
			t.Errorf("%s analyses once weights are loaded, want default", got)
		}
		id := browsertest.Value[string](p, `document.querySelector('#white-player option[value^="upload:"]').value`)
		choose(p, "white-player", id)
		p.Wait(`document.getElementById('white-name').textContent.startsWith('<img')`)
		clickCell(t, p, "h8")
		stones(p, 2)
		p.Do(chromedp.SetUploadFiles("#record-file", []string{filepath.Join(folder, "game.psq")}))
		stones(p, 3)
		if n := count(p, "#tabs .tab"); n != 2 {
			t.Errorf("%d games are open", n)
		}
		p.Do(chromedp.SetUploadFiles("#record-file", []string{filepath.Join(folder, "bad.psq")}))
		p.Wait(`document.getElementById('toast').textContent.includes('line 2')`)
		p.Click("#tabs .tab:first-child button")
		stones(p, 2)
		if title := browsertest.Value[string](p, `document.title`); title != "Quintune" {
			t.Errorf("the title is %q", title)
		}
		p.Click("#share")
		p.Wait(`document.getElementById('link').value.includes('moves=h8')`)
		link := browsertest.Value[string](p, `document.getElementById('link').value`)
		other := open(t, link, size[0], size[1])
		stones(other, 2)
		other.CheckQuiet(address)
	}
}

// A double click that closes the only game begins one new game.
func TestDoubleClickOnTheLastTab(t *testing.T) {
	var begun atomic.Int32
	address := serveThrough(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && r.URL.Path == "/api/games" {
				begun.Add(1)
			}
			h.ServeHTTP(w, r)
		})
	})
	p := open(t, address+"#size=15&rule=freestyle&moves=h8i9", 1366, 768)
	stones(p, 2)
	before := begun.Load()
	browsertest.Value[bool](p, `(() => { const shut = document.querySelector('#tabs .shut'); shut.click(); shut.click(); return true; })()`)
	stones(p, 0)
	p.Wait(`document.querySelectorAll('#tabs .tab').length === 1`)
	if got := begun.Load() - before; got != 1 {
		t.Errorf("%d games were begun", got)
	}
}

// Engines that play each other and are held stay so when a move is taken back.
func TestUndoBetweenHeldEngines(t *testing.T) {
	p := open(t, serve(t)+"#size=15&rule=freestyle&moves=h8i9g7", 1366, 768)
	stones(p, 3)
	choose(p, "white-player", "huang")
	stones(p, 4)
	choose(p, "black-player", "huang")
	p.Wait(`document.querySelectorAll('#moves button').length > 6`)
	keys(p, "[") // holds them
	p.Wait(`document.getElementById('run').textContent === 'Continue'`)
	browsertest.Value[bool](p, `document.getElementById('first').click() ?? true`)
	stones(p, 0)
	keys(p, "]", "]")
	stones(p, 2)
	p.Click("#undo")
	stones(p, 1)
	if now := text(p, "#run"); now != "Continue" {
		t.Errorf("the button says %q after a move was taken back", now)
	}
}

// Swap2 openings and renju's forbidden cells on the page.
func TestOpeningsAndFouls(t *testing.T) {
	address := serve(t)
	p := open(t, address+"#size=15&rule=renju&moves=h8a1i8a2g9a3g10a15", 1440, 900)
	stones(p, 8)
	if count(p, "#board .forbidden path") == 0 {
		t.Error("no forbidden point is shown")
	}
	clickCell(t, p, "g8")
	p.Wait(`document.getElementById('status').textContent.includes('double three')`)
	p.Picture("renju")
	file := filepath.Join(t.TempDir(), "foul.sgf")
	if err := os.WriteFile(file, []byte("(;GM[4]SZ[15]RU[renju];B[hh];W[aa];B[ih];W[ba];B[gi];W[ca];B[gj];W[ao];B[gh])"), 0o666); err != nil {
		t.Fatal(err)
	}
	p.Do(chromedp.SetUploadFiles("#record-file", []string{file}))
	p.Wait(`document.getElementById('status').textContent === 'The last move of the record, g8, is left out. It is forbidden to Black: double three.'`)
	stones(p, 8)
	keys(p, "n")
	p.Wait(`document.getElementById('new-dialog').open`)
	choose(p, "new-rule", "freestyle")
	choose(p, "new-opening", "swap2")
	p.Click("#new-form button[type=submit]")
	p.Wait(`document.getElementById('status').textContent === 'Swap2: put a black stone (1 of 3).' && document.getElementById('black-turn').textContent === 'to move'`)
	keys(p, "n")
	p.Wait(`document.getElementById('new-dialog').open`)
	choose(p, "new-opening", "swap2")
	choose(p, "new-side", "white")
	p.Click("#new-form button[type=submit]")
	p.Wait(`!document.getElementById('choices').hidden && document.getElementById('white-turn').textContent === 'to choose'`)
	stones(p, 3)
	p.Picture("swap2")
	p.Click("#setup")
	p.Wait(`!document.getElementById('setup-tools').hidden && document.getElementById('choices').hidden`)
	p.Click("#setup-cancel")
	p.Wait(`!document.getElementById('choices').hidden`)
	p.Click("#take-black")
	p.Wait(`document.getElementById('black-name').textContent === 'You' && document.getElementById('choices').hidden`)
	stones(p, 4)
	p.CheckQuiet(address)
}

// A strength keeps all of its limits while its select does not change. Swapping sides takes the names along.
func TestSeatsKeepLimitsAndNames(t *testing.T) {
	address := serve(t)
	p := open(t, address, 1366, 768)
	browsertest.Value[bool](p, `sessionStorage.setItem('quintune.games', JSON.stringify([{id: 'forgotten', tree: [null], size: 15, rule: 'freestyle', moves: [], ply: 0,
		opening: '', names: ['Anna', ''], seats: [{player: ''}, {player: 'default', level: 3, nodes: 500, time: 2000}]}])) ?? true`)
	p.Do(chromedp.Reload())
	kept := func(game int, names, black, white string) {
		t.Helper()
		p.Wait(fmt.Sprintf(`(() => {
			const game = JSON.parse(sessionStorage.getItem('quintune.games')).at(%d);
			return game && game.names.join() === %q && game.seats.map((s) => [s.player, s.level, s.nodes, s.time].join()).join(' ') === %q; })()`, game, names, black+" "+white))
	}
	p.Wait(`document.body.dataset.ready === 'true' && document.getElementById('black-name').textContent === 'Anna'`)
	p.Click("#swap")
	kept(0, ",Anna", "default,3,500,2000", ",0,0,0")
	p.Click("#new")
	p.Wait(`document.getElementById('new-dialog').open`)
	p.Click("#new-form button[type=submit]")
	kept(1, ",", ",0,0,0", "default,3,500,2000")
	p.Wait(`!document.getElementById('new-dialog').open`)
	choose(p, "white-player", "huang")
	kept(1, ",", ",0,0,0", "huang,3,500,2000")
	choose(p, "white-strength", "nodes:1000")
	kept(1, ",", ",0,0,0", "huang,0,1000,0")
	p.Forget() // that the game was forgotten is on the console
}
