package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"calbridge/wpstore"
)

// Reasons for which Rejected counts, besides the classes of [wpstore.CostClasses].
const (
	OverRate        = "rate"
	OverConnections = "connections"
)

// Process holds the metrics of the process itself. It is safe for concurrent use.
type Process struct {
	rejected           *prometheus.CounterVec // reason
	panics             *prometheus.CounterVec // without labels: it is 0 until the first panic, so that an increase shows
	reloadOK, reloadAt *prometheus.GaugeVec
	expiry             *prometheus.GaugeVec // empty without a certificate

	registry prometheus.Registerer
}

func newProcess(f factory) *Process {
	p := &Process{
		registry: f.registry,
		rejected: f.counter("http_rejected_total", "Requests and connections turned away because of a limit, by the limit.", "reason"),
		panics:   f.counter("panics_total", "Panics that did not end the process. Each is a bug, or damage between calbridge and the database; the log has its task and stack."),
		reloadOK: f.gauge("config_last_reload_successful", "Whether the last reading of the settings worked; the one at the start did."),
		reloadAt: f.gauge("config_last_reload_success_timestamp_seconds", "When the settings were last read with success."),
		expiry:   f.gauge("tls_certificate_expiry_timestamp_seconds", "When the certificate in use becomes invalid."),
	}
	touch(p.rejected, OverRate, OverConnections)
	for _, class := range wpstore.CostClasses() {
		touch(p.rejected, string(class))
	}
	p.panics.WithLabelValues()
	return p
}

// Rejected counts a request or connection that a limit rejected; reason is one of the
// constants, or the cost class of a request for which no database connection became free.
func (p *Process) Rejected(reason string) { p.rejected.WithLabelValues(reason).Inc() }

// Panicked counts a panic that package guard caught.
func (p *Process) Panicked() { p.panics.WithLabelValues().Inc() }

// Reloaded records an attempt to reload the settings.
func (p *Process) Reloaded(ok bool) {
	p.reloadOK.WithLabelValues().Set(number(ok))
	if ok {
		p.reloadAt.WithLabelValues().SetToCurrentTime()
	}
}

// CertificateExpires records the end of the certificate in use.
func (p *Process) CertificateExpires(at time.Time) {
	p.expiry.WithLabelValues().Set(float64(at.Unix()))
}

// WatchReady adds a gauge that checks at each scrape whether requests can be answered.
func (p *Process) WatchReady(ready func() bool) {
	p.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: "ready", Help: "Whether requests can be answered now, as /readyz says.",
	}, func() float64 { return number(ready()) }))
}

// WatchMemoryLimit adds a gauge of the bytes that the process may use before it is killed. It is
// missing while limit returns false.
func (p *Process) WatchMemoryLimit(limit func() (bytes int64, ok bool)) {
	p.registry.MustRegister(memoryLimit{prometheus.NewDesc(namespace+"_memory_limit_bytes",
		"Memory that the process may use before it is killed, by its control group (systemd's MemoryMax, a container's limit); missing without a limit.", nil, nil), limit})
}

// memoryLimit is the gauge of WatchMemoryLimit.
type memoryLimit struct {
	desc  *prometheus.Desc
	limit func() (int64, bool)
}

// Describe implements prometheus.Collector.
func (m memoryLimit) Describe(descs chan<- *prometheus.Desc) { descs <- m.desc }

// Collect implements prometheus.Collector.
func (m memoryLimit) Collect(metrics chan<- prometheus.Metric) {
	if bytes, ok := m.limit(); ok {
		metrics <- prometheus.MustNewConstMetric(m.desc, prometheus.GaugeValue, float64(bytes))
	}
}
