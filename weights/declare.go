package weights

import (
	"slices"

	"quintune/pattern"
)

// alteredSchemas lists the fingerprints of the first schemas, up to the last one in which a weight had another
// name, place or bound than now. Later fingerprints follow from the declaration. When you rename or move an
// existing weight or change its bounds, append the fingerprints that are in testdata/fingerprints and not in
// this list.
func alteredSchemas() []string { return nil }

// SearchGroup is the name of the group with the numbers of the search.
const SearchGroup = "search"

func declaredGroups() []Group {
	groups := []Group{
		{Name: "line", Family: "position", Doc: "points of one line through an empty cell, by the class a side would get there"},
		{Name: "cell", Family: "position", Doc: "points of an empty cell, by what its four lines make together, on top of the lines"},
		{Name: "order", Family: "order", Doc: "move ordering: points of one line through a candidate move"},
		{Name: "tempo", Family: "position", Doc: "points for the move, by the best cell class of each side"},
		{Name: "pair", Family: "position", Fitted: true, Doc: "points of an empty cell, by each two of its four lines, on top of lines and cell"},
		{Name: SearchGroup, Doc: "margins and reductions of the search"},
	}
	for _, g := range groups[:5] {
		g.Name, g.Doc, g.Renju = blackPrefix+g.Name, "what renju's Black has in place of `"+g.Name+"`: "+g.Doc, true
		groups = append(groups, g)
	}
	return groups
}

func declared() []Decl {
	line, cell := lineDecls("line", lineRows[:]), cellDecls("cell", "cell", cellRows[:])
	order, tempo := lineDecls("order", lineRows[:]), cellDecls("tempo", "best cell", cellRows[:])
	pairs := pairDecls(lineRows[:])
	return slices.Concat(
		line, cell, order, tempo, pairs, searchDecls(),
		blackDecls(line),
		blackDecls(cell), forbiddenDecls(),
		blackDecls(order),
		blackDecls(tempo),
		blackDecls(pairs),
	)
}

// blackPrefix begins the names of the groups for Black in renju.
const blackPrefix = "black_"

// blackDecls declares a copy of each weight of the list for Black in renju. An anchor is not copied as an
// anchor, so both copies share one scale.
func blackDecls(list []Decl) []Decl {
	list = slices.Clone(list)
	for i := range list {
		d := &list[i]
		d.Mirror, d.Since, d.Anchor = d.Name, max(2, d.Since), false
		d.Name, d.Group = blackPrefix+d.Name, blackPrefix+d.Group
		if d.Above != "" {
			d.Above = blackPrefix + d.Above
		}
	}
	return list
}

func searchDecls() []Decl {
	return []Decl{
		searchDecl("aspiration", "half width of the first aspiration window, points", 10, 5000, Log, 200),
		searchDecl("lmr_base", "late move reduction: constant part, 1/1024 ply", -2048, 4096, Linear, 256),
		searchDecl("lmr_scale", "late move reduction: factor of ln(depth) ln(move number), 1/1024 ply", 0, 4096, Log, 448),
		searchDecl("futility", "futility: margin below which a quiet move cannot reach alpha, points per ply of depth", 0, 20000, Log, 1200).deep(),
		searchDecl("reverse_futility", "reverse futility: margin above beta at which a node is cut, points per ply of depth", 0, 20000, Log, 3600).deep(),
		searchDecl("candidates", "scored candidates looked at in an inner node at the most", 2, 484, Log, 24),
		searchDecl("move_base", "constant part of the number of scored candidates that a node looks at", 1, 484, Log, 4),
		searchDecl("move_depth", "scored candidates more for each ply of depth", 0, 100, Log, 2),
		searchDecl("order_history", "weight of the history against the move score, 1/1024", 0, 65536, Log, 1024),
		searchDecl("vcf_least_depth", "least depth at which a node looks for continuous fours, plies", 0, 100, Linear, 7).until(3),
		searchDecl("vcf_nodes", "nodes spent on continuous fours for each ply of depth", 0, 100000, Log, 16).until(3),
		searchDecl("vcf_root_share", "the root spends at most 1/n of its nodes on continuous fours", 2, 1000, Log, 8).since(2),
		searchDecl("vct_root_share", "the root spends at most 1/n of its nodes on continuous threats", 2, 1000, Log, 16).until(3).since(2),
		searchDecl("extensions", "first answers to an open four in the making that cost no depth", 0, 484, Linear, 1).since(2),
		searchDecl("quiescence", "plies beyond the horizon that an open four in the making is answered", 0, 40, Linear, 8).since(2),
		searchDecl("quiescence_moves", "answers looked at there", 1, 484, Log, 2).since(2),
		searchDecl("lmr_worsening", "late move reduction: more where the static score has not risen since the mover's last turn, 1/1024 ply", 0, 4096, Linear, 1024).since(2),
		searchDecl("lmr_cut_node", "late move reduction: more at expected cut nodes, 1/1024 ply", 0, 4096, Linear, 1024).since(3),
		searchDecl("lmr_quiet", "late move reduction: less for a move that makes and stops at most an open two, 1/1024 ply", 0, 4096, Linear, 1024).since(5),
		searchDecl("lmr_no_tt_move", "late move reduction: more at expected cut nodes without a TT move, 1/1024 ply", 0, 4096, Linear, 512).since(5),
		searchDecl("lmr_four", "late move reduction: more for a four that builds nothing and stops no four, plies", 0, 8, Linear, 1).since(3),
		searchDecl("four_pruning", "greatest depth at which such a four is not an answer to an open four in the making, plies", 0, 40, Linear, 2).since(3).deep(),
		searchDecl("order_class", "weight of the history by cell classes against the move score, 1/1024", 0, 65536, Log, 1024).since(3),
		searchDecl("order_continuation", "weight of the history by the way from the last moves against the move score, 1/1024", 0, 65536, Log, 1024).since(3),
		searchDecl("order_killer", "ordering points of a move that failed high at the same ply", 0, 1000000, Log, 2048).since(3),
		searchDecl("order_counter", "ordering points of a move that failed high against the same last move", 0, 1000000, Log, 1024).since(3),
		searchDecl("pruning_depth", "greatest depth at which the static score prunes, plies", 0, 100, Linear, 4).since(3).deep(),
		searchDecl("correction_threat", "share of the correction of the static score by the best cell classes of both sides, 1/1024", 0, 4096, Linear, 512).since(3),
		searchDecl("correction_last_move", "share of the correction of the static score by what the last move made, 1/1024", 0, 4096, Linear, 512).since(3),
		searchDecl("correction_max", "greatest difference between result and static score that one search counts, points", 0, 1000000, Log, 6000).since(3),
	}
}

// searchDecl declares a number of the search, of the first schema where since does not name another.
func searchDecl(name, doc string, lowest, highest int32, scale Scale, ref int32) Decl {
	return Decl{
		Name: SearchGroup + "." + name, Group: SearchGroup, Doc: doc, Min: lowest, Max: highest, Scale: scale,
		Ref: ref, Gene: true, Since: 1, Neutral: ref,
	}
}

// since returns the declaration of a weight that was added with the given schema.
func (d Decl) since(number int) Decl {
	d.Since = number
	return d
}

// deep returns the declaration of a weight about which games of few nodes mislead.
func (d Decl) deep() Decl {
	d.Deep = true
	return d
}

// until returns the declaration of a weight whose last schema is the given one.
func (d Decl) until(number int) Decl {
	d.Until = number
	return d
}

// Columns of the tables: index 0 is the side to move, index 1 the other side.
const (
	Self = iota
	Opponent
	NumColumns = iota
)

var columnNames = [NumColumns]string{"self", "opponent"}

const (
	tableMax  = 20000 // bound of line and order weights
	signedMax = 16000 // bound of cell and tempo weights, both signs
	pairMax   = 8000  // bound of pair weights, both signs
)

// lineRow declares one line class in both columns. A test classifies the drawing in doc: O is ours, X theirs, _
// empty, . the cell. The board ends where the drawing ends.
type lineRow struct {
	class pattern.LineClass
	above pattern.LineClass // class that it must exceed; Dead: zero
	ref   [NumColumns]int32 // close to the table of Huang (2018)
	gene  bool
	since int // number of the first schema with the class
	doc   string
}

// lineRows is indexed by class.
var lineRows = [...]lineRow{
	{pattern.Dead, 0, [NumColumns]int32{0, 0}, false, 1, "no five is possible, `X.___X`"},
	{pattern.ClosedOne, pattern.Dead, [NumColumns]int32{15, 10}, true, 1, "sleeping one, `X.____`"},
	{pattern.OpenOne, pattern.ClosedOne, [NumColumns]int32{40, 25}, true, 1, "live one, `____.____`"},
	{pattern.ClosedTwo, pattern.ClosedOne, [NumColumns]int32{120, 75}, true, 1, "sleeping two, `XO.___`"},
	{pattern.OpenTwo, pattern.OpenOne, [NumColumns]int32{260, 240}, true, 1, "live two, wide or cramped, `___O__.___`"},
	{pattern.OpenTwo3, pattern.OpenTwo, [NumColumns]int32{340, 320}, true, 1, "live two, split by one, `___O_.___`"},
	{pattern.OpenTwo4, pattern.OpenTwo3, [NumColumns]int32{450, 415}, true, 1, "live two, solid with room, `____O.____`"},
	{pattern.ClosedThree, pattern.ClosedTwo, [NumColumns]int32{650, 500}, true, 1, "sleeping three, `XOO.__`"},
	{pattern.OpenThree, pattern.OpenTwo4, [NumColumns]int32{1550, 1150}, true, 1, "live three, split or cramped, `__O_O.__`"},
	{pattern.OpenThree2, pattern.OpenThree, [NumColumns]int32{1730, 1425}, true, 1, "live three, solid with room, `__OO.__`"},
	{pattern.Four, pattern.OpenThree2, [NumColumns]int32{2450, 1750}, true, 1, "four, one cell makes five, `XOOO._`"},
	{pattern.OpenFour, pattern.Four, [NumColumns]int32{4750, 3600}, true, 1, "open four, two cells make five, `_OOO._`"},
	{pattern.Five, 0, [NumColumns]int32{20000, 15000}, false, 1, "a winning row, `_OOOO._`"},
	{pattern.Overline, 0, [NumColumns]int32{0, 0}, false, 1, "six or more where only five wins"},
}

// anchorClass is the class whose increment fixes the scale of a line table.
const anchorClass = pattern.OpenThree

func lineDecls(group string, rows []lineRow) []Decl {
	var decls []Decl
	for _, row := range rows {
		for column, ref := range row.ref {
			d := Decl{
				Name: TableName(group, row.class.String(), column), Group: group, Doc: row.doc + columnDoc(column),
				Max: tableMax, Scale: Log, Ref: ref, Gene: row.gene, Since: row.since,
				Anchor: row.class == anchorClass && column == Self,
			}
			if row.above != pattern.Dead {
				d.Above = TableName(group, row.above.String(), column)
			}
			decls = append(decls, d)
		}
	}
	return decls
}

// cellRow declares one cell class in both columns.
type cellRow struct {
	class pattern.CellClass
	ref   int32 // magnitude around which genes are logarithmic, points
	gene  bool
	since int // number of the first schema with the class
	doc   string
}

var cellRows = [...]cellRow{
	{pattern.CellTwo, 20, true, 1, "an open two"},
	{pattern.CellClosedThree, 20, true, 1, "a closed three"},
	{pattern.CellDoubleTwo, 50, true, 1, "two open twos"},
	{pattern.CellClosedThreePlus, 50, true, 1, "two closed threes, or one and an open two"},
	{pattern.CellThree, 100, true, 1, "an open three"},
	{pattern.CellThreePlus, 100, true, 1, "an open three and a closed three or an open two"},
	{pattern.CellDoubleThree, 400, true, 1, "two open threes"},
	{pattern.CellFour, 100, true, 1, "a four"},
	{pattern.CellFourPlus, 200, true, 1, "a four and a closed three or an open two"},
	{pattern.CellFourThree, 400, true, 1, "a four and an open three"},
	{pattern.CellOpenFour, 400, true, 1, "an open four, or two fours"},
	{pattern.CellFive, 400, false, 1, "five"},
}

// forbiddenDecls declares the cell class that only Black in renju has.
func forbiddenDecls() []Decl {
	return cellDecls(blackPrefix+"cell", "cell", []cellRow{
		{pattern.CellForbidden, 100, true, 2, "an overline or two fours, which are forbidden"},
	})
}

func cellDecls(group, what string, rows []cellRow) []Decl {
	var decls []Decl
	for _, row := range rows {
		for column := range NumColumns {
			decls = append(decls, Decl{
				Name: TableName(group, row.class.String(), column), Group: group,
				Doc: what + ": " + row.doc + columnDoc(column),
				Min: -signedMax, Max: signedMax, Scale: Signed, Ref: row.ref, Gene: row.gene, Since: row.since,
			})
		}
	}
	return decls
}

// pairClasses are the line classes that the weights of pairs are for: an open four decides alone.
var pairClasses = [...]pattern.LineClass{
	pattern.ClosedOne, pattern.OpenOne, pattern.ClosedTwo, pattern.OpenTwo, pattern.OpenTwo3, pattern.OpenTwo4,
	pattern.ClosedThree, pattern.OpenThree, pattern.OpenThree2, pattern.Four,
}

// firstPairs is the number of the first schema with weights of pairs.
const firstPairs = 6

// pairDecls declares a weight for each two line classes, in both columns. rows is indexed by class.
func pairDecls(rows []lineRow) []Decl {
	var decls []Decl
	for i, b := range pairClasses {
		for _, a := range pairClasses[:i+1] {
			for column := range NumColumns {
				decls = append(decls, Decl{
					Name: TableName("pair", PairClass(a, b), column), Group: "pair", Doc: "lines: `" + a.String() + "` and `" + b.String() + "`" + columnDoc(column),
					Min: -pairMax, Max: pairMax, Scale: Signed, Ref: 50, Gene: true,
					Since: max(firstPairs, rows[a].since, rows[b].since),
				})
			}
		}
	}
	return decls
}

// PairClass returns the name of two line classes, the weaker first, as in "pair.open_two_and_open_three.self".
func PairClass(a, b pattern.LineClass) string {
	return min(a, b).String() + "_and_" + max(a, b).String()
}

// TableName returns the name of a table entry in a group and column, such as "line.open_four.self".
func TableName(group, class string, column int) string {
	return group + "." + class + "." + columnNames[column]
}

func columnDoc(column int) string {
	if column == Self {
		return "; for the side to move"
	}
	return "; for the other side"
}
