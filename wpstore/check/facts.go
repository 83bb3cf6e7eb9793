package check

import (
	"context"
	"slices"

	"calbridge/wpstore"
	"calbridge/wpstore/options"
)

// facts reads and checks the site's facts: storage engines, character sets and options.
func (c *checker) facts(ctx context.Context) error {
	facts, err := c.Options.SiteFacts(ctx)
	if err != nil {
		return err
	}
	c.read = facts
	c.engines(facts.NoTransactions)
	c.charsets(facts.Charsets)
	if facts.Home == "" || facts.SiteURL == "" {
		c.warn("wordpress.address", "Set both under Settings, General, or pass the home and site URL as settings.", "home is %q, siteurl %q", facts.Home, facts.SiteURL)
	} else {
		c.ok("wordpress.address", "%s", facts.Home)
	}
	c.calendar(facts)
	c.occurrences(facts)
	return nil
}

// calendarPlugin is the main file of The Events Calendar.
const calendarPlugin = "the-events-calendar/the-events-calendar.php"

// calendar checks the plugin whose API is served.
func (c *checker) calendar(facts *wpstore.SiteFacts) {
	const name = "calendar.plugin"
	switch active := slices.Contains(facts.ActivePlugins, calendarPlugin); {
	case facts.Calendar == nil && !active:
		c.warn(name, "If this is the right site, its calendar is empty: The Events Calendar has never run here.", "The Events Calendar is not installed")
	case facts.Calendar == nil:
		c.warn(name, "The plugin's options cannot be read; its defaults apply.", "The Events Calendar is active, but its options cannot be read")
	case !active:
		c.ok(name, "The Events Calendar is installed, but not active")
	default:
		c.ok(name, "The Events Calendar is active")
	}
}

// occurrences reports which of the two ways to find events by date is used.
func (c *checker) occurrences(facts *wpstore.SiteFacts) {
	const name = "calendar.occurrences"
	dates := c.Tables.Plain("tec_occurrences")
	switch {
	case facts.Occurrences:
		c.ok(name, "dates are read from %s", dates)
	case c.CalendarTablesOff:
		c.ok(name, "dates are read from post meta: TEC_CUSTOM_TABLES_V1_DISABLED is set")
	case options.Migrated(facts.Raw):
		c.warn(name, "Events are found by their post meta instead, which is slower and may list others. Grant this user SELECT on the two tables, or let the plugin recreate them.",
			"the calendar keeps dates in %s and %s, which are missing or not visible to this user", c.Tables.Plain("tec_events"), dates)
	case c.exist["tec_occurrences"]:
		c.ok(name, "dates are read from post meta: the site has not been moved to %s, or its option tec_custom_tables_v1_active is off", dates)
	default:
		c.ok(name, "dates are read from post meta: there is no %s", dates)
	}
}
