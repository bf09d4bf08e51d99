package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Budget says when a run ends. Exactly one field is above zero; none in an optional one not set.
type Budget struct {
	Time        time.Duration
	Games       int64
	Generations int64
}

// MaxBudget is the longest run, and maxGames bounds games and generations of a budget.
const (
	MaxBudget = 10000 * time.Hour
	maxGames  = 1 << 40
)

// String returns the budget as the command line takes it.
func (b Budget) String() string {
	switch {
	case b.Games > 0:
		return fmt.Sprintf("%dgames", b.Games)
	case b.Generations > 0:
		return fmt.Sprintf("%dgens", b.Generations)
	}
	return b.Time.String()
}

// Spending is a budget: a duration (8h), games (400games) or generations (40gens); read by
// Values.Budget.
func Spending() Kind {
	return Kind{placeholder: "BUDGET", bounds: "such as 10m, 400games, 40gens", zero: Budget{}, read: func(text string) (any, error) {
		if number, ok := strings.CutSuffix(text, "games"); ok {
			n, err := count(number, "games")
			return Budget{Games: n}, err
		}
		if number, ok := strings.CutSuffix(text, "gens"); ok {
			n, err := count(number, "generations")
			return Budget{Generations: n}, err
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return nil, fmt.Errorf("is %.40q, neither a duration (8h), nor games (400games), nor generations (40gens)", text)
		}
		if d < time.Second || d > MaxBudget {
			return nil, fmt.Errorf("is %v, not in [%v, %v]", d, time.Second, MaxBudget)
		}
		return Budget{Time: d}, nil
	}}
}

// count reads a number of games or generations.
func count(text, of string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > maxGames {
		return 0, fmt.Errorf("is %.40q %s, not in [1, %d]", text, of, int64(maxGames))
	}
	return n, nil
}

// Bounds is a pair of Elo bounds of a sequential test.
type Bounds struct {
	Low, High float64 // Elo, Low < High
}

// maxElo bounds what a test may ask for.
const maxElo = 1000

// EloBounds is LOW,HIGH of a sequential test; read by Values.Bounds.
func EloBounds() Kind {
	return Kind{placeholder: "LOW,HIGH", zero: Bounds{}, read: func(text string) (any, error) {
		low, high, _ := strings.Cut(text, ",")
		b := Bounds{}
		var err1, err2 error
		b.Low, err1 = strconv.ParseFloat(low, 64)
		b.High, err2 = strconv.ParseFloat(high, 64)
		if err1 != nil || err2 != nil || math.IsNaN(b.Low) || math.IsNaN(b.High) {
			return nil, fmt.Errorf("is %.40q, not two numbers LOW,HIGH", text)
		}
		if b.Low >= b.High || b.Low < -maxElo || b.High > maxElo {
			return nil, fmt.Errorf("is %v,%v, not rising within [%d, %d]", b.Low, b.High, -maxElo, maxElo)
		}
		return b, nil
	}}
}
