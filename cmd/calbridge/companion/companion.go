// Package companion connects calbridge with its plugin in WordPress, in both
// directions.
//
//   - companion.go: the client, which tells WordPress what was written here
//   - notices.go: the handler that takes notices of what WordPress wrote
//
// In come the changes of the store and the plugin's requests; out go requests to
// the plugin, and notices. The protocol is rest/notice's. The package knows neither
// settings nor caches.
package companion

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"calbridge/rest/notice"
	"calbridge/wpstore/rowedit"
)

// wakeEvery is how often WordPress is asked to run its due tasks, such as
// publishing scheduled events: the visits that used to wake it reach us now.
const wakeEvery = time.Minute

// closeTimeout bounds how long stopping waits for the last notices.
const closeTimeout = 5 * time.Second

// Config says where the plugin is.
type Config struct {
	URL    string // at which WordPress itself answers, "" where there is no plugin
	Host   string // host name of the site where URL is a bare address
	Secret string // by which both sides know each other
}

// Client tells WordPress what was written. A nil Client tells nobody.
type Client struct{ *notice.Client }

// Open starts the client; it is nil where no plugin is named.
func Open(c Config, logger *slog.Logger) (*Client, error) {
	if c.URL == "" {
		return nil, nil
	}
	client, err := notice.New(notice.Options{
		Site: c.URL, Host: c.Host, Secret: c.Secret, Logger: logger, WakeEvery: wakeEvery, Stale: true,
	})
	if err != nil {
		return nil, fmt.Errorf("--companion-url and --companion-secret: %w", err)
	}
	return &Client{client}, nil
}

// Committed returns what the store calls after each writing transaction, nil for a
// nil Client.
func (c *Client) Committed() func(rowedit.Changes) {
	if c == nil {
		return nil
	}
	return func(changes rowedit.Changes) {
		c.Send(notice.Notice{
			Posts: changes.Posts, Terms: changes.Terms, Taxonomies: changes.Taxonomies, Options: changes.Options,
			Cron: slices.Contains(changes.Options, "cron"),
		})
	}
}

// Close delivers what is still queued, within bounds.
func (c *Client) Close() error {
	if c == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return c.Client.Close(ctx)
}
