package search

import (
	"math"

	"quintune/weights"
)

// params are the search weights, compiled for the engine.
type params struct {
	aspiration   int32 // half width of the first window, points
	futility     int32 // margin of futility pruning, points per ply
	pruningDepth int   // greatest depth at which futility and reverse futility prune, plies
	reverse      int32 // margin of reverse futility pruning, points per ply
	candidates   int   // greatest number of moves searched at a node without a threat
	moveBase     int   // constant part of the number of moves searched
	moveDepth    int   // further moves for each ply of depth
	orderHistory int32 // weight of the history of cells in move ordering, 1/1024
	vcfShare     int64 // continuous fours at the root may use 1/vcfShare of the limit

	extensions      int // number of first answers to a threatened open four that cost no depth
	quiescence      int // plies from depth 0 down in which threatened open fours are answered
	quiescenceMoves int // answers searched at such a node
	// reduction is the reduction of late moves in 1/1024 ply, indexed by depth and move number.
	reduction    [64][64]int16
	notImproving int // added reduction where the static score is not improving, 1/1024 ply: search.lmr_worsening
	cutNode      int // added reduction at expected cut nodes, 1/1024 ply
	noTTMove     int // added reduction at those without a TT move, 1/1024 ply
	positional   int // less reduction for a positional move, 1/1024 ply: search.lmr_quiet

	fourReduction int // added reduction of a plain four, plies
	fourPruning   int // greatest depth at which plain fours are skipped while the other side has a threat, plies

	orderClass        int32 // weight of the class history, 1/1024
	orderContinuation int32 // weight of the continuation history, 1/1024
	orderKiller       int32 // ordering points of a killer move
	orderCounter      int32 // ordering points of a counter move

	correctionThreat   int32 // weight of the score correction by threats, 1/1024
	correctionLastMove int32 // weight of the correction by the last move, 1/1024
	correctionMax      int32 // greatest difference that one observation counts, points
}

// lnTable is 1024·ln(n), rounded, for n from 1 to 63; [0] is 0.
var lnTable = [64]int32{
	0, 0, 710, 1125, 1420, 1648, 1835, 1993, 2129, 2250, 2358, 2455, 2545, 2627, 2702, 2773,
	2839, 2901, 2960, 3015, 3068, 3118, 3165, 3211, 3254, 3296, 3336, 3375, 3412, 3448, 3483, 3516,
	3549, 3580, 3611, 3641, 3670, 3698, 3725, 3751, 3777, 3803, 3827, 3851, 3875, 3898, 3921, 3943,
	3964, 3985, 4006, 4026, 4046, 4066, 4085, 4104, 4122, 4140, 4158, 4175, 4193, 4210, 4226, 4243,
}

func newParams(set *weights.Set) params {
	p := params{
		aspiration:   set.Search("aspiration"),
		futility:     set.Search("futility"),
		pruningDepth: int(set.Search("pruning_depth")),
		reverse:      set.Search("reverse_futility"),
		candidates:   int(set.Search("candidates")),
		moveBase:     int(set.Search("move_base")),
		moveDepth:    int(set.Search("move_depth")),
		orderHistory: set.Search("order_history"),
		vcfShare:     int64(set.Search("vcf_root_share")),

		extensions:      int(set.Search("extensions")),
		quiescence:      int(set.Search("quiescence")),
		quiescenceMoves: int(set.Search("quiescence_moves")),
		notImproving:    int(set.Search("lmr_worsening")),
		cutNode:         int(set.Search("lmr_cut_node")),
		noTTMove:        int(set.Search("lmr_no_tt_move")),
		positional:      int(set.Search("lmr_quiet")),

		fourReduction: int(set.Search("lmr_four")),
		fourPruning:   int(set.Search("four_pruning")),

		orderClass:        set.Search("order_class"),
		orderContinuation: set.Search("order_continuation"),
		orderKiller:       set.Search("order_killer"),
		orderCounter:      set.Search("order_counter"),

		correctionThreat:   set.Search("correction_threat"),
		correctionLastMove: set.Search("correction_last_move"),
		correctionMax:      set.Search("correction_max"),
	}
	base, scale := int64(set.Search("lmr_base")), int64(set.Search("lmr_scale"))
	for depth := 1; depth < len(p.reduction); depth++ {
		for number := 1; number < len(p.reduction[depth]); number++ {
			product := int64(lnTable[depth]) * int64(lnTable[number]) >> 10
			p.reduction[depth][number] = int16(max(0, min(base+scale*product>>10, math.MaxInt16)))
		}
	}
	return p
}

// reductionOf returns the reduction, in plies, of move n of a node (from 0). more is added, in 1/1024 ply,
// before rounding down.
func (p *params) reductionOf(depth, n, more int) int {
	return (int(p.reduction[min(depth, 63)][min(n, 63)]) + more) >> 10
}

// moveCount returns the number of moves that a node of the given depth, at least 1, searches.
func (p *params) moveCount(depth int) int {
	return min(p.candidates, p.moveBase+p.moveDepth*depth)
}
