package tui

import "charm.land/lipgloss/v2"

// palette is the ink of the screen: signs, and colours that add to them.
type palette struct {
	black, white, empty, star, forbidden, hint string // signs, one cell wide
	full, half                                 string // of the bar: Black's share, White's

	wood, blackStone, whiteStone, point, mark, cursor, won, foul, aid lipgloss.Style // on the board
	label, strong, quiet, key, good, warn, bar                        lipgloss.Style
}

func newPalette(l Look) palette {
	p := palette{black: "●", white: "○", empty: "·", star: "+", forbidden: "×", hint: "?", full: "█", half: "░"}
	if l.ASCII {
		p.black, p.white, p.empty, p.forbidden, p.full, p.half = "X", "O", ".", "#", "#", "-"
	}
	if l.Plain {
		return p
	}
	on := func(foreground string) lipgloss.Style {
		return lipgloss.NewStyle().Background(lipgloss.Color("#d9a95b")).Foreground(lipgloss.Color(foreground))
	}
	ink := func(foreground string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(lipgloss.Color(foreground))
	}
	p.wood, p.point = on("#4a3214"), on("#6b4a1e")
	p.blackStone, p.whiteStone = on("#000000").Bold(true), on("#ffffff").Bold(true)
	p.mark, p.won = on("#8c1d04").Bold(true), on("#7a0f00").Bold(true)
	p.cursor = lipgloss.NewStyle().Background(lipgloss.Color("#1f4e79")).Foreground(lipgloss.Color("#ffffff")).Bold(true)
	p.foul, p.aid = on("#8c1d04"), on("#0b3d91").Bold(true)
	p.label, p.quiet = ink("#9a8f80"), ink("#9a8f80")
	p.strong = lipgloss.NewStyle().Bold(true)
	p.key = ink("#6fb3ff").Bold(true)
	p.good, p.warn = ink("#7ccf7c"), ink("#ffb454").Bold(true)
	p.bar = lipgloss.NewStyle()
	return p
}
