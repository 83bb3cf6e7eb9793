package rowcache

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/wptest"
)

// fill caches many values of one part, as requests do that load each of them.
func fill[V any](t *testing.T, c *Cache, p Part[V], one func(id int64) V) {
	t.Helper()
	const many = 20_000
	view := NewView(c, nil)
	view.Allow()
	for id := int64(1); id <= many; id++ {
		_, err := Recall(&view, p, []int64{id}, func([]int64) (map[int64]V, error) { return map[int64]V{id: one(id)}, nil })
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestMemoryIsWhatItSays: what rows are said to take in memory is what they take.
func TestMemoryIsWhatItSays(t *testing.T) {
	// As they come from a result, of which they are parts.
	text := func(id int64, name string, length int) string {
		return strings.Repeat(fmt.Sprint(name, id, " "), 1+length/len(name))[:length]
	}
	post := func(length int) func(int64) *wpstore.Post {
		return func(id int64) *wpstore.Post {
			all := text(id, "post", length+200)
			return &wpstore.Post{
				ID: id, PostDates: wpstore.PostDates{Date: all[:19], DateGMT: all[19:38], Modified: all[38:57], ModifiedGMT: all[57:76]}, Status: all[76:83], Type: all[83:95], Name: all[95:110],
				Title: all[110:140], GUID: all[140:190], CommentStatus: all[190:196], Content: all[196:],
			}
		}
	}
	meta := func(id int64) wpstore.Meta {
		all := text(id, "meta", 900)
		var rows []wpstore.MetaRow
		for i := range 20 {
			rows = append(rows, wpstore.MetaRow{Key: all[40*i : 40*i+17], Value: all[40*i+17 : 40*i+40]})
		}
		return wpstore.NewMeta(rows, wpstore.Digest{})
	}
	terms := func(id int64) []wpstore.Term {
		all := text(id, "term", 100)
		return []wpstore.Term{{Taxonomy: all[:16], Name: all[16:26], Slug: all[26:36]}, {ID: 7, Taxonomy: all[36:52], Name: all[52:60], Slug: all[60:70], Description: all[70:]}}
	}
	group := func(id int64) i18n.Group {
		return i18n.Group{text(1, "cs", 2): id, text(1, "en", 2): id + 1, text(1, "de", 2): id + 2}
	}
	for name, load := range map[string]func(*testing.T, *Cache){
		"short posts": func(t *testing.T, c *Cache) { fill(t, c, Posts(&i18n.Languages{}), post(50)) },
		"posts":       func(t *testing.T, c *Cache) { fill(t, c, Posts(&i18n.Languages{Plugin: i18n.WPML}), post(1500)) },
		"metadata":    func(t *testing.T, c *Cache) { fill(t, c, Meta("_EventStartDate,_EventEndDate"), meta) },
		"terms":       func(t *testing.T, c *Cache) { fill(t, c, Terms("post_tag,tribe_events_cat"), terms) },
		"groups":      func(t *testing.T, c *Cache) { fill(t, c, Groups(), group) },
		"nothing": func(t *testing.T, c *Cache) {
			p, view := Terms("post_tag"), NewView(c, nil)
			view.Allow()
			for id := range int64(50_000) {
				_, _ = Recall(&view, p, []int64{id}, func([]int64) (map[int64][]wpstore.Term, error) { return nil, nil })
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			tracker := invalidation.NewTracker()
			tracker.Resume(true)
			before := wptest.LiveHeap()
			c := New(tracker, 1<<30)
			defer c.Close()
			load(t, c)
			c.rows.CleanUp()
			took, said := wptest.LiveHeap()-before, float64(c.Bytes())
			n := c.rows.EstimatedSize()
			t.Logf("%d values take %.0f bytes each, said to take %.0f", n, took/float64(n), said/float64(n))
			if ratio := took / said; ratio < 0.85 || ratio > 1.15 {
				t.Errorf("%.0f bytes are said to be %.0f", took, said)
			}
		})
	}
}
