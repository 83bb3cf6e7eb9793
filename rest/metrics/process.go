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

// life holds the metrics of the process itself.
type life struct {
	rejected           *prometheus.CounterVec // reason
	reloadOK, reloadAt *prometheus.GaugeVec
	expiry             *prometheus.GaugeVec // empty without a certificate
}

func newLife(f factory) *life {
	l := &life{
		rejected: f.counter("http_rejected_total", "Requests and connections turned away because of a limit, by the limit.", "reason"),
		reloadOK: f.gauge("config_last_reload_successful", "Whether the last reading of the settings worked; the one at the start did."),
		reloadAt: f.gauge("config_last_reload_success_timestamp_seconds", "When the settings were last read with success."),
		expiry:   f.gauge("tls_certificate_expiry_timestamp_seconds", "When the certificate in use becomes invalid."),
	}
	touch(l.rejected, OverRate, OverConnections)
	return l
}

// Rejected counts a request or connection that a limit rejected; reason is one of the
// constants.
func (m *Metrics) Rejected(reason string) { m.life.rejected.WithLabelValues(reason).Inc() }

// Reloaded records a reading of the settings.
func (m *Metrics) Reloaded(ok bool) {
	m.life.reloadOK.WithLabelValues().Set(number(ok))
	if ok {
		m.life.reloadAt.WithLabelValues().SetToCurrentTime()
	}
}

// CertificateExpires records the end of the certificate in use.
func (m *Metrics) CertificateExpires(at time.Time) {
	m.life.expiry.WithLabelValues().Set(float64(at.Unix()))
}

// WatchReady adds a gauge that asks at each scrape whether requests can be answered.
func (m *Metrics) WatchReady(ready func() bool) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: namespace, Name: "ready", Help: "Whether requests can be answered now, as /readyz says.",
	}, func() float64 { return number(ready()) }))
}

// number is 1 for true.
func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
