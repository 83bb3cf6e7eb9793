package sitecheck

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"calbridge/cmd/calbridge/companion"
	"calbridge/cmd/calbridge/settings"
	"calbridge/wpstore/check"
)

// Notices reports the consequences of relying on the companion plugin's notices. err is the reason
// why they can't be followed; lost is how soon a lost one is noticed.
func Notices(s *settings.Settings, err error, lost time.Duration) check.Finding {
	const name = "cache.notices"
	const install = "Copy docker/wordpress/calbridge-companion*.php of this release to wp-content/mu-plugins, define CALBRIDGE_SECRET and CALBRIDGE_URL (the ops address of each calbridge with /notices) in wp-config.php, and set --upstream."
	unseen := fmt.Sprintf("changes by other programs (SQL by hand, imports, other writers) go unnoticed for up to --cache-max-age, %s", s.Cache.MaxAge)
	switch {
	case err != nil:
		return Warning(name, "nothing is cached: "+err.Error(), install)
	case s.Companion.URL == "":
		return Warning(name, unseen+"; so do all changes once the companion plugin is removed", "Set --upstream: calbridge then checks every minute whether WordPress sends notices.")
	}
	return Success(name, fmt.Sprintf("changes by WordPress invalidate the caches when its request ends, or within %s if its notice is lost; %s", lost, unseen))
}

// objectCacheFile returns WordPress's drop-in for a persistent object cache, "" where it is
// not found.
func objectCacheFile(s *settings.Settings) string {
	if s.WPConfigFile == "" {
		return ""
	}
	dir := filepath.Join(filepath.Dir(s.WPConfigFile), "wp-content")
	if v, ok := wpConstant(s, "WP_CONTENT_DIR"); ok && v != "" {
		dir = v
	}
	file := filepath.Join(dir, "object-cache.php")
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// wpConstant looks up a constant of wp-config.php that is not a setting.
func wpConstant(s *settings.Settings, name string) (string, bool) {
	if s.Origin.WPConfig == nil {
		return "", false
	}
	return s.Origin.WPConfig.Text(name)
}

// cachePlugins are caches that a write by SQL doesn't invalidate.
var cachePlugins = []string{"wp-super-cache/", "w3-total-cache/", "wp-rocket/", "litespeed-cache/", "wp-fastest-cache/", "cache-enabler/", "redis-cache/", "sg-cachepress/"}

// companionFindings reports whether WordPress would notice our writes.
func companionFindings(ctx context.Context, s *settings.Settings, plugins []string) check.Report {
	const name = "wordpress.companion"
	const install = "Copy docker/wordpress/calbridge-companion*.php to wp-content/mu-plugins, define CALBRIDGE_SECRET in wp-config.php, and set --upstream and --companion-secret."
	switch {
	case s.API.ReadOnly:
		return nil
	case s.Companion.URL == "":
		var caches []string
		for _, plugin := range plugins {
			if slices.ContainsFunc(cachePlugins, func(p string) bool { return strings.HasPrefix(plugin, p) }) {
				caches = append(caches, plugin)
			}
		}
		if file := objectCacheFile(s); file != "" {
			caches = append(caches, file)
		}
		if len(caches) > 0 {
			return check.Report{Warning(name, "no companion plugin is configured, and WordPress caches: "+strings.Join(caches, ", ")+"; its pages and admin show old events after a write", install)}
		}
		if v, ok := wpConstant(s, "DISABLE_WP_CRON"); ok && v != "" && v != "0" {
			return check.Report{Warning(name, "no companion plugin is configured, and DISABLE_WP_CRON is set: scheduled events are published when the system's cron runs wp-cron.php", install)}
		}
		return check.Report{Success(name, "not installed; WordPress notices calbridge's writes only if it uses no object or page cache")}
	}
	client, err := companion.Open(s.Companion, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil // a finding about the settings
	}
	defer client.Close()
	status, err := client.Status(ctx)
	if err != nil {
		return check.Report{Warning(name, err.Error(), install)}
	}
	found := fmt.Sprintf("version %s in WordPress %s, PHP %s", status.Companion, status.WordPress, status.PHP)
	if status.CronDisabled && status.CronOverdue > 300 {
		return check.Report{Warning(name, found+fmt.Sprintf("; DISABLE_WP_CRON is set and tasks are %d s overdue", status.CronOverdue), "Run wp-cron.php from the system's cron.")}
	}
	return check.Report{Success(name, found)}
}
