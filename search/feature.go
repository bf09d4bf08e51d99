package search

// Feature is a part of the search that can be switched off, so that its worth can be measured; a
// set of features is the sum of its members.
type Feature uint32

const (
	Aspiration      Feature = 1 << iota // a narrow first window
	Reductions                          // late move reductions
	Futility                            // hopeless quiet moves are left out
	ReverseFutility                     // nodes far above beta are cut
	MoveCount                           // fewer candidates near the horizon
	ThreatExtension                     // answers to an open four in the making cost no depth
	Killers                             // killer and counter moves come first
	History                             // history of quiet moves
	InnerFours                          // continuous fours at inner nodes
	RootFours                           // continuous fours at the root
	RootThreats                         // continuous threats at the root
	Worsening                           // more reduction where the static score has not risen
)
