package check

import (
	"context"
	"fmt"
	"time"

	"calbridge/wpstore"
)

// Upcoming queries the first upcoming events, by start in UTC or in local time. It returns their
// number and how long the database took.
type Upcoming func(ctx context.Context, utc bool, starts wpstore.StartIndexes) (events int64, took time.Duration, err error)

// Lists reports how long a list of events takes in the database, and which index may speed it
// up. It reports nothing for the embedded engine, and nothing if lists don't read the occurrence
// table, or filter by one start and sort by the other.
func Lists(ctx context.Context, site Site, upcoming Upcoming) (r Report, err error) {
	facts, err := site.Options.FactsWithoutCharsets(ctx)
	if err != nil || !facts.Occurrences || site.Servers.Dialect().Embedded() {
		return nil, err
	}
	mode, _ := facts.Calendar.At("tribe_events_timezone_mode").(string)
	utc := mode == "site"
	if !utc && facts.TimezoneString == "UTC" {
		return nil, nil
	}
	events, took, err := upcoming(ctx, utc, facts.StartIndexes)
	if err != nil {
		return nil, err
	}
	found := fmt.Sprintf("listing the first %d upcoming events takes %.1f ms in the database", events, float64(took)/float64(time.Millisecond))
	if index := facts.StartIndexes.By(utc); index != "" {
		found += ", using the index " + index
	} else {
		suffix := ""
		if utc {
			suffix = "_utc"
		}
		found += fmt.Sprintf(". With --cache off, this index would speed up lists without filters by 20 %% (10,000 events) to 40 %% (100,000 events), and slow down other lists of long periods by 14 to 33 %%: ALTER TABLE `%s` ADD INDEX calbridge_start%[2]s (start_date%[2]s, post_id, end_date%[2]s)",
			site.Tables.Plain("tec_occurrences"), suffix)
	}
	r.ok("database.lists", "%s", found)
	return r, nil
}
