package check

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"calbridge/wpstore"
	"calbridge/wpstore/options"
	"calbridge/wpstore/php"
)

// wordpressVersions are the releases of WordPress by the version of the database (the
// option db_version), the lowest of each.
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

// wordpressVersion is the release of WordPress with a db_version; known is false for
// releases before the first or after the last one of the table.
func wordpressVersion(dbVersion string) (release string, known bool) {
	n, err := strconv.Atoi(strings.TrimSpace(dbVersion))
	last := wordpressVersions[len(wordpressVersions)-1]
	switch {
	case err != nil:
		return "unknown", false
	case n > last.dbVersion:
		return "newer than " + last.release, false
	}
	for _, v := range slices.Backward(wordpressVersions) {
		if n >= v.dbVersion {
			return v.release, true
		}
	}
	return "older than 6.5", false
}

// facts checks what the options say.
func (c *checker) facts(ctx context.Context) error {
	facts, err := c.Options.SiteFacts(ctx)
	if err != nil {
		return err
	}
	if facts.Home == "" || facts.SiteURL == "" {
		c.warn("wordpress.address", "Set both under Settings, General, or pass the home and site URL as settings.", "home is %q, siteurl %q", facts.Home, facts.SiteURL)
	} else {
		c.ok("wordpress.address", "%s", facts.Home)
	}
	if release, known := wordpressVersion(facts.DBVersion); known {
		c.ok("wordpress.version", "%s (db_version %s)", release, facts.DBVersion)
	} else {
		c.warn("wordpress.version", "Details of rendered text and of error answers may differ from this site's own; compare recordings of it.", "%s (db_version %q)", release, facts.DBVersion)
	}
	c.calendar(facts)
	c.occurrences(facts)
	return nil
}

// calendarPlugin is the main file of The Events Calendar.
const calendarPlugin = "the-events-calendar/the-events-calendar.php"

// calendar checks the plugin whose API is served.
func (c *checker) calendar(facts *wpstore.SiteFacts) {
	const name = "calendar.version"
	version := ""
	if facts.Calendar != nil {
		version = php.ToString(facts.Calendar.At("latest_ecp_version"))
	}
	active := slices.Contains(facts.ActivePlugins, calendarPlugin)
	major, _ := versionNumbers(version)
	switch {
	case version == "" && !active:
		c.warn(name, "If this is the right site, its calendar is empty: The Events Calendar has never run here.", "The Events Calendar is not installed")
	case version == "":
		c.warn(name, "The plugin's options cannot be read; its defaults apply.", "The Events Calendar is active, its version is unknown")
	case major != 6:
		c.warn(name, "Version 6 is what calbridge stands in for; compare recordings of this site.", "The Events Calendar %s", version)
	case !active:
		c.ok(name, "The Events Calendar %s, not active now", version)
	default:
		c.ok(name, "The Events Calendar %s", version)
	}
}

// occurrences says which of the two ways to find events by date is used.
func (c *checker) occurrences(facts *wpstore.SiteFacts) {
	const name = "calendar.occurrences"
	dates := c.Tables.Plain("tec_occurrences")
	switch {
	case facts.Occurrences:
		c.ok(name, "dates are read from %s", dates)
	case c.CalendarTablesOff:
		c.ok(name, "dates are read from post meta: TEC_CUSTOM_TABLES_V1_DISABLED is set")
	case options.Migrated(facts.Raw):
		c.warn(name, "Events are found by their post meta instead, which is slower and may list others. Grant this user SELECT on the two tables, or let the plugin make them anew.",
			"the calendar keeps dates in %s and %s, which are missing or not visible to this user", c.Tables.Plain("tec_events"), dates)
	case c.columns.has(dates, ""):
		c.ok(name, "dates are read from post meta: the site has not been moved to %s, or its option tec_custom_tables_v1_active is off", dates)
	default:
		c.ok(name, "dates are read from post meta: there is no %s", dates)
	}
}
