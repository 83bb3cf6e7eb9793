package sitecheck

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"calbridge/cmd/calbridge/settings"
	"calbridge/compat/recording"
	"calbridge/rest/phpdate"
	"calbridge/rest/wpauth"
	"calbridge/wpstore"
	"calbridge/wpstore/check"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// Database checks the contents of an open database, and returns the site's facts, nil if something failed. It
// returns an error if the database can't be queried.
func Database(ctx context.Context, s *settings.Settings, store *sitedb.DB) (check.Report, *wpstore.SiteFacts, error) {
	report := check.Report{Success("database.connection", "connected using "+s.Origin.Of("dsn"))}
	found, facts, err := store.CheckSchema(ctx)
	report = append(report, found...)
	if err != nil || report.Worst() == check.StatusFail {
		return report, nil, err
	}
	report = append(report, store.CheckReplicas(ctx)...)
	report = append(report, clusterFindings(s, store.Cluster())...)
	report = append(report, networkFindings(ctx, s, store, facts)...)
	report = append(report, siteFindings(s, facts)...)
	return append(report, companionFindings(ctx, s, facts.ActivePlugins)...), facts, nil
}

// clusterFindings reports the effects of several servers and instances on writes.
func clusterFindings(s *settings.Settings, cluster bool) check.Report {
	var report check.Report
	if cluster {
		report = append(report, Success("database.cluster", "a node of a Galera cluster: if two nodes write the same rows at once, one fails and calbridge retries; the options calbridge_lock_… are for that"))
	}
	if s.Database.WriterCookie && s.API.Compat.Exact() {
		report = append(report, Warning("settings.writer-cookie", "responses to writes of logged-in users set a cookie that WordPress doesn't set, even with --compat exact",
			"Leave out --writer-cookie if every byte has to match WordPress's."))
	}
	return report
}

// ChangeFeed checks whether the binary log can be followed.
func ChangeFeed(ctx context.Context, store *sitedb.DB) check.Report {
	found, err := store.CheckFeed(ctx)
	if err != nil {
		found = append(found, Failure("database.change-feed", err.Error(), ""))
	}
	return found
}

// Lists reports how long lists of events take in the database.
func Lists(ctx context.Context, store *sitedb.DB) check.Report {
	found, err := store.CheckLists(ctx)
	if err != nil {
		found = append(found, Warning("database.lists", err.Error(), ""))
	}
	return found
}

// NoCalendar is the name of the finding that a site of a network has not activated the calendar.
const NoCalendar = "site.calendar"

// siteFindings describes the effect of the site's options.
func siteFindings(s *settings.Settings, facts *wpstore.SiteFacts) check.Report {
	report := check.Report{
		Success("site.address", fmt.Sprintf("home %s, siteurl %s", cmp.Or(s.Site.Home, facts.Home), cmp.Or(s.Site.SiteURL, facts.SiteURL))),
		Success("site.api", strings.TrimRight(cmp.Or(s.Site.Home, facts.Home), "/")+apiPath(s.API, facts)),
		namespaceFinding(s, facts),
		Success("site.timezone", zoneText(facts)),
		Success("site.per-page", perPage(facts)),
		languageFinding(s, facts),
		keyFinding(s.Login.Keys, facts),
	}
	if facts.LacksCalendar() {
		report = append(report, Success(NoCalendar, "not active for this site of the network: its routes get 404, as from WordPress"))
	}
	if s.API.Profile == "" {
		report = append(report, Warning("site.wording", "calbridge's own error messages and descriptions",
			"To use the site's own, record the site and build a profile: `calbridge profile build`."))
	} else {
		report = append(report, Success("site.wording", s.API.Profile))
	}
	if s.Login.RecordUse && s.Login.ApplicationPasswords != "off" && facts.UsingApplicationPasswords {
		report = append(report, Success("site.application-passwords", "in use; their last use is recorded, which needs UPDATE on the user metadata table"))
	}
	return report
}

// Calendar is a plugin whose API calbridge can serve.
type Calendar struct{ Folder, Name, Namespace string }

// calendars lists the plugins that calbridge stands in for.
var calendars = []Calendar{{"the-events-calendar/", "The Events Calendar", recording.DefaultNamespace}}

// ActiveCalendar returns the calendar among the main files of a site's active plugins, and reports
// whether there is one.
func ActiveCalendar(activePlugins []string) (Calendar, bool) {
	for _, known := range calendars {
		if slices.ContainsFunc(activePlugins, func(file string) bool { return strings.HasPrefix(file, known.Folder) }) {
			return known, true
		}
	}
	return Calendar{}, false
}

// namespaceFinding compares the namespace that is served with those that the site's clients
// use. WordPress ignores the letter case of namespaces.
func namespaceFinding(s *settings.Settings, facts *wpstore.SiteFacts) check.Finding {
	const name = "site.namespace"
	served := s.API.Namespace
	active, found := ActiveCalendar(facts.ActivePlugins)
	switch {
	case !found:
		return Success(name, served+"; no active plugin has a calendar API, so no other namespace is known to be in use")
	case strings.EqualFold(served, active.Namespace):
		return Success(name, fmt.Sprintf("%s, like %s", served, active.Name))
	}
	return Warning(name, fmt.Sprintf("%s (%s) is served, but %s is active: this site's clients use %s, which gets 404 here", served, s.Origin.Of("namespace"), active.Name, active.Namespace),
		fmt.Sprintf("Add --namespace %s, and set it in the web server's file too.", active.Namespace))
}

func apiPath(a settings.API, facts *wpstore.SiteFacts) string {
	switch {
	case facts.PermalinkStructure == "":
		return "/index.php?rest_route=/" + a.Namespace + "/ (plain permalinks)"
	case strings.HasPrefix(facts.PermalinkStructure, "/index.php/"):
		return "/index.php/" + a.RESTPrefix + "/" + a.Namespace + "/"
	}
	return "/" + a.RESTPrefix + "/" + a.Namespace + "/ (permalinks " + facts.PermalinkStructure + ")"
}

func zoneText(facts *wpstore.SiteFacts) string {
	return phpdate.NewZones().Site(facts.TimezoneString, facts.GMTOffset).String()
}

func perPage(facts *wpstore.SiteFacts) string {
	if v := php.ToString(facts.Calendar.At("posts_per_page")); v != "" {
		return v + " events (the calendar's option)"
	}
	return facts.PostsPerPage + " events (WordPress's option)"
}

// keyFinding checks that cookies and nonces can be verified.
func keyFinding(keys wpauth.Keys, facts *wpstore.SiteFacts) check.Finding {
	var missing []string
	for _, scheme := range []wpauth.Scheme{wpauth.SchemeLoggedIn, wpauth.SchemeNonce} {
		if wpauth.Salt(scheme, keys, func(option string) string { return facts.Raw[option] }) == "" {
			missing = append(missing, string(scheme))
		}
	}
	if len(missing) > 0 {
		return Warning("site.keys", "no keys and salts for "+strings.Join(missing, " and "),
			"calbridge can't recognise logged-in browsers: pass --wp-config, or the eight keys and salts.")
	}
	return Success("site.keys", "keys and salts for cookies and nonces found")
}
