package watch

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"quintune/internal/progress"
	"quintune/internal/tuner"
)

// metrics answers with the figures of a run in Prometheus's text format, and with those of the Go runtime
// and the process.
func metrics(h *progress.History) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), newCollector(h))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

// figure is one metric of a run.
type figure struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	of   func(*tuner.Event) float64
}

// collector reads the metrics from a history when they are asked for.
type collector struct {
	history *progress.History
	info    *prometheus.Desc
	figures []figure
}

func newCollector(h *progress.History) *collector {
	c := &collector{
		history: h,
		info: prometheus.NewDesc("quintune_run_info", "What the run is; always 1.",
			[]string{"name", "run", "start", "rule", "optimizer", "engine", "commit"}, nil),
	}
	add := func(kind prometheus.ValueType, name, help string, of func(*tuner.Event) float64) {
		c.figures = append(c.figures, figure{prometheus.NewDesc("quintune_"+name, help, nil, nil), kind, of})
	}
	gauge, counter := prometheus.GaugeValue, prometheus.CounterValue
	add(counter, "games_total", "Games played of all stages.", func(e *tuner.Event) float64 { return float64(e.Games) })
	add(gauge, "budget_games", "Games that the run may play.", func(e *tuner.Event) float64 { return float64(e.Budget) })
	add(counter, "generations_total", "Generations closed.", func(e *tuner.Event) float64 { return float64(e.Generation) })
	add(gauge, "games_per_second", "Games a second since the program was started.", func(e *tuner.Event) float64 { return e.GamesPerSecond })
	add(gauge, "left_seconds", "Estimated time to the end; 0 when unknown.", func(e *tuner.Event) float64 { return e.Left.Seconds() })
	add(gauge, "sigma", "Mutation or perturbation, gene units.", func(e *tuner.Event) float64 { return e.Sigma })
	add(gauge, "spread", "Mean over genes of the population's standard deviation, gene units.", func(e *tuner.Event) float64 { return e.Spread })
	add(gauge, "best_elo", "Best genome of the last generation above the mean of the anchors.", func(e *tuner.Event) float64 { return e.Best })
	add(gauge, "mean_elo", "Mean genome of the last generation above the mean of the anchors.", func(e *tuner.Event) float64 { return e.Mean })
	add(gauge, "against_start_pairs", "Pairs of the last check matches against the start.", func(e *tuner.Event) float64 { return float64(e.AgainstPairs) })
	add(gauge, "against_start_elo", "Recent champions against the start.", func(e *tuner.Event) float64 { return e.Against.Elo })
	add(gauge, "against_start_elo_low", "Lower end of its 95 % interval.", func(e *tuner.Event) float64 { return e.Against.Low })
	add(gauge, "against_start_elo_high", "Upper end of its 95 % interval.", func(e *tuner.Event) float64 { return e.Against.High })
	add(gauge, "match_pairs", "Pairs judged of the running gate or validation.", func(e *tuner.Event) float64 { return float64(e.Pairs) })
	add(gauge, "gate_llr", "Log-likelihood ratio of the running gate.", func(e *tuner.Event) float64 { return e.LLR })
	return c
}

// Describe names all metrics; see prometheus.Collector.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	to <- c.info
	for _, f := range c.figures {
		to <- f.desc
	}
}

// Collect reads all metrics; see prometheus.Collector.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	f := c.history.Facts()
	to <- prometheus.MustNewConstMetric(c.info, prometheus.GaugeValue, 1, f.Name, f.Run, f.Start, f.Rule, f.Optimizer, f.Engine, f.Commit)
	e := c.history.Now()
	for _, m := range c.figures {
		to <- prometheus.MustNewConstMetric(m.desc, m.kind, m.of(&e))
	}
}
