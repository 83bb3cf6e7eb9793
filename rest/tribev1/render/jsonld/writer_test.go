package jsonld

import (
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
)

func testWriter(change func(*wpstore.SiteFacts)) *Writer {
	facts := &wpstore.SiteFacts{
		SiteAddresses:  wpstore.SiteAddresses{Home: "https://v.example", SiteURL: "https://v.example"},
		SitePermalinks: wpstore.SitePermalinks{PermalinkStructure: "/%postname%"},
		SiteLocale:     wpstore.SiteLocale{TimezoneString: "Europe/Prague", DateFormat: "Y-m-d"},
	}
	if change != nil {
		change(facts)
	}
	site := wpsite.NewBuilder(&wpsite.Settings{RESTPrefix: "wp-json"}).Site(facts)
	place := site.Place(true)
	return &Writer{
		Place: &place, Viewer: &authz.Viewer{User: wpcap.Anonymous(), Site: site}, Clock: &api.Clock{At: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)},
		Media: &wptext.Resources{Attachments: map[int64]*wptext.Attachment{401: {ID: 401, File: "2026/mill.jpg"}}}, State: &wptext.RequestState{},
	}
}

// post returns a published post with metadata, of alternating keys and values.
func post(kind *api.PostKind, title string, meta ...string) Post {
	var rows []wpstore.MetaRow
	for i := 0; i < len(meta); i += 2 {
		rows = append(rows, wpstore.MetaRow{Key: meta[i], Value: meta[i+1]})
	}
	p := &wpstore.Post{ID: 7, Type: kind.PostType, Status: "publish", Name: "fair", Title: title, PostDates: wpstore.PostDates{Date: "2026-10-01 08:00:00"}}
	return Post{Post: p, Meta: wpstore.NewMeta(rows, wpstore.Digest{})}
}

func written(write func(w *phpjson.Writer)) string {
	w := &phpjson.Writer{}
	w.BeginObject()
	write(w)
	w.EndObject()
	return string(w.Bytes())
}

var dates = []string{"_EventStartDate", "2026-12-24 18:00:00", "_EventEndDate", "2026-12-24 20:00:00", "_EventTimezone", "Europe/London"}

// TestEvent compares the members and their order.
func TestEvent(t *testing.T) {
	venue := post(api.Venues, "Mill", "_VenueAddress", "Road 1", "_VenueCity", "Lhota", "_VenueState", "TX", "_VenueProvince", "Moravia", "_VenueCountry", "Czechia", "_VenueZip", "1")
	organizer := post(api.Organizers, "Club", "_OrganizerEmail", "a@b.example", "_OrganizerWebsite", "https://c.example", "_OrganizerPhone", "5")
	p := post(api.Events, "Fair", append(dates, "_EventCost", "12", "_thumbnail_id", "401")...)
	l := testWriter(nil)
	got := written(func(w *phpjson.Writer) {
		l.Event(w, p, []Link{{api.Venues, venue}, {api.Organizers, organizer}})
	})
	want := `{"json_ld":{"@context":"http://schema.org","@type":"Event","name":"Fair","description":"","image":"https://v.example/wp-content/uploads/2026/mill.jpg",` +
		`"url":"https://v.example/event/fair/","eventAttendanceMode":"https://schema.org/OfflineEventAttendanceMode","eventStatus":"https://schema.org/EventScheduled",` +
		`"startDate":"2026-12-24T18:00:00+00:00","endDate":"2026-12-24T20:00:00+00:00",` +
		`"location":{"@type":"Place","name":"Mill","description":"","url":"","address":{"@type":"PostalAddress","streetAddress":"Road 1","addressLocality":"Lhota","addressRegion":"Moravia","postalCode":"1","addressCountry":"Czechia"},"telephone":"","sameAs":""},` +
		`"organizer":{"@type":"Person","name":"Club","description":"","url":"https://c.example","telephone":"5","email":"a&#64;b.example","sameAs":"https://c.example"},` +
		`"offers":{"@type":"Offer","price":"12","priceCurrency":"USD","url":"https://v.example/event/fair/","category":"primary","availability":"inStock","validFrom":"2026-10-01T00:00:00+00:00"},` +
		`"performer":"Organization"}}`
	if unescaped := strings.ReplaceAll(got, `\/`, `/`); unescaped != want {
		t.Errorf("got  %s\nwant %s", unescaped, want)
	}
}

// TestEventParts changes one thing at a time.
func TestEventParts(t *testing.T) {
	for _, c := range []struct {
		name, want string
		facts      func(*wpstore.SiteFacts)
		meta       []string
		change     func(*Post)
	}{
		{"canceled", `"eventStatus":"https://schema.org/EventCancelled"`, nil, []string{"_tribe_events_status", "canceled"}, nil},
		{"postponed", `"eventStatus":"https://schema.org/EventPostponed"`, nil, []string{"_tribe_events_status", "postponed"}, nil},
		{"another status", `"eventStatus":"https://schema.org/EventScheduled"`, nil, []string{"_tribe_events_status", "x"}, nil},
		{"the site's zone", `"startDate":"2026-12-24T19:00:00+01:00"`, func(f *wpstore.SiteFacts) { f.Calendar = api.Object("tribe_events_timezone_mode", "site") }, nil, nil},
		{"a manual offset", `"startDate":"2026-06-24T20:00:00+02:00"`, manualOffset("2"), []string{"_EventStartDate", "2026-06-24 19:00:00", "_EventStartDateUTC", "2026-06-24 18:00:00"}, nil},
		{"west of UTC", `"startDate":"2026-12-24T08:30:00-09:30"`, manualOffset("-9.5"), []string{"_EventStartDateUTC", "2026-12-24 18:00:00"}, nil},
		{"quarters of an hour", `"startDate":"2026-12-25T06:45:00+12:45"`, manualOffset("12.75"), []string{"_EventStartDateUTC", "2026-12-24 18:00:00"}, nil},
		{"half hours", `"startDate":"2026-12-24T23:30:00+05:30"`, manualOffset("5.5"), []string{"_EventStartDateUTC", "2026-12-24 18:00:00"}, nil},
		{"a manual offset, dates not in UTC", `"startDate":"2026-11-21T17:30:00+05:30","endDate":"2026-11-21T17:30:00+05:30"`, manualOffset("5.5"), nil, nil},
		{"a manual offset, an unknown zone", `"startDate":"2026-12-24T17:30:00+05:30"`, manualOffset("5.5"), []string{"_EventTimezone", "Mars/Phobos", "_EventStartDateUTC", "2026-12-24 12:00:00"}, nil},
		{"a manual offset, its own zone", `"startDate":"2026-12-24T18:00:00+05:30"`, manualOffset("5.5"), []string{"_EventTimezone", "UTC+5.5", "_EventStartDateUTC", "2026-12-24 09:00:00"}, nil},
		{"a manual offset, no zone", `"startDate":"2026-12-24T18:00:00+05:30"`, manualOffset("5.5"), []string{"_EventTimezone", "", "_EventStartDateUTC", "2026-12-24 09:00:00"}, nil},
		{"zone 0", `"startDate":"2026-12-24T18:00:00+01:00"`, nil, []string{"_EventTimezone", "0"}, nil},
		{"an unknown zone", `"startDate":"2026-12-24T18:00:00+00:00"`, nil, []string{"_EventTimezone", "Mars/Phobos"}, nil},
		{"three hours and a half", `"startDate":"2026-12-24T18:00:00-03:30"`, nil, []string{"_EventTimezone", "UTC-3.5"}, nil},
		{"half an hour", `"startDate":"2026-12-24T18:30:00+00:30"`, nil, []string{"_EventTimezone", "UTC+0.5"}, nil},
		{"half an hour west", `"startDate":"2026-12-24T17:30:00-00:30"`, nil, []string{"_EventTimezone", "UTC-0.5"}, nil},
		{"13 hours and three quarters", `"startDate":"2026-12-24 04:15:00"`, nil, []string{"_EventTimezone", "UTC+13.75"}, nil},
		{"hours and minutes", `"startDate":"2026-12-24 12:30:00"`, nil, []string{"_EventTimezone", "UTC+5:30"}, nil},
		{"the zero date", `"startDate":"-0001-11-30T00:00:00+00:00"`, nil, []string{"_EventStartDate", "0000-00-00 00:00:00", "_EventTimezone", "UTC"}, nil},
		{"an event without a zone", `"startDate":"2026-12-24T18:00:00+05:30"`, func(f *wpstore.SiteFacts) { f.TimezoneString, f.GMTOffset = "", "5.5" }, []string{"_EventTimezone", ""}, nil},
		{"a missing file", `"image":false`, nil, []string{"_thumbnail_id", "402"}, nil},
		{"a free event", `"price":"0"`, nil, []string{"_EventCost", "0"}, nil},
		{"its currency", `"priceCurrency":"CZK"`, nil, []string{"_EventCost", "5", "_EventCurrencyCode", "CZK"}, nil},
		{"the site's currency", `"priceCurrency":"EUR"`, func(f *wpstore.SiteFacts) { f.Calendar = api.Object("defaultCurrencyCode", "EUR") }, []string{"_EventCost", "5"}, nil},
		{"an unreadable date format", `"validFrom":"1970-01-01T00:00:00+00:00"`, func(f *wpstore.SiteFacts) { f.DateFormat = `\x\x\x` }, []string{"_EventCost", "5"}, nil},
		{"the day of publication", `"validFrom":"2026-10-01T00:00:00+00:00"`, nil, []string{"_EventCost", "5"}, nil},
		{"published never", `"validFrom":"1970-01-01T00:00:00+00:00"`, nil, []string{"_EventCost", "5"}, func(p *Post) { p.Date = "0000-00-00 00:00:00" }},
		{"published on a day that doesn't exist", `"validFrom":"2026-03-02T00:00:00+00:00"`, nil, []string{"_EventCost", "5"}, func(p *Post) { p.Date = "2026-02-30 08:00:00" }},
		{"a plain URL", `"url":"https://v.example/?tribe_events=fair"`, func(f *wpstore.SiteFacts) { f.PermalinkStructure = "" }, nil, nil},
	} {
		p := post(api.Events, "Fair", append(c.meta, dates...)...)
		if c.change != nil {
			c.change(&p)
		}
		got := written(func(w *phpjson.Writer) { testWriter(c.facts).Event(w, p, []Link{{Kind: api.Venues}}) })
		got = strings.ReplaceAll(got, `\/`, `/`)
		if !strings.Contains(got, c.want) || !strings.Contains(got, `"location":false`) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	missing := post(api.Events, "Fair", "_EventTimezone", "no zone", "_EventEndDate", "nonsense")
	got := written(func(w *phpjson.Writer) { testWriter(nil).Event(w, missing, nil) })
	if !strings.Contains(got, `"startDate":"2026-11-21T12:00:00+00:00","endDate":""`) {
		t.Errorf("dates that are missing or none: %s", got)
	}
}

// TestExcerptMore: themes link to the post after an excerpt that is made from its text.
func TestExcerptMore(t *testing.T) {
	l := testWriter(nil)
	l.Place.Text.Theme.ExcerptMore = `… <a href="{url}">on: {title}</a>`
	l.Place.Text.Theme.EmptyTitle = "nameless"
	for title, shown := range map[string]string{`Fair & "Fun"`: "Fair &#038; &#8220;Fun&#8221;", "": "nameless"} {
		p := post(api.Events, title, dates...)
		p.Content = strings.Repeat("word ", 31)
		got := strings.ReplaceAll(written(func(w *phpjson.Writer) { l.Event(w, p, nil) }), `\/`, `/`)
		want := `word… &lt;a href=&quot;https://v.example/event/fair&quot;&gt;on: ` + shown + `&lt;/a&gt;&lt;/p&gt;`
		if !strings.Contains(got, `"name":"`+shown+`"`) || !strings.Contains(strings.ReplaceAll(got, "\\u2026", "…"), want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// manualOffset makes the site show all dates in an offset of so many hours.
func manualOffset(hours string) func(*wpstore.SiteFacts) {
	return func(f *wpstore.SiteFacts) {
		f.TimezoneString, f.GMTOffset = "", hours
		f.Calendar = api.Object("tribe_events_timezone_mode", "site")
	}
}

// TestWhoSees checks passwords and statuses.
func TestWhoSees(t *testing.T) {
	reader := wpcap.ParseRoles(api.Object("r", api.Object("name", "r", "capabilities", api.Object("read", true))))
	for _, c := range []struct {
		name, status, password string
		user                   bool
		event, linked, cookie  bool
	}{
		{"published", "publish", "", false, true, true, false}, {"draft", "draft", "", false, false, false, false}, {"a user's draft", "draft", "", true, true, true, false},
		{"private", "private", "", true, false, false, false}, {"protected", "publish", "sesame", false, false, true, true},
	} {
		l := testWriter(nil)
		if c.user {
			l.Viewer.User = wpcap.NewUser(3, "r", reader, api.Object("r", true), false)
		}
		p := post(api.Venues, "Mill")
		p.Status, p.Password = c.status, c.password
		linked := written(func(w *phpjson.Writer) { l.Linked(w, api.Venues, p) }) != "{}"
		event := written(func(w *phpjson.Writer) { l.Event(w, p, nil) }) != "{}"
		if event != c.event || linked != c.linked || l.CookieMatters != c.cookie {
			t.Errorf("%s: event %v, linked %v, cookie %v", c.name, event, linked, l.CookieMatters)
		}
	}
	l := testWriter(nil)
	protected := post(api.Venues, "Mill")
	protected.Password = "sesame"
	want := strings.Replace(l.Place.Words.Word("protected_title"), "%s", "Mill", 1)
	if got := written(func(w *phpjson.Writer) { l.Linked(w, api.Venues, protected) }); want == "Mill" || !strings.Contains(got, `"name":"`+want+`"`) {
		t.Errorf("title %q: %s", want, got)
	}
}

func TestCountryAndRegion(t *testing.T) {
	for _, c := range []struct {
		want string
		meta []string
	}{
		{`"addressRegion":"TX","addressCountry":"United States"`, []string{"_VenueState", "TX", "_VenueProvince", "Moravia", "_VenueCountry", `a:2:{i:0;s:2:"US";i:1;s:13:"United States";}`}},
		{`"addressRegion":"Both"`, []string{"_VenueStateProvince", "Both", "_VenueState", "TX"}},
		{`"address":{"@type":"PostalAddress"}`, []string{"_VenueCountry", "a:0:{}"}},
	} {
		p := post(api.Venues, "Mill", c.meta...)
		if got := written(func(w *phpjson.Writer) { testWriter(nil).Linked(w, api.Venues, p) }); !strings.Contains(got, c.want) {
			t.Errorf("%v: %s, want %s", c.meta, got, c.want)
		}
	}
}
