// Package companion connects calbridge with its plugin in WordPress: Client sends what was
// written here, NewHandler receives what WordPress wrote.
//
// It turns changes of the store into requests to the plugin, and the plugin's requests into
// notices. [Client.Facts] fetches the facts that only PHP knows about the site (facts.go) and
// rejects values that are out of range (validate.go). The protocol is rest/notice's.
// The package must not import settings or caches.
package companion

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"calbridge/rest/notice"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/rowedit"
)

const (
	// NoticesPath is the path of the plugin's notices on the ops listener.
	NoticesPath = "/notices"

	// wakeEvery is the interval at which WordPress is asked to run its due tasks, such as
	// publishing scheduled events. The visits that used to trigger these tasks now reach
	// calbridge instead.
	wakeEvery = time.Minute
	// closeTimeout limits how long closing waits for the last notices.
	closeTimeout = 5 * time.Second
	// factsTimeout is longer than the timeout of a notice, because answering runs filters of
	// plugins.
	factsTimeout = 10 * time.Second
)

// Config defines the address of the plugin.
type Config struct {
	URL    string // of WordPress itself (PHP); "" without the plugin
	Host   string // host name of the site where URL is a bare address
	Secret string // shared secret
	Agent  string // User-Agent, default "calbridge"

	// FactsTimeout limits one request for facts. Zero means 10 s.
	FactsTimeout time.Duration
	// Outbox is the folder for saves that WordPress has not received yet. Without it they are
	// kept in memory only.
	Outbox string
	// Guard recovers from panics while notices are sent.
	Guard *guard.Guard
}

// Client sends notices to WordPress and requests facts from it. A nil Client is valid; its
// methods do nothing.
type Client struct {
	*notice.Client
	factsTimeout time.Duration
}

// Check returns an error if the address or the secret is invalid. It does not contact
// WordPress.
func (c Config) Check() error {
	if c.URL == "" {
		return nil
	}
	if err := (&notice.Options{Site: c.URL, Secret: c.Secret}).Check(); err != nil {
		return fmt.Errorf("--upstream and --companion-secret: %w", err)
	}
	return nil
}

// Open starts the client. It returns nil if Config has no URL.
func Open(c Config, logger *slog.Logger) (*Client, error) {
	if c.URL == "" {
		return nil, nil
	}
	client, err := notice.New(notice.Options{
		Site: c.URL, Host: c.Host, Agent: c.Agent, Secret: c.Secret, Logger: logger, Guard: c.Guard, WakeEvery: wakeEvery, Stale: true, Outbox: c.Outbox,
	})
	if err != nil {
		return nil, fmt.Errorf("--upstream and --companion-secret: %w", err)
	}
	return &Client{client, cmp.Or(c.FactsTimeout, factsTimeout)}, nil
}

// Committed returns the callback that the store calls after each writing transaction. It
// returns nil for a nil Client.
func (c *Client) Committed() func(rowedit.Changes) {
	if c == nil {
		return nil
	}
	return func(changes rowedit.Changes) {
		c.Send(notice.Notice{
			Posts: changes.Posts, Terms: changes.Terms, Taxonomies: changes.Taxonomies, Options: changes.Options,
			Cron: slices.Contains(changes.Options, "cron"), Saved: saved(changes),
		})
	}
}

// saved returns the saves about which WordPress has to call the hooks that plugins listen to.
func saved(changes rowedit.Changes) []notice.Saved {
	all := make([]notice.Saved, len(changes.Saves))
	for i, s := range changes.Saves {
		all[i] = notice.Saved{
			Function: string(s.Function), ID: s.ID, User: changes.User, OldStatus: s.OldStatus, Status: s.Status, Before: s.Before,
			Revision: s.Revision, Taxonomy: s.Taxonomy, TaxonomyID: s.TaxonomyID, Objects: s.Objects,
		}
		for _, set := range s.Terms {
			all[i].Terms = append(all[i].Terms, notice.SetTerms{Taxonomy: set.Taxonomy, Old: set.Old, New: set.New})
		}
	}
	return all
}

// HandOver passes the saves that WordPress has not received when c is closed to next, which
// delivers them.
func (c *Client) HandOver(next *Client) {
	if c != nil && next != nil {
		c.Client.HandOver(next.Client)
	}
}

// Close delivers queued notices for up to closeTimeout.
func (c *Client) Close() error {
	if c == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return c.Client.Close(ctx)
}

// NewHandler returns a handler that receives the plugin's notices and passes them to apply.
// secret returns the current secret. While there is none, requests get 404.
func NewHandler(secret func() string, apply func(notice.Notice), logger *slog.Logger) http.Handler {
	return notice.NewHandler(secret, apply, func(reason string) {
		logger.Warn("a notice of the companion plugin was refused", "reason", reason)
	})
}
