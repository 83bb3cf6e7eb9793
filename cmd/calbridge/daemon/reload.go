package daemon

import (
	"context"
	"strings"
	"time"

	"calbridge/cmd/calbridge/settings"
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
	// The certificate is loaded first. If it is unusable, no site is reopened.
	useCertificate, err := d.certificate.Load(s.Listen.TLSCert, s.Listen.TLSKey)
	if err != nil {
		return err
	}
	if err := d.live.Renew(ctx, s); err != nil {
		return err
	}
	useCertificate()
	d.inForce.Store(s)
	if err := d.startWebhooks(context.WithoutCancel(ctx), s); err != nil {
		d.Logger.Error("no webhooks are sent", "err", err)
	}
	if d.limiter != nil {
		d.limiter.Set(s.Limits.RequestsPerSecond, s.Limits.Burst)
	}
	if fixed := settings.RestartNeeded(d.Settings, s); len(fixed) > 0 {
		d.Logger.Warn("these settings take effect only at the next start", "settings", strings.Join(fixed, ", "))
	}
	return nil
}
