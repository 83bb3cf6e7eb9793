package check

import (
	"context"
	"strconv"
	"strings"

	"calbridge/wpstore"
	"calbridge/wpstore/options"
	"calbridge/wpstore/php"
	"calbridge/wpstore/table"
)

// wordpressVersions tells which releases of WordPress made which version of the
// database (the option db_version), by the lowest number each.
var wordpressVersions = []struct {
	dbVersion int
	release   string
}{
	{57155, "6.5 or 6.6"},
	{58975, "6.7"},
	{60421, "6.8"},
	{60717, "6.9"},
	{61833, "7.0"},
}

// wordpressVersion tells the release of WordPress from the option db_version.
// Known are those between 6.5 and 7.0; others are described, with known false.
func wordpressVersion(dbVersion string) (release string, known bool) {
	n, err := strconv.Atoi(strings.TrimSpace(dbVersion))
	first, last := wordpressVersions[0], wordpressVersions[len(wordpressVersions)-1]
	switch {
	case err != nil:
		return "unknown", false
	case n < first.dbVersion:
		return "older than 6.5", false
	case n > last.dbVersion:
		return "newer than " + last.release, false
	}
	for _, v := range wordpressVersions {
		if n >= v.dbVersion {
			release = v.release
		}
	}
	return release, true
}

// facts looks at what the options say.
func facts(ctx context.Context, r *Report, site *Site, there found) error {
	facts, err := site.Options.SiteFacts(ctx)
	if err != nil {
		return err
	}
	if facts.Home == "" || facts.SiteURL == "" {
		r.warn("wordpress.address", "Set both under Settings, General, or pass the home and site URL as settings.", "home is %q, siteurl %q", facts.Home, facts.SiteURL)
	} else {
		r.ok("wordpress.address", "%s", facts.Home)
	}
	if release, known := wordpressVersion(facts.DBVersion); known {
		r.ok("wordpress.version", "%s (db_version %s)", release, facts.DBVersion)
	} else {
		r.warn("wordpress.version", "Details of rendered text and of error answers may differ from this site's own; compare recordings of it.", "%s (db_version %q)", release, facts.DBVersion)
	}
	calendar(r, facts)
	occurrences(r, facts, site.Tables, there)
	return nil
}

// calendarPlugin is the main file of The Events Calendar.
const calendarPlugin = "the-events-calendar/the-events-calendar.php"

// calendar looks at the plugin whose interface is served.
func calendar(r *Report, facts *wpstore.SiteFacts) {
	const name = "calendar.version"
	version := ""
	if facts.Calendar != nil {
		version = php.ToString(facts.Calendar.At("latest_ecp_version"))
	}
	active := false
	for _, plugin := range facts.ActivePlugins {
		active = active || plugin == calendarPlugin
	}
	major, _ := versionNumbers(version)
	switch {
	case version == "" && !active:
		r.warn(name, "If this is the right site, its calendar is empty: The Events Calendar has never run here.", "The Events Calendar is not installed")
	case version == "":
		r.warn(name, "The plugin's options cannot be read; its defaults apply.", "The Events Calendar is active, its version is unknown")
	case major != 6:
		r.warn(name, "Version 6 is what calbridge stands in for; compare recordings of this site.", "The Events Calendar %s", version)
	case !active:
		r.ok(name, "The Events Calendar %s, not active now", version)
	default:
		r.ok(name, "The Events Calendar %s", version)
	}
}

// occurrences says which of the two ways to find events by date is used.
func occurrences(r *Report, facts *wpstore.SiteFacts, tables table.Names, there found) {
	const name = "calendar.occurrences"
	dates := tables.Plain("tec_occurrences")
	switch {
	case facts.Occurrences:
		r.ok(name, "dates are read from %s", dates)
	case options.Migrated(facts.Raw["tec_ct1_migration_state"]):
		r.warn(name, "Events are found by their post meta instead, which is slower and may list others. Grant this user SELECT on the two tables, or let the plugin make them anew.",
			"the calendar keeps dates in %s and %s, which are missing or not visible to this user", tables.Plain("tec_events"), dates)
	case there.has(dates):
		r.ok(name, "dates are read from post meta: the site has not been moved to %s", dates)
	default:
		r.ok(name, "dates are read from post meta: there is no %s", dates)
	}
}
