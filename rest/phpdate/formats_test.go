package phpdate

import "testing"

// TestFormats shows which format reads what.
func TestFormats(t *testing.T) {
	samples := []struct{ text, format string }{
		{"2031-05-06", "YYYY-MM-DD"},
		{"07:08", "time 24"},
		{"2031-05-06T07:08:09", "date T time"},
		{"Z", "zone"},
		{"5/6/2031", "m/d"},
		{"6.5.2031", "d.m.YYYY"},
		{"31-05-06", "YY-MM-DD"},
		{"20310506", "YYYYMMDD"},
		{"070809", "HHMMSS"},
		{"2031-126", "YYYY.ddd"},
		{"2031W193", "YYYY-Www-D"},
		{"2031-W19", "YYYY-Www"},
		{"2031-05", "YYYY-m"},
		{"6 May 2031", "d month y"},
		{"May 6, 2031", "month d, y"},
		{"May-06-2031", "mon-DD-y"},
		{"2031-May-06", "y-mon-DD"},
		{"May 2031", "month YYYY"},
		{"2031 May", "YYYY month"},
		{"6 May", "d month"},
		{"may", "month"},
		{"1985", "YYYY"},
		{"6/May/2031:07:08:09 +0200", "common log"},
		{"Tue", "weekday"},
		{"May 6 07:08:09", "month d time"},
		{"2031", "HHMM"},
		{"+12031-05-06", "+YYYYY-MM-DD"},
		{"@1000000000", "timestamp"},
		{"@-1.5", "timestamp.frac"},
		{"+1 day", "number unit"},
		{"7 am", "time 12"},
		{"7:08:09:250pm", "mssql time"},
		{"noon", "noon"},
		{"today", "midnight"},
		{"now", "now"},
		{"tomorrow", "tomorrow"},
		{"yesterday", "yesterday"},
		{"back of 3pm", "back/front of"},
		{"next sat", "next unit"},
		{"next week", "next week"},
		{"first day of", "first/last day of"},
		{"first friday of", "weekday of"},
		{"ago", "ago"},
		{"2031-05-3", "y-m-d"},
		{"29.12.31", "d.m.YY"},
		{"May 6 7:30pm", "month d time 12"},
	}
	for _, c := range samples {
		if f, _ := longestToken(c.text+"\x00", 0); f == nil || f.name != c.format {
			t.Errorf("%q is read as %+v, want %s", c.text, f, c.format)
		}
	}
	for _, f := range formats {
		found := false
		for _, c := range samples {
			found = found || c.format == f.name
		}
		if !found {
			t.Errorf("no sample of %s", f.name)
		}
	}
}
