package daemon

import (
	"context"
	"strings"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
)

// reloadTimeout limits the time of a reload, including its queries.
const reloadTimeout = 30 * time.Second

// reload rereads settings, secrets and profile, reopens the site and switches to it. If any
// step fails, nothing changes.
func (d *Daemon) reload(ctx context.Context) {
	d.notify("RELOADING=1", "STATUS=reloading")
	defer d.notify("READY=1", "STATUS=serving")
	ctx, cancel := context.WithTimeout(ctx, reloadTimeout)
	defer cancel()
	err := d.renew(ctx)
	d.Metrics.Process.Reloaded(err == nil)
	if err != nil {
		d.Logger.Error("reload failed: the previous settings stay in force", "err", err)
		return
	}
	d.Logger.Info("reloaded")
}

func (d *Daemon) renew(ctx context.Context) error {
	s, err := d.Reread()
	if err != nil {
		return err
	}
	// The certificate is loaded first. If it is unusable, no reopened site has to be closed.
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
	last.Companion.HandOver(next.Companion)
	if err := last.Release(); err != nil {
		d.Logger.Warn("closing the journal from before the reload", "err", err)
	}
	d.inForce.Store(s)
	last.HandOver(ctx, next)
	if err := d.startWebhooks(context.WithoutCancel(ctx), s); err != nil {
		d.Logger.Error("no webhooks are sent", "err", err)
	}
	if d.limiter != nil {
		d.limiter.Set(s.Limits.RequestsPerSecond, s.Limits.Burst)
	}
	if fixed := settings.RestartNeeded(d.Settings, s); len(fixed) > 0 {
		d.Logger.Warn("these settings take effect only at the next start", "settings", strings.Join(fixed, ", "))
	}
	d.guard.Go(&d.closing, "closing the site from before a reload", func() {
		if err := last.Close(); err != nil {
			d.Logger.Warn("closing the site from before the reload", "err", err)
		}
	})
	return nil
}
