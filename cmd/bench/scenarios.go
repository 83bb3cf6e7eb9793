package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"calbridge/wpstore/synthetic"
)

// scenario is one kind of load. If name contains "random", its requests differ.
type scenario struct {
	name   string
	writes bool
	next   func(i int) request
}

// scenarios returns the loads for a generated calendar with the given number of events. base
// is the URL path of the API. The random choices are the same in each run.
func scenarios(base string, events int) []scenario {
	read := func(name, path string, args ...func(*rand.Rand) any) scenario {
		return scenario{name: name, next: func(i int) request {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			values := make([]any, len(args))
			for k, arg := range args {
				values[k] = arg(r)
			}
			return request{method: "GET", path: base + fmt.Sprintf(path, values...)}
		}}
	}
	event := func(r *rand.Rand) any { return r.IntN(events) }
	below := func(n int) func(*rand.Rand) any { return func(r *rand.Rand) any { return 1 + r.IntN(n) } }
	month := func(r *rand.Rand) any {
		from := synthetic.Now.AddDate(0, 0, r.IntN(700)-360)
		return from.Format(time.DateOnly) + "&end_date=" + from.AddDate(0, 1, 0).Format(time.DateOnly)
	}
	late := min(1000, events*9/10) // a few are hidden
	write := adminRequest()
	return []scenario{
		read("list of 1", "/events?per_page=1"),
		read("list of 10", "/events?per_page=10"),
		read("list of 50", "/events?per_page=50"),
		read(fmt.Sprintf("page %d", late), fmt.Sprintf("/events?per_page=1&page=%d&start_date=2000-01-01&end_date=2100-01-01", late)),
		read("random month, 50", "/events?per_page=50&start_date=%s", month),
		read("random event", "/events/%d", func(r *rand.Rand) any { return synthetic.FirstEvent + event(r).(int) }),
		read("random event by slug", "/events/by-slug/akce-%d", func(r *rand.Rand) any { return 1 + event(r).(int) }),
		read("events of a random venue", "/events?per_page=10&venue=%d", func(r *rand.Rand) any { return synthetic.Venue(events, r.IntN(1+events/50)) }),
		read("events of a random category", "/events?per_page=10&categories=%d", below(synthetic.Categories)),
		read("search", "/events?per_page=10&search=%d", below(events)),
		read("venues", "/venues?per_page=10"),
		read("categories", "/categories?per_page=10"),
		read("index", ""),
		read("doc", "/doc"),
		{"creation of an event", true, func(i int) request {
			r := write
			r.method, r.path, r.body = "POST", base+"/events", eventBody(i)
			return r
		}},
		{"update of a random event", true, func(i int) request {
			r := write
			id := synthetic.FirstEvent + rand.New(rand.NewPCG(2, uint64(i))).IntN(events)
			r.method, r.path, r.body = "POST", fmt.Sprintf("%s/events/%d", base, id), eventBody(i)
			return r
		}},
	}
}

// adminRequest returns a request of the generated administrator.
func adminRequest() request {
	return request{authorization: "Basic " + base64.StdEncoding.EncodeToString([]byte(login+":"+password))}
}

// eventBody returns the JSON of an event next spring.
func eventBody(i int) string {
	start := time.Date(2027, 3, 1+i%28, 18, i%60, 0, 0, time.UTC)
	body, _ := json.Marshal(map[string]any{ // strings and numbers always marshal
		"title": fmt.Sprintf("Koncert %d", i), "description": "<p>Hraje se venku.</p>", "status": "publish",
		"start_date": start.Format(time.DateTime), "end_date": start.Add(2 * time.Hour).Format(time.DateTime), "timezone": "Europe/Prague",
		"categories": []int{1 + i%12},
	})
	return string(body)
}
