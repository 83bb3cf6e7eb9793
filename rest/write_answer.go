package rest

import "calbridge/rest/render"

// adjust changes what was loaded of the event.
func adjust(a *render.Override, set *loaded) {
	if a == nil || set.posts[a.ID] == nil {
		return
	}
	m := set.meta[a.ID]
	for key, values := range a.Links {
		m = m.With(key, values)
	}
	set.meta[a.ID] = m
	for i := range set.terms[a.ID] {
		t := &set.terms[a.ID][i]
		if count, ok := a.Counts[t.ID]; ok {
			t.Count = count
		}
	}
	if a.Date != "" {
		set.posts[a.ID].Date, set.posts[a.ID].DateGMT = a.Date, a.DateGMT
	}
}
