package watch

import (
	"net/http"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"quintune/internal/progress"
	"quintune/internal/run"
)

// metrics returns a handler for the figures of a run in Prometheus's text format. It adds those of the cluster
// that plays the run, and those of the Go runtime and the process.
func metrics(h *progress.History) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		newRunCollector(h), newClusterCollector(h))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

const (
	gauge   = prometheus.GaugeValue
	counter = prometheus.CounterValue
)

// figure is one metric, computed from a T.
type figure[T any] struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	of   func(*T) float64
}

// figureOf returns a metric with its name, help and labels.
func figureOf[T any](kind prometheus.ValueType, name, help string, of func(*T) float64, labels ...string) figure[T] {
	return figure[T]{prometheus.NewDesc("quintune_"+name, help, labels, nil), kind, of}
}

// metric returns the metric's value for a T, with values for its labels.
func (f *figure[T]) metric(of *T, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(f.desc, f.kind, f.of(of), labels...)
}

// runCollector computes the metrics of a run from its history at every request.
type runCollector struct {
	history *progress.History
	info    *prometheus.Desc
	figures []figure[run.Event]
	rated   []figure[run.Event] // left out where the last generation was not rated
	against []figure[run.Event] // left out before the first check match
}

func newRunCollector(h *progress.History) *runCollector {
	type event = run.Event
	return &runCollector{
		history: h,
		against: []figure[event]{
			figureOf(gauge, "against_start_elo", "Recent champions against the start.", func(e *event) float64 { return e.Against.Elo }),
			figureOf(gauge, "against_start_elo_low", "Lower end of its 95 % interval.", func(e *event) float64 { return e.Against.Low }),
			figureOf(gauge, "against_start_elo_high", "Upper end of its 95 % interval.", func(e *event) float64 { return e.Against.High }),
		},
		rated: []figure[event]{
			figureOf(gauge, "best_elo", "Centre of the last generation above where the optimizer began.", func(e *event) float64 { return e.Best }),
			figureOf(gauge, "mean_elo", "The same as best_elo but in runs of older programs.", func(e *event) float64 { return e.Mean }),
		},
		info: prometheus.NewDesc("quintune_run_info", "What the run is; always 1.",
			[]string{"name", "run", "start", "rule", "optimizer", "engine", "commit"}, nil),
		figures: []figure[event]{
			figureOf(counter, "games_total", "Games played of all stages.", func(e *event) float64 { return float64(e.Games) }),
			figureOf(gauge, "budget_games", "Games that the run may play.", func(e *event) float64 { return float64(e.Budget) }),
			figureOf(counter, "generations_total", "Generations closed.", func(e *event) float64 { return float64(e.Generation) }),
			figureOf(gauge, "games_per_second", "Games a second since the program was started, time for labels left out.", func(e *event) float64 { return e.GamesPerSecond }),
			figureOf(gauge, "left_seconds", "Estimated time to the end; 0 when unknown.", func(e *event) float64 { return e.Left }),
			figureOf(gauge, "sigma", "Mutation or perturbation, gene units.", func(e *event) float64 { return e.Sigma }),
			figureOf(gauge, "spread", "Mean over genes of the population's standard deviation, gene units.", func(e *event) float64 { return e.Spread }),
			figureOf(gauge, "against_start_pairs", "Pairs of the last check matches against the start.", func(e *event) float64 { return float64(e.AgainstPairs) }),
			figureOf(gauge, "match_pairs", "Pairs judged of the running gate or validation.", func(e *event) float64 { return float64(e.Pairs) }),
			figureOf(gauge, "gate_llr", "Log-likelihood ratio of the running gate.", func(e *event) float64 { return e.LLR }),
			figureOf(gauge, "labelled_positions", "Positions labelled for the running fit.", func(e *event) float64 { return float64(e.Labelled) }),
			figureOf(gauge, "fit_positions", "Positions to be labelled for the running fit; 0 where none are.", func(e *event) float64 { return float64(e.Positions) }),
		},
	}
}

// Describe sends the descriptions of all metrics; see prometheus.Collector.
func (c *runCollector) Describe(to chan<- *prometheus.Desc) {
	to <- c.info
	for _, f := range slices.Concat(c.figures, c.rated, c.against) {
		to <- f.desc
	}
}

// Collect sends all metrics; see prometheus.Collector.
func (c *runCollector) Collect(to chan<- prometheus.Metric) {
	s := c.history.Run()
	to <- prometheus.MustNewConstMetric(c.info, gauge, 1, s.Name, s.Hash, s.Start, s.Rule, s.Optimizer, s.Engine, s.Commit)
	e := c.history.Now()
	figures := c.figures
	if e.Rated() {
		figures = slices.Concat(figures, c.rated)
	}
	if e.AgainstPairs > 0 {
		figures = slices.Concat(figures, c.against)
	}
	for i := range figures {
		to <- figures[i].metric(&e)
	}
}
