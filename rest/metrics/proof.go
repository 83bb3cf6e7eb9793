package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"calbridge/rest/fragment"
	"calbridge/rest/proof"
)

// Proof holds the metrics of mode auto, and of WordPress's rendering of objects, which mode native
// keeps too. It is safe for concurrent use.
type Proof struct {
	answers *prometheus.CounterVec // by, reason
	endings *prometheus.CounterVec // reason
	// figures are those of the sites with a prover.
	figures watched[proof.Figures]

	shapes, objects, age *prometheus.Desc
	// of fragments
	held, bytes, volatile, composed, fills, ends *prometheus.Desc
}

func newProof(f factory) *Proof {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
	}
	p := &Proof{
		answers:  f.counter("proof_answers_total", "Requests in mode auto by who answered, and why WordPress did; none where calbridge did.", "by", "reason"),
		endings:  f.counter("proof_endings_total", "What ended proofs in mode auto.", "reason"),
		shapes:   describe("proof_shapes", "Kinds of requests in mode auto by the state of their proof; calbridge answers those that are proven.", "state"),
		objects:  describe("proof_objects", "Posts and terms in mode auto that WordPress has shown, by route and language, or has refused.", "state"),
		age:      describe("proof_last_comparison_age_seconds", "Time since the last comparison in mode auto, or since the start before there was one; 0 in other modes."),
		held:     describe("fragments", "Events, venues, organizers and terms of which modes auto and native hold WordPress's own rendering."),
		bytes:    describe("fragment_bytes", "Memory of WordPress's own rendering of objects in modes auto and native, in bytes."),
		volatile: describe("fragment_volatile", "Objects whose rendering by WordPress varies by itself, so that modes auto and native never serve it."),
		composed: describe("fragment_composed_total", "Responses in modes auto and native that were to be composed of WordPress's objects: hit, or miss where one was missing.", "result"),
		fills:    describe("fragment_fills_total", "Objects that WordPress has sent for modes auto and native to hold."),
		ends:     describe("fragment_endings_total", "What ended WordPress's rendering of objects in modes auto and native.", "reason"),
	}
	for _, why := range append(proof.Reasons(), proof.None) {
		p.answers.WithLabelValues(answeredBy(why))
	}
	for _, why := range proof.Endings() {
		p.endings.WithLabelValues(string(why))
	}
	f.registry.MustRegister(p)
	return p
}

func answeredBy(why proof.Reason) (by, reason string) {
	if why == proof.None {
		return byCalbridge, none
	}
	return byWordPress, string(why)
}

// Decided implements proof.Observer.
func (p *Proof) Decided(why proof.Reason) { p.answers.WithLabelValues(answeredBy(why)).Inc() }

// Ended implements proof.Observer.
func (p *Proof) Ended(why proof.Ending) {
	p.endings.WithLabelValues(string(why)).Inc()
}

// Watch reads the figures of a site's prover at each scrape until stop is called.
func (p *Proof) Watch(figures func() proof.Figures) (stop func()) { return p.figures.add(figures) }

// Describe implements prometheus.Collector.
func (p *Proof) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{p.shapes, p.objects, p.age, p.held, p.bytes, p.volatile, p.composed, p.fills, p.ends} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (p *Proof) Collect(to chan<- prometheus.Metric) {
	now := proof.Sum(p.figures.values())
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	for _, state := range proof.States() {
		gauge(p.shapes, float64(now.Shapes[state]), string(state))
	}
	gauge(p.objects, float64(now.Seen), "seen")
	gauge(p.objects, float64(now.Closed), "closed")
	gauge(p.age, now.Age.Seconds())
	f := &now.Fragments
	count := func(d *prometheus.Desc, value int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	gauge(p.held, float64(f.Held))
	gauge(p.bytes, float64(f.Bytes))
	gauge(p.volatile, float64(f.Volatile))
	count(p.composed, f.Hits, "hit")
	count(p.composed, f.Misses, "miss")
	count(p.fills, f.Fills)
	for _, why := range fragment.Endings() {
		count(p.ends, f.Endings[why], string(why))
	}
}
