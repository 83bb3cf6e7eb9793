package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/webhook"
)

// webhooks holds the sender of webhooks, which a reload replaces. It is safe for concurrent use.
type webhooks struct {
	mu     sync.Mutex
	sender *webhook.Sender // nil without --webhooks
}

// startWebhooks starts to send the webhooks of the settings, in place of those from before.
func (d *Daemon) startWebhooks(ctx context.Context, s *settings.Settings) error {
	d.webhooks.mu.Lock()
	defer d.webhooks.mu.Unlock()
	if err := d.webhooks.stop(); err != nil {
		d.Logger.Warn("closing the webhooks from before the reload", "err", err)
	}
	if s.API.Webhooks == "" {
		return nil
	}
	targets, err := webhook.Load(s.API.Webhooks)
	if err != nil {
		return fmt.Errorf("--webhooks: %w", err)
	}
	d.webhooks.sender, err = webhook.Start(ctx, webhook.Config{
		Targets: targets, Dir: site.WebhooksDir(s), Sites: func() ([]webhook.Site, <-chan struct{}) { return d.live.WebhookSites(s) }, Agent: buildinfo.This().Agent("calbridge-webhooks"), Timeout: webhook.Timeout,
		Observer: d.Metrics.Webhooks, Now: time.Now, Logger: d.Logger, Guard: d.guard,
	})
	if err != nil {
		return fmt.Errorf("webhooks: %w", err)
	}
	d.Logger.Info("sending webhooks", "targets", len(targets))
	return nil
}

// stop ends the sender, if there is one.
func (w *webhooks) stop() error {
	if w.sender == nil {
		return nil
	}
	err := w.sender.Close()
	w.sender = nil
	return err
}

// stopWebhooks ends the sender, if there is one.
func (d *Daemon) stopWebhooks() {
	d.webhooks.mu.Lock()
	defer d.webhooks.mu.Unlock()
	if err := d.webhooks.stop(); err != nil {
		d.Logger.Warn("closing the webhooks", "err", err)
	}
}

// ReplayHeader must be sent with a replay. Pages of other origins can't send it.
const ReplayHeader = "X-Calbridge-Replay"

// answerWebhooks answers with the state of the deliveries, as JSON.
func (d *Daemon) answerWebhooks(w http.ResponseWriter, req *http.Request) {
	d.webhooks.mu.Lock()
	defer d.webhooks.mu.Unlock()
	if d.webhooks.sender == nil {
		answer(w, http.StatusNotFound, "there are no webhooks: --webhooks is not set")
		return
	}
	all, err := d.webhooks.sender.Statuses(req.Context())
	if err != nil {
		answer(w, http.StatusInternalServerError, "the state of the webhooks can't be read")
		d.Logger.Warn("the state of the webhooks can't be read", "err", err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(all)
}

// answerReplay tells a target of all events of its list again.
func (d *Daemon) answerReplay(w http.ResponseWriter, req *http.Request) {
	d.webhooks.mu.Lock()
	defer d.webhooks.mu.Unlock()
	name := req.URL.Query().Get("target")
	switch {
	case req.Header.Get(ReplayHeader) == "":
		answer(w, http.StatusForbidden, "the header "+ReplayHeader+" is missing")
		return
	case d.webhooks.sender == nil:
		answer(w, http.StatusNotFound, "there are no webhooks: --webhooks is not set")
		return
	}
	switch err := d.webhooks.sender.Replay(req.Context(), name); {
	case errors.Is(err, webhook.ErrUnknownTarget):
		answer(w, http.StatusNotFound, err.Error())
	case err != nil:
		answer(w, http.StatusInternalServerError, "the replay failed")
		d.Logger.Warn("a replay of webhooks failed", "target", name, "err", err)
	default:
		answer(w, http.StatusOK, "replaying")
	}
}
