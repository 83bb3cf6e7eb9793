package daemon

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
)

// reloadTimeout bounds a reload, the database's part included.
const reloadTimeout = 30 * time.Second

// reload reads settings, secrets, profile and site facts again and lets the outcome
// answer from now on. Whatever fails leaves everything as it was.
func (d *Daemon) reload(ctx context.Context) {
	d.notify("RELOADING=1", "STATUS=reloading")
	defer d.notify("READY=1", "STATUS=serving")
	ctx, cancel := context.WithTimeout(ctx, reloadTimeout)
	defer cancel()
	err := d.renew(ctx)
	d.Metrics.Reloaded(err == nil)
	if err != nil {
		d.Logger.Error("could not reload: everything stays as it was", "err", err)
		return
	}
	d.Logger.Info("reloaded")
}

func (d *Daemon) renew(ctx context.Context) error {
	if d.Reread == nil {
		return errors.New("nothing to reload")
	}
	s, err := d.Reread()
	if err != nil {
		return err
	}
	// The certificate first: it may be unusable, and a site not yet in use
	// would have to be closed again.
	useCertificate, err := d.certificate.Load(s.Listen.TLSCert, s.Listen.TLSKey)
	if err != nil {
		return err
	}
	next, err := site.Open(ctx, s, d.Logger, d.Metrics)
	if err != nil {
		return err
	}
	useCertificate()
	last := d.live.Replace(next)
	if d.limiter != nil {
		d.limiter.Set(s.Limits.RequestsPerSecond, s.Limits.Burst)
	}
	if fixed := startOnly(d.Settings, s); len(fixed) > 0 {
		d.Logger.Warn("these settings count from the next start only", "settings", strings.Join(fixed, ", "))
	}
	d.background.Go(func() {
		if err := last.Close(); err != nil {
			d.Logger.Warn("closing what answered before the reload", "err", err)
		}
	})
	return nil
}

// startOnly names the settings that a reload does not change and that differ.
func startOnly(before, after *settings.Settings) []string {
	var names []string
	for name, differs := range map[string]bool{
		"listen": after.Listen.API != before.Listen.API, "ops-listen": after.Listen.Ops != before.Listen.Ops,
		"log-format": after.Log.Format != before.Log.Format, "log-level": after.Log.Level != before.Log.Level,
		"max-connections": after.Limits.MaxConnections != before.Limits.MaxConnections, "pprof": after.Listen.Pprof != before.Listen.Pprof,
		"tls-cert":   (after.Listen.TLSCert == "") != (before.Listen.TLSCert == ""),
		"rate-limit": (after.Limits.RequestsPerSecond == 0) != (before.Limits.RequestsPerSecond == 0),
	} {
		if differs {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
