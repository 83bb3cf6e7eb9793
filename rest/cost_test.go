package rest

import "testing"

// costOf serves an event with these costs and returns "cost" and the values.
func costOf(t *testing.T, s *testSite, costs []string, metas ...string) (string, string) {
	t.Helper()
	s.exec("DELETE FROM wp_postmeta WHERE post_id = 114")
	for _, v := range costs {
		s.addMeta(114, "_EventCost", v)
	}
	for i := 0; i < len(metas); i += 2 {
		s.addMeta(114, metas[i], metas[i+1])
	}
	a := s.get("events/114")
	return a.json("cost"), a.json("cost_details.values")
}

func TestCosts(t *testing.T) {
	s := newTestSite(t)
	const symbol, position = "_EventCurrencySymbol", "_EventCurrencyPosition"
	for _, c := range []struct {
		costs, metas []string
		cost, values string
	}{
		{nil, nil, "", `[]`},
		{[]string{""}, nil, "", `[]`},
		{[]string{"0"}, nil, "Free", `["0"]`},
		{[]string{"0.001"}, nil, "Free", `["0.001"]`},
		{[]string{"15"}, nil, "$15", `["15"]`},
		{[]string{"12.50"}, nil, "$12.50", `["12.50"]`},
		{[]string{"10,50"}, nil, "$10,50", `["10.50"]`},
		{[]string{"1,250"}, nil, "$1,250", `["1250"]`},
		{[]string{"1.250,50"}, nil, "$1.250", `[".50","1.250"]`},
		{[]string{"10", "20"}, nil, "$10 – $20", `["10","20"]`},
		{[]string{"20", "10", "15"}, nil, "$10 – $20", `["10","15","20"]`},
		{[]string{"0", "10"}, nil, "Free – $10", `["0","10"]`},
		{[]string{"10-20"}, nil, "$10 – $20", `["10","20"]`},
		{[]string{"Free"}, nil, "Free", `["free"]`},
		{[]string{"Pay & smile <now>"}, nil, "Pay &amp; smile &lt;now&gt;", `["pay-smile"]`},
		{[]string{"150 Kč"}, []string{symbol, "Kč", position, "postfix"}, "150Kč", `["150"]`},
		{[]string{"150"}, []string{symbol, "<b>", position, "prefix"}, "&lt;b&gt;150", `["150"]`},
		{[]string{"15"}, []string{symbol, "0"}, "$15", `["15"]`},
		{[]string{"007"}, nil, "$007", `["007"]`},
		{[]string{"-5"}, nil, "$5", `["5"]`},
		{[]string{"1e3"}, nil, "$1 – $3", `["1","3"]`},
		{[]string{"5.00", "5"}, nil, "$5", `["5.00","5"]`},
	} {
		cost, values := costOf(t, s, c.costs, c.metas...)
		if cost != c.cost || values != c.values {
			t.Errorf("%q %q: %s %s, want %s %s", c.costs, c.metas, cost, values, c.cost, c.values)
		}
	}
	s.setCalendarOptions("defaultCurrencySymbol", "EUR", "reverseCurrencyPosition", "1", "defaultCurrencyCode", "EUR")
	if cost, _ := costOf(t, s, []string{"15"}); cost != "15EUR" {
		t.Error(cost)
	}
	if code := s.get("events/114").json("json_ld.offers.priceCurrency"); code != "EUR" {
		t.Error(code)
	}
}
