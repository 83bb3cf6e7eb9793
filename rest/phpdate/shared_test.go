package phpdate

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/testdata"
	"calbridge/wpstore/php"
)

// recordedAt is the clock of the reference's recordings.
var recordedAt = time.Unix(1795262400, 0)

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func eachLine(t *testing.T, path string, do func(line []byte)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		do(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestVectors(t *testing.T) {
	var vectors []struct {
		Input, Zone string
		Base        int64
		Unix        any
		Local       *string
	}
	readJSON(t, testdata.Shared(t, "vectors", "strtotime.json"), &vectors)
	zones := NewZones()
	failed := 0
	for _, v := range vectors {
		zone, _, err := zones.Load(v.Zone)
		if err != nil {
			t.Fatal(err)
		}
		unix, ok := zones.Strtotime(v.Input, clockAt(time.Unix(v.Base, 0)), zone)
		want, valid := v.Unix.(float64)
		if ok != valid || (ok && float64(unix) != want) {
			failed++
			t.Errorf("%q in %s: got %d %v, want %v", v.Input, v.Zone, unix, ok, v.Unix)
			continue
		}
		if ok && v.Local != nil {
			if got := Format(time.Unix(unix, 0).In(zone), "Y-m-d H:i:s"); got != *v.Local {
				t.Errorf("%q in %s: got %s, want %s", v.Input, v.Zone, got, *v.Local)
			}
		}
	}
	t.Logf("%d of %d vectors agree", len(vectors)-failed, len(vectors))
}

func TestSharedZoneTables(t *testing.T) {
	zones := NewZones()
	var offsets struct {
		Zones map[string]struct {
			Build string `json:"build_object"`
		}
	}
	readJSON(t, testdata.Shared(t, "spec", "rendering-data", "utc_offset_zones.json"), &offsets)
	for name, want := range offsets.Zones {
		if got, err := zones.EventZone(name); err != nil || got.String() != want.Build {
			t.Errorf("EventZone(%s) = %v, %v; want %s", name, got, err, want.Build)
		}
	}
	var numeric map[string]map[string]struct{ Tribe string }
	readJSON(t, testdata.Shared(t, "spec", "rendering-data", "numeric_abbr_zones.json"), &numeric)
	for name, months := range numeric {
		for month, want := range months {
			n, _ := strconv.Atoi(month)
			got, err := zones.StoredAbbr(name, time.Date(2026, time.Month(n), 15, 12, 0, 0, 0, time.UTC))
			if err != nil || got != want.Tribe {
				t.Errorf("StoredAbbr(%s, %s) = %s, %v; want %s", name, month, got, err, want.Tribe)
			}
		}
	}
}

var dateArguments = []string{"start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"}

// isTime reproduces TEC's check of a date argument that is text: a number of any kind,
// or a date that is not the very start of 1970, read in UTC.
func isTime(z *Zones, s string, now time.Time) bool {
	if php.IsNumericString(s) {
		return true
	}
	unix, ok := z.Strtotime(s, clockAt(now), time.UTC)
	return ok && unix != 0
}

// Date arguments of recorded lists: refused or not, and the bound that rest_url
// repeats.
func TestRecordedDateArguments(t *testing.T) {
	zones := NewZones()
	prague, _, err := zones.Load("Europe/Prague")
	if err != nil {
		t.Fatal(err)
	}
	checked, echoed := 0, 0
	for _, site := range []string{"mono", "poly", "wpml"} {
		eachLine(t, testdata.Shared(t, "recordings", site, "reads-events-list.jsonl.gz"), func(line []byte) {
			var x struct {
				ID       string
				Request  struct{ Path string }
				Response struct {
					Status int
					Body   string
				}
			}
			if err := json.Unmarshal(line, &x); err != nil {
				t.Fatal(err)
			}
			u, err := url.Parse(x.Request.Path)
			if err != nil {
				return
			}
			var body struct {
				RestURL string `json:"rest_url"`
				Data    struct {
					Params map[string]string
				}
			}
			if json.Unmarshal([]byte(x.Response.Body), &body) != nil || (x.Response.Status != 200 && len(body.Data.Params) == 0) {
				return
			}
			repeated, _ := url.Parse(body.RestURL)
			query := u.Query()
			for _, name := range dateArguments {
				if !query.Has(name) {
					continue
				}
				values := query[name]
				value := values[len(values)-1] // as PHP reads a query
				checked++
				if _, refused := body.Data.Params[name]; refused == isTime(zones, value, recordedAt) {
					t.Errorf("%s: %s=%q: refused %v", x.ID, name, value, refused)
				}
				bound := ""
				if repeated != nil {
					bound = repeated.Query().Get(name)
				}
				if bound == "" || value == "0" || query.Has("include") {
					continue
				}
				var instant time.Time
				if unix, ok := zones.Strtotime(value, clockAt(recordedAt), time.UTC); php.IsNumericString(value) {
					instant = time.Unix(php.ToInt(value), 0)
				} else if instant = time.Unix(unix, 0); !ok {
					t.Errorf("%s: %s=%q is not a date", x.ID, name, value)
				}
				want := Format(instant.UTC(), "Y-m-d") + " 23:59:59"
				if name == "start_date" {
					want = Format(instant.UTC(), "Y-m-d") + " 00:00:00"
				}
				if strict := query.Get("strict_dates"); strict == "1" || strict == "true" || strict == "yes" || strict == "on" {
					want = Format(instant.In(prague), "Y-m-d H:i:s")
				}
				echoed++
				if bound != want {
					t.Errorf("%s: %s=%q: recorded %s, computed %s", x.ID, name, value, bound, want)
				}
			}
		})
	}
	t.Logf("%d arguments, %d repeated bounds", checked, echoed)
}

// Events of recorded writes: the clock is the string's own, UTC and abbreviation
// come from the event's zone.
func TestRecordedEventDates(t *testing.T) {
	zones := NewZones()
	checked := 0
	for _, site := range []string{"mono", "poly", "wpml"} {
		eachLine(t, testdata.Shared(t, "recordings", site, "writes.jsonl.gz"), func(line []byte) {
			var x struct {
				ID    string
				Steps []struct {
					Request struct {
						Body string
					}
					Response struct {
						Status int
						Body   string
					}
				}
			}
			if err := json.Unmarshal(line, &x); err != nil {
				t.Fatal(err)
			}
			for _, step := range x.Steps {
				sent := sentFields(step.Request.Body)
				var event struct {
					Start        string `json:"start_date"`
					UTCStart     string `json:"utc_start_date"`
					Timezone     string
					Abbreviation string `json:"timezone_abbr"`
					AllDay       bool   `json:"all_day"`
				}
				// A single date of an update is ignored.
				if sent["start_date"] == "" || sent["end_date"] == "" || sent["start_date"] == "0" || step.Response.Status > 299 ||
					json.Unmarshal([]byte(step.Response.Body), &event) != nil || event.Start == "" || event.AllDay {
					continue
				}
				checkEvent(t, zones, x.ID, sent["start_date"], event.Start, event.UTCStart, event.Timezone, event.Abbreviation)
				checked++
			}
		})
	}
	t.Logf("%d events", checked)
}

func sentFields(body string) map[string]string {
	sent := map[string]string{}
	var fields map[string]any
	if json.Unmarshal([]byte(body), &fields) == nil {
		for name, v := range fields {
			if s, ok := v.(string); ok {
				sent[name] = s
			}
		}
	} else if form, err := url.ParseQuery(body); err == nil {
		for name := range form {
			sent[name] = form.Get(name)
		}
	}
	return sent
}

func checkEvent(t *testing.T, zones *Zones, id, sent, start, utcStart, zoneName, abbreviation string) {
	zone, err := zones.EventZone(zoneName)
	if err != nil {
		t.Errorf("%s: %s: %v", id, zoneName, err)
		return
	}
	wall := ""
	if php.IsNumericString(sent) {
		wall = Format(time.Unix(php.ToInt(sent), 0).UTC(), "Y-m-d H:i:s")
	} else {
		r, err := zones.Parse(sent, clockAt(recordedAt), zone)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			return
		}
		wall = r.Wall()
	}
	if wall != start {
		t.Errorf("%s: start_date=%q in %s: recorded %s, computed %s", id, sent, zoneName, start, wall)
		return
	}
	local, err := zones.Parse(wall, clockAt(recordedAt), zone)
	if err != nil {
		t.Errorf("%s: %v", id, err)
		return
	}
	got, err := zones.StoredAbbr(zoneName, local.Time)
	if err != nil || got != abbreviation {
		t.Errorf("%s: %s at %s: recorded %s, computed %s, %v", id, zoneName, start, abbreviation, got, err)
	}
	if utc := Format(local.Time.UTC(), "Y-m-d H:i:s"); utc != utcStart && !strings.HasPrefix(utcStart, "0000") {
		t.Errorf("%s: %s in %s: recorded %s UTC, computed %s", id, start, zoneName, utcStart, utc)
	}
}
