package proof

import (
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// harmlessTables lists, by plugin, tables and options that code fills by itself: queues,
// statistics, logs, sessions, carts and indexes of search engines. The list assumes that no code
// decides by them which events somebody may see. Tables that decide about requests or access don't
// belong here, however busy they are: redirects, blocked addresses, orders, stock, memberships.
var harmlessTables = []struct {
	plugin string
	names  []string // patterns as of path.Match, without prefix
}{
	{"WordPress", []string{
		"comments", "commentmeta", "links", "signups", "registration_log",
		"options:_transient_*", "options:_site_transient_*", "options:cron", "options:doing_cron", "options:recently_edited",
		"options:auto_core_update_*", "options:recovery_*", "options:rewrite_rules",
		"sitemeta:_site_transient_*",
		"posts:post", "posts:page", "posts:revision", "posts:customize_changeset", "posts:oembed_cache", "posts:nav_menu_item", "posts:user_request", "posts:wp_*",
	}},
	{"Action Scheduler", []string{"actionscheduler_*", "options:action_scheduler_*", "posts:scheduled-action"}},
	{"The Events Calendar", []string{"options:tribe_last_*", "tec_kv_cache", "shepherd_*_tasks", "shepherd_*_task_logs"}},
	{"WP Statistics", []string{"statistics_visitor", "statistics_visitor_relationships", "statistics_visit", "statistics_pages", "statistics_useronline", "statistics_exclusions", "statistics_search", "statistics_historical", "statistics_events"}},
	{"SlimStat", []string{"slim_stats", "slim_stats_archive", "slim_events", "slim_events_archive"}},
	{"Koko Analytics", []string{"koko_analytics_site_stats", "koko_analytics_post_stats", "koko_analytics_referrer_stats", "koko_analytics_referrer_urls"}},
	{"Burst Statistics", []string{"burst_statistics", "burst_sessions", "burst_summary", "burst_goal_statistics"}},
	{"Independent Analytics", []string{"independent_analytics_views", "independent_analytics_sessions", "independent_analytics_visitors", "independent_analytics_referrers"}},
	{"Matomo", []string{"matomo_log_*", "matomo_archive_*", "matomo_session"}},
	{"Statify", []string{"statify"}},
	{"Post Views Counter", []string{"post_views"}},
	{"WordPress Popular Posts", []string{"popularpostsdata", "popularpostssummary", "popularpoststransients"}},
	{"Top 10", []string{"top_ten", "top_ten_daily"}},
	{"Wordfence", []string{"wfhits", "wflogins", "wfcrawlers", "wfstatus", "wfnotifications", "wfissues", "wfpendingissues", "wffilemods", "wffilechanges", "wfknownfilelist", "wfhoover", "wfreversecache", "wfsnipcache", "wftrafficrates", "wflivetraffichuman", "wfsecurityevents"}},
	{"Solid Security", []string{"itsec_log", "itsec_logs", "itsec_temp", "itsec_dashboard_events", "itsec_geolocation_cache"}},
	{"All-In-One Security", []string{"aiowps_audit_log", "aiowps_debug_log", "aiowps_events", "aiowps_login_activity"}},
	{"Simple History", []string{"simple_history", "simple_history_contexts"}},
	{"WP Activity Log", []string{"wsal_occurrences", "wsal_metadata"}},
	{"Stream", []string{"stream", "stream_meta"}},
	{"Activity Log", []string{"aryo_activity_log"}},
	{"Redirection", []string{"redirection_logs", "redirection_404"}},
	{"Rank Math", []string{"rank_math_404_logs", "rank_math_analytics_*", "rank_math_internal_links", "rank_math_internal_meta"}},
	{"Yoast SEO", []string{"yoast_indexable", "yoast_indexable_hierarchy", "yoast_seo_links", "yoast_migrations", "yoast_primary_term"}},
	{"All in One SEO", []string{"aioseo_cache", "aioseo_notifications"}},
	{"Broken Link Checker", []string{"blc_links", "blc_instances", "blc_synch", "blc_filters"}},
	{"WooCommerce", []string{"woocommerce_sessions", "woocommerce_log", "wc_admin_notes", "wc_admin_note_actions", "wc_rate_limits", "wc_download_log"}},
	{"Cart Abandonment Recovery", []string{"cartflows_ca_cart_abandonment"}},
	{"Easy Digital Downloads", []string{"edd_logs", "edd_logmeta", "edd_logs_api_requests", "edd_logs_file_downloads", "edd_sessions"}},
	{"WP Mail SMTP", []string{"wpmailsmtp_tasks_meta", "wpmailsmtp_debug_events", "wpmailsmtp_emails_log"}},
	{"FluentSMTP", []string{"fsmpt_email_logs"}},
	{"Post SMTP", []string{"post_smtp_logs", "post_smtp_logmeta"}},
	{"WP Mail Logging", []string{"wpml_mails"}},
	{"MailPoet", []string{"mailpoet_log", "mailpoet_scheduled_tasks", "mailpoet_scheduled_task_subscribers", "mailpoet_sending_queues", "mailpoet_statistics_*"}},
	{"Gravity Forms", []string{"gf_form_view"}},
	{"WPForms", []string{"wpforms_logs", "wpforms_tasks_meta"}},
	{"WP Rocket", []string{"wpr_rocket_cache", "wpr_rucss_used_css", "wpr_above_the_fold", "wpr_lazy_render_content"}},
	{"LiteSpeed Cache", []string{"litespeed_url", "litespeed_url_file", "litespeed_avatar", "litespeed_crawler", "litespeed_img_optm", "litespeed_img_optming"}},
	{"EWWW Image Optimizer", []string{"ewwwio_images", "ewwwio_queue"}},
	{"Imagify", []string{"imagify_files", "imagify_folders"}},
	{"Smush", []string{"smush_dir_images"}},
	{"Jetpack", []string{"jetpack_sync_queue", "jetpack_waf_blocklog"}},
	{"Complianz", []string{"cmplz_statistics"}},
}

// harmless reports whether a change of a table or option guards nothing, by the list and the
// patterns of the owner. A pattern that begins with ! takes tables off the list. Only patterns that
// begin with metaPrefix match metadata, and only those with filePrefix match data files.
func harmless(name string, patterns []string) bool {
	name = strings.ToLower(name)
	prefix := ""
	for _, p := range []string{metaPrefix, filePrefix} {
		if strings.HasPrefix(name, p) {
			prefix = p
		}
	}
	matches := func(pattern string) bool {
		ok, err := path.Match(strings.ToLower(pattern), name)
		return ok && err == nil && strings.HasPrefix(pattern, prefix)
	}
	listed := false
	if prefix == "" {
		for _, of := range harmlessTables {
			listed = listed || slices.ContainsFunc(of.names, matches)
		}
	}
	for _, pattern := range patterns {
		if off, is := strings.CutPrefix(pattern, "!"); is {
			listed = listed && !matches(off)
		} else if matches(pattern) {
			return true
		}
	}
	return listed
}

// An unknown table is probably harmless after this many changes over this time, each followed by an
// identical comparison.
const (
	busyChanges = 10
	busyTime    = 24 * time.Hour
)

// busyTable records the changes of an unknown table or option.
type busyTable struct {
	last time.Time // of its changes
	// since is the first change of those that count, and identical the number of them that an
	// identical comparison followed. waiting reports that none has followed the last one.
	since     time.Time
	identical int
	waiting   bool
}

// change records a change.
func (b *busyTable) change(now time.Time) {
	if b.since.IsZero() {
		b.since = now
	}
	b.last, b.waiting = now, true
}

// same records an identical comparison that began after the last change.
func (b *busyTable) same() {
	if b.waiting {
		b.identical++
		b.waiting = false
	}
}

// doubt makes the changes so far count no longer.
func (b *busyTable) doubt() { b.since, b.identical, b.waiting = time.Time{}, 0, false }

func (b *busyTable) probablyHarmless() bool {
	return b.identical >= busyChanges && b.last.Sub(b.since) >= busyTime
}

// tableChanged records that an unknown table or option has changed.
func (s *suspects) tableChanged(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tables[name] == nil {
		if len(s.tables) >= maxTables {
			return
		}
		s.tables[name] = &busyTable{}
	}
	s.tables[name].change(s.now())
}

// same records an identical comparison that began after all changes so far.
func (s *suspects) same() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, table := range s.tables {
		table.same()
	}
}

// doubt records that responses have begun to differ, that WordPress has begun to refuse an object, or
// that its rendering of one has changed. Any table that has changed after the given time may be the cause.
func (s *suspects) doubt(since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, table := range s.tables {
		if table.last.After(since) {
			table.doubt()
		}
	}
}

// probablyHarmless returns the unknown tables whose changes were followed by identical comparisons,
// sorted.
func (s *suspects) probablyHarmless() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, name := range slices.Sorted(maps.Keys(s.tables)) {
		if s.tables[name].probablyHarmless() {
			names = append(names, name)
		}
	}
	return names
}

// takeOver continues with the tables of another.
func (s *suspects) takeOver(from *suspects) {
	from.mu.Lock()
	defer from.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, table := range from.tables {
		if s.tables[name] == nil {
			copied := *table
			s.tables[name] = &copied
		}
	}
}
