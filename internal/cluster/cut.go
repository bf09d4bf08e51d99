package cluster

import "time"

const (
	mostPairs  = 256 // of a task: a result has some hundred bytes a pair
	firstPairs = 2   // of a task before it is known how long a pair takes
	// share is into how many tasks a job's part of the rest is cut: the last tasks of a batch are small,
	// so that all jobs end together (guided self-scheduling, Polychronopoulos and Kuck 1987).
	share = 3
)

// Cut divides pairs into tasks of a few seconds for so many jobs. each is the time of a pair, 0 where it is
// not known yet.
func Cut(pairs []int, jobs int, each, target time.Duration) [][]int {
	most := firstPairs
	if each > 0 {
		most = int(min(max(1, target/each), mostPairs))
	}
	var tasks [][]int
	for len(pairs) > 0 {
		n := len(pairs)/(share*max(1, jobs)) + 1
		n = min(n, most, len(pairs))
		tasks = append(tasks, pairs[:n])
		pairs = pairs[n:]
	}
	return tasks
}
