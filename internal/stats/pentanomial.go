// Package stats is the statistics of paired games: Elo with its interval, the sequential test of a match, and
// Bradley–Terry ratings of many players.
//
// The unit is the pair: one opening, played twice with the colours changed. Its two games are correlated; an
// opening that favours one colour splits the pair. So every variance here is a variance of pairs, never of
// single games.
//
// The formulas are those of fishtest (normalised Elo, GSPRT, maximum likelihood for multinomials, M. Van den
// Bergh). The sources of the ratings are named at their functions. All functions are pure, sum in index order,
// and are safe for concurrent use unless stated otherwise.
package stats

// Outcomes is the number of different scores of a pair.
const Outcomes = 5

// Pentanomial counts pairs by score, seen from player A. The index is A's points in the pair times two: 0 is
// both games lost, 2 a split (or two draws), 4 both games won. Counts are not negative.
type Pentanomial [Outcomes]int64

// Pairs returns the number of pairs.
func (p Pentanomial) Pairs() int64 {
	var n int64
	for _, count := range p {
		n += count
	}
	return n
}

// Games returns the number of games, two a pair.
func (p Pentanomial) Games() int64 { return 2 * p.Pairs() }

// Add returns the sum of both counts.
func (p Pentanomial) Add(o Pentanomial) Pentanomial {
	for i, count := range o {
		p[i] += count
	}
	return p
}

// Mirror returns the same pairs seen from the other player.
func (p Pentanomial) Mirror() Pentanomial {
	for i := range Outcomes / 2 {
		p[i], p[Outcomes-1-i] = p[Outcomes-1-i], p[i]
	}
	return p
}

// Score returns the mean score of a pair, 0 (all lost) to 1 (all won); 0.5 when there are no pairs.
func (p Pentanomial) Score() float64 {
	n := p.Pairs()
	if n == 0 {
		return 0.5
	}
	return float64(p.quarters()) / float64(4*n)
}

// quarters returns the sum of all pair scores in units of a quarter of a pair.
func (p Pentanomial) quarters() int64 {
	var sum int64
	for i, count := range p {
		sum += int64(i) * count
	}
	return sum
}

// pairScore returns the score, 0..1, of a pair counted at index i.
func pairScore(i int) float64 { return float64(float64(i) / (Outcomes - 1)) }

// emptyCount replaces a count of zero wherever a distribution is estimated. So every outcome is possible and
// every logarithm finite.
const emptyCount = 0.001

// distribution is a probability for every outcome of a pair.
type distribution [Outcomes]float64

// observed returns the frequencies of the counts and the sum of the counts. Zeros count as emptyCount.
func (p Pentanomial) observed() (freq distribution, n float64) {
	for i, count := range p {
		freq[i] = max(float64(count), emptyCount)
		n += freq[i]
	}
	for i := range freq {
		freq[i] /= n
	}
	return freq, n
}

// mean returns the expected score of a pair.
func (d distribution) mean() float64 {
	lead := 0.0 // that of mirrored outcomes over each other: exactly 0 where they are as likely
	for i := range Outcomes / 2 {
		mirrored := Outcomes - 1 - i
		lead += float64((d[mirrored] - d[i]) * (pairScore(mirrored) - 0.5))
	}
	return 0.5 + lead
}

// central returns the second, third and fourth central moments of the score of a pair.
func (d distribution) central(mean float64) (m2, m3, m4 float64) {
	for i, prob := range d {
		x := pairScore(i) - mean
		square := float64(x * x)
		m2 += float64(prob * square)
		m3 += float64(prob * float64(square*x))
		m4 += float64(prob * float64(square*square))
	}
	return m2, m3, m4
}

// variance returns the variance of the score of a pair.
func (d distribution) variance(mean float64) float64 {
	m2, _, _ := d.central(mean)
	return m2
}
