package sitedb_test

import (
	"slices"
	"strings"
	"testing"

	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

func TestSiteFactsOfDumps(t *testing.T) {
	for _, site := range []string{"mono", "poly", "wpml"} {
		home := wptest.Info(t, site).Home
		onEngines(t, site, func(t *testing.T, db *sitedb.DB) {
			facts, err := db.Session(nil).Options.SiteFacts(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			calendar := func(plugin string) bool { return strings.HasPrefix(plugin, "the-events-calendar/") }
			roles, _ := facts.Roles.(*php.Array)
			if facts.Home != home || facts.SiteURL != home || !facts.Occurrences || facts.Multisite ||
				facts.Calendar.Len() == 0 || roles.Len() < 5 || !slices.ContainsFunc(facts.ActivePlugins, calendar) ||
				facts.TimezoneString != "Europe/Prague" || facts.DBVersion == "" {
				t.Errorf("facts: %+v", facts)
			}
		})
	}
}
