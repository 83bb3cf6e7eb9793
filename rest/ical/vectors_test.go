package ical

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/phpdate"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/sanitize"
	"calbridge/rest/wptext/sitetest"
	"calbridge/testdata"
)

// vectors are those of ../shared/vectors/ical.json.
type vectors struct {
	Cases []struct {
		Name    string
		Changes struct {
			Posts, Terms []change
			Postmeta     []change
			Options      map[string]string
		}
		Requests []struct {
			Path     string
			Response struct{ Body string }
		}
	}
	Descriptions []struct{ Content, Line string }
}

// change is [id, column or key, value].
type change struct {
	id    int64
	key   string
	value string // "" if it is not a text
}

func (c *change) UnmarshalJSON(data []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	if len(list) != 3 {
		return fmt.Errorf("%d elements", len(list))
	}
	_ = json.Unmarshal(list[2], &c.value) // lists and null aren't needed here
	if err := json.Unmarshal(list[0], &c.id); err != nil {
		return err
	}
	return json.Unmarshal(list[1], &c.key)
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "vectors", "ical.json"))
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// entry is a recorded VEVENT: its lines by name.
type entry map[string]string

func (e entry) id() int64 { return e.number(0) }

// number returns one of the three in the UID: id, start, end.
func (e entry) number(n int) int64 {
	all := regexp.MustCompile(`^(\d+)-(-?\d+)-(-?\d+)@`).FindStringSubmatch(e["UID"])
	number, _ := strconv.ParseInt(all[n+1], 10, 64)
	return number
}

// entries returns the events of an export.
func entries(body string) (all []entry) {
	for line := range strings.SplitSeq(body, "\r\n") {
		if line == "BEGIN:VEVENT" {
			all = append(all, entry{})
		}
		if len(all) > 0 {
			name, value, _ := strings.Cut(line, ":")
			name, _, _ = strings.Cut(name, ";")
			if name == "ORGANIZER" {
				value = line
			}
			all[len(all)-1][name] = value
		}
	}
	return all
}

// TestZones: the zones of events are described as recorded.
func TestZones(t *testing.T) {
	compared := 0
	for _, c := range readVectors(t).Cases {
		if c.Name != "odd-zones" && c.Name != "old-and-far" {
			continue
		}
		zones := map[int64]string{}
		for _, change := range c.Changes.Postmeta {
			if change.key == "_EventTimezone" {
				zones[change.id] = change.value
			}
		}
		for _, request := range c.Requests {
			if c.Name == "old-and-far" && !strings.HasSuffix(request.Path, "67,68,69") {
				continue
			}
			var calendar Calendar
			for _, e := range entries(request.Response.Body) {
				zone := zones[e.id()]
				if zone == "" {
					zone = "Europe/Prague"
				}
				calendar.Events = append(calendar.Events, Event{ID: e.id(), Zone: zone,
					Start: time.Unix(e.number(1), 0).UTC(), End: time.Unix(e.number(2), 0).UTC()})
			}
			var w writer
			w.zones(calendar.Events, phpdate.NewZones(), nil)
			got := string(w.b)
			_, want, _ := strings.Cut(request.Response.Body, "X-PUBLISHED-TTL:PT1H\r\n")
			want, _, _ = strings.Cut(want, "BEGIN:VEVENT")
			if got != want {
				t.Errorf("%s %s: %s", c.Name, request.Path, cmp.Diff(strings.Split(want, "\r\n"), strings.Split(got, "\r\n")))
			}
			compared++
		}
	}
	if compared != 2 {
		t.Errorf("%d exports compared", compared)
	}
}

// TestTexts: titles, categories and organizers are written as recorded.
func TestTexts(t *testing.T) {
	compared := map[string]int{}
	check := func(what, got, want string) {
		t.Helper()
		compared[what]++
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	for _, c := range readVectors(t).Cases {
		titles := map[int64]string{}
		for _, change := range c.Changes.Posts {
			if change.key == "post_title" {
				titles[change.id] = change.value
			}
		}
		for _, request := range c.Requests {
			for _, e := range entries(request.Response.Body) {
				if title, ok := titles[e.id()]; ok && c.Name == "titles" {
					check("title", new(writer).text(sanitize.StripAllTags(title)), e["SUMMARY"])
				}
			}
			if c.Name == "organizers" {
				for _, title := range titles {
					line := `ORGANIZER;CN="` + organizerName(title) + `":MAILTO:`
					if title != "&amp; &quot;" { // not shown
						check("organizer", strconv.FormatBool(strings.Contains(request.Response.Body, line)), "true")
					}
				}
			}
			if c.Name == "categories" {
				for _, change := range c.Changes.Terms {
					check("category", strconv.FormatBool(strings.Contains(request.Response.Body, decodeEntities(change.value))), "true")
				}
			}
		}
	}
	for what, least := range map[string]int{"title": 10, "organizer": 4, "category": 3} {
		if compared[what] < least {
			t.Errorf("%d of %s compared", compared[what], what)
		}
	}
}

// TestDescriptions: contents become descriptions as recorded.
func TestDescriptions(t *testing.T) {
	site := sitetest.Site("https://kalendar.example")
	for _, d := range readVectors(t).Descriptions {
		var state wptext.RequestState
		resources := sitetest.RecordedResources(t)
		resources.Attachments[7] = &wptext.Attachment{ID: 7, Caption: "Foto: archiv", Status: "inherit", MIMEType: "image/jpeg", File: "a.jpg", Metadata: sitetest.File("a.jpg", 300, 200)}
		e := Event{Content: content.Render(WithoutCalendarBlocks(d.Content), site, resources, &state)}
		if got := "DESCRIPTION:" + new(writer).description(&e); got != d.Line {
			t.Errorf("%q:\n%q, want\n%q", d.Content, got, d.Line)
		}
	}
}
