package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"calbridge/rest/notice"
	"calbridge/wpstore/sitedb"
)

// wakeEvery is how often WordPress is asked to run its due tasks, such as
// publishing scheduled events: the visits that used to wake it reach us now.
const wakeEvery = time.Minute

// companionClose bounds how long stopping waits for the last notices.
const companionClose = 5 * time.Second

// companionSettings are about the plugin in WordPress that hears of our writes.
func companionSettings() []setting {
	const g = groupSite
	return []setting{
		{name: "companion-url", arg: "URL", group: g, help: "address at which WordPress itself answers (PHP, not calbridge); with it, and the companion plugin there, WordPress's caches hear of every write",
			set: text(func(s *settings) *string { return &s.companionURL })},
		{name: "companion-host", arg: "NAME", group: g, help: "host name of the site, where companion-url is a bare address",
			set: text(func(s *settings) *string { return &s.companionHost })},
		{name: "companion-secret", arg: "TEXT", group: g, secret: true, constant: "CALBRIDGE_SECRET", help: "what the companion plugin knows us by, 32 characters at least",
			set: text(func(s *settings) *string { return &s.companionSecret })},
	}
}

// openCompanion starts the client that tells WordPress what was written; nil
// where no plugin is named.
func (s *settings) openCompanion(logger *slog.Logger) (*notice.Client, error) {
	if s.companionURL == "" {
		return nil, nil
	}
	client, err := notice.New(notice.Options{
		Site: s.companionURL, Host: s.companionHost, Secret: s.companionSecret, Logger: logger, WakeEvery: wakeEvery, Stale: true,
	})
	if err != nil {
		return nil, fmt.Errorf("--companion-url and --companion-secret: %w", err)
	}
	return client, nil
}

// tell returns what the store calls after each writing transaction.
func tell(client *notice.Client) func(sitedb.Changes) {
	if client == nil {
		return nil
	}
	return func(c sitedb.Changes) {
		client.Send(notice.Notice{
			Posts: c.Posts, Terms: c.Terms, Taxonomies: c.Taxonomies, Options: c.Options, Cron: slices.Contains(c.Options, "cron"),
		})
	}
}

// closeCompanion delivers what is still queued, within bounds.
func closeCompanion(client *notice.Client) error {
	if client == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), companionClose)
	defer cancel()
	return client.Close(ctx)
}

// objectCacheFile is the drop-in by which WordPress keeps rows between requests,
// where wp-config.php tells where to look and it is there.
func (c *configuration) objectCacheFile() string {
	if c.wpConfig == "" {
		return ""
	}
	dir := filepath.Join(filepath.Dir(c.wpConfig), "wp-content")
	if v, ok := c.wpConstant("WP_CONTENT_DIR"); ok && v != "" {
		dir = v
	}
	file := filepath.Join(dir, "object-cache.php")
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// wpConstant looks up a constant of wp-config.php that is no setting of ours.
func (c *configuration) wpConstant(name string) (string, bool) {
	if c.wp == nil {
		return "", false
	}
	return c.wp.Text(name)
}

// cachePlugins are the page caches that keep what a write by SQL changes.
var cachePlugins = []string{"wp-super-cache/", "w3-total-cache/", "wp-rocket/", "litespeed-cache/", "wp-fastest-cache/", "cache-enabler/", "redis-cache/", "sg-cachepress/"}

// companionFindings says whether WordPress would notice our writes.
func (c *configuration) companionFindings(ctx context.Context, plugins []string) sitedb.Report {
	const name = "wordpress.companion"
	const install = "Copy docker/wordpress/calbridge-companion.php to wp-content/mu-plugins, define CALBRIDGE_SECRET in wp-config.php, and set --companion-url and --companion-secret."
	switch {
	case c.readOnly:
		return nil
	case c.companionURL == "":
		var caches []string
		for _, plugin := range plugins {
			if slices.ContainsFunc(cachePlugins, func(p string) bool { return strings.HasPrefix(plugin, p) }) {
				caches = append(caches, plugin)
			}
		}
		if file := c.objectCacheFile(); file != "" {
			caches = append(caches, file)
		}
		if len(caches) > 0 {
			return sitedb.Report{warning(name, "no companion plugin is named, and WordPress caches: "+strings.Join(caches, ", ")+"; its pages and admin show old events after a write", install)}
		}
		if v, ok := c.wpConstant("DISABLE_WP_CRON"); ok && v != "" && v != "0" {
			return sitedb.Report{warning(name, "no companion plugin is named, and DISABLE_WP_CRON is set: scheduled events are published when the system's cron runs wp-cron.php", install)}
		}
		return sitedb.Report{success(name, "none; WordPress hears of writes only where nothing caches (no object-cache.php, no page cache)")}
	}
	client, err := c.openCompanion(slog.New(slog.DiscardHandler))
	if err != nil {
		return sitedb.Report{failure(name, err.Error(), install)}
	}
	defer closeCompanion(client)
	status, err := client.Status(ctx)
	if err != nil {
		return sitedb.Report{warning(name, err.Error(), install)}
	}
	found := fmt.Sprintf("version %s in WordPress %s, PHP %s", status.Companion, status.WordPress, status.PHP)
	if status.CronDisabled && status.CronOverdue > 300 {
		return sitedb.Report{warning(name, found+fmt.Sprintf("; DISABLE_WP_CRON is set and tasks are %d s overdue", status.CronOverdue), "Run wp-cron.php from the system's cron.")}
	}
	return sitedb.Report{success(name, found)}
}
