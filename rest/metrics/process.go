package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Reasons for which Rejected counts.
const (
	OverRate        = "rate"
	OverConnections = "connections"
)

// life holds the figures about the process itself rather than its requests.
type life struct {
	rejected *prometheus.CounterVec // reason
	reloadOK prometheus.Gauge
	reloadAt prometheus.Gauge
	expiry   prometheus.Gauge // registered with the first certificate
}

func newLife(registry *prometheus.Registry) *life {
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help})
	}
	l := &life{
		rejected: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "http_rejected_total", Help: "Requests and connections turned away because of a limit, by the limit.",
		}, []string{"reason"}),
		reloadOK: gauge("config_last_reload_successful", "Whether the last reading of the settings worked; the one at the start did."),
		reloadAt: gauge("config_last_reload_success_timestamp_seconds", "When the settings were last read with success."),
		expiry:   gauge("tls_certificate_expiry_timestamp_seconds", "When the certificate in use becomes invalid."),
	}
	l.rejected.WithLabelValues(OverRate)
	l.rejected.WithLabelValues(OverConnections)
	registry.MustRegister(l.rejected, l.reloadOK, l.reloadAt)
	return l
}

// Rejected counts a request or connection that a limit turned away; reason is one
// of the constants.
func (m *Metrics) Rejected(reason string) { m.life.rejected.WithLabelValues(reason).Inc() }

// Reloaded takes note of a reading of the settings.
func (m *Metrics) Reloaded(ok bool) {
	if !ok {
		m.life.reloadOK.Set(0)
		return
	}
	m.life.reloadOK.Set(1)
	m.life.reloadAt.SetToCurrentTime()
}

// CertificateExpires takes note of the certificate in use.
func (m *Metrics) CertificateExpires(at time.Time) {
	m.life.expiry.Set(float64(at.Unix()))
	_ = m.registry.Register(m.life.expiry) // again with each certificate
}

// WatchReady adds a gauge that asks at each scrape whether requests can be
// answered.
func (m *Metrics) WatchReady(ready func() bool) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: "ready", Help: "Whether requests can be answered now, as /readyz says.",
	}, func() float64 {
		if ready() {
			return 1
		}
		return 0
	}))
}
