package site

import (
	"context"
	"strings"

	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/webhook"
)

// Calendar is the list of events of a site, as anonymous visitors see it. It implements webhook.Calendar.
type Calendar struct {
	Settings *settings.Settings
	// Use calls a function with the site, or returns why it can't.
	Use func(ctx context.Context, do func(*Live)) error
}

// Calendar returns the calendar of the site with the settings that are in force.
func (l *Live) Calendar(s *settings.Settings) *Calendar {
	return &Calendar{s, func(_ context.Context, do func(*Live)) error {
		do(l)
		return nil
	}}
}

// Changes implements webhook.Calendar.
func (c *Calendar) Changes(ctx context.Context, query string) (status int, body []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.Settings.LongestAnswer())
	defer cancel()
	unusable := c.Use(ctx, func(l *Live) {
		r, invalid := httpserver.NewRequest(ctx, c.source(l)+"/events/changes?"+query)
		if err = invalid; err == nil {
			status, _, body, err = l.Read(r)
		}
	})
	if unusable != nil {
		return 0, nil, unusable
	}
	return status, body, err
}

// Moved implements webhook.Calendar.
func (c *Calendar) Moved() (moved <-chan struct{}) {
	if err := c.Use(context.Background(), func(l *Live) { moved = l.Moved() }); err != nil {
		return nil
	}
	return moved
}

// Source implements webhook.Calendar.
func (c *Calendar) Source() (address string) {
	if err := c.Use(context.Background(), func(l *Live) { address = c.source(l) }); err != nil {
		return "/" + c.path()
	}
	return address
}

func (c *Calendar) source(l *Live) string {
	return strings.TrimSuffix(l.Parts().Home, "/") + "/" + c.path()
}

// path returns that of the API below the site's address.
func (c *Calendar) path() string {
	return c.Settings.API.RESTPrefix + "/" + c.Settings.API.Namespace
}

// WebhookSites returns the only site, and no channel since it never changes.
func (l *Live) WebhookSites(s *settings.Settings) (sites []webhook.Site, changed <-chan struct{}) {
	return []webhook.Site{{Calendar: l.Calendar(s)}}, nil
}
