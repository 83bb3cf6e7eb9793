package phpdate_test

import (
	"fmt"
	"time"

	"calbridge/rest/phpdate"
)

// A client asks for events from "next friday 18:00" on, in the site's zone.
func ExampleZones_Strtotime() {
	zones := phpdate.NewZones()
	site := zones.Site("Europe/Prague", "")
	now := func() time.Time { return time.Date(2026, 3, 25, 9, 0, 0, 0, time.UTC) }

	unix, ok := zones.Strtotime("next friday 18:00", now, site)
	fmt.Println(phpdate.Format(time.Unix(unix, 0).In(site), "l j F Y H:i T"), ok)
	// The relative part moves the wall clock: summer time begins on 29 March.
	unix, ok = zones.Strtotime("29 March 2026 01:30 +1 hour", now, site)
	fmt.Println(phpdate.Format(time.Unix(unix, 0).In(site), "c"), ok)
	_, ok = zones.Strtotime("the day after", now, site)
	fmt.Println(ok)
	// Output:
	// Friday 27 March 2026 18:00 CET true
	// 2026-03-29T03:30:00+02:00 true
	// false
}
