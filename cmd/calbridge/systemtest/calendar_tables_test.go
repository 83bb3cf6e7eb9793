package systemtest

import (
	"path/filepath"
	"testing"

	"calbridge/testdata"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// TestReplayWithoutCalendarTables replays recordings of a site whose calendar tables exist but
// are switched off, by its option or by a constant of wp-config.php.
func TestReplayWithoutCalendarTables(t *testing.T) {
	oneAtATime(t)
	shared := testdata.Shared(t)
	const site = "mono"
	profile := buildProfile(t, shared, site)
	for _, engine := range replayEngines() {
		for _, by := range []string{"option", "constant"} {
			t.Run(by+"/"+engine, func(t *testing.T) {
				db := wptest.SiteCopy(t, engine, site)
				store := openStore(t, db, func(c *sitedb.Config) { c.CalendarTablesOff = by == "constant" })
				if by == "option" {
					for _, statement := range []string{
						"DELETE FROM wp_options WHERE option_name = 'tec_custom_tables_v1_active'",
						"INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('tec_custom_tables_v1_active', '0', 'on')",
					} {
						if _, err := store.SQL().Exec(statement); err != nil {
							t.Fatal(err)
						}
					}
				}
				url := serveStore(t, store, site, db.Now, profile)
				replayFiles(t, shared, site, engine, url, filepath.Join(shared, "recordings", "variants", "calendar-tables-off-"+by+".jsonl.gz"))
			})
		}
	}
}
