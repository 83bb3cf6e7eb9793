package wpml_test

import (
	"strings"
	"testing"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
)

func TestNewPost(t *testing.T) {
	s := newSite(t)
	w := s.writer(langplugin.Rules{Posts: "de", Events: "de"})
	post := &wpstore.Post{ID: 60, Type: wpstore.VenueType, Status: "publish"}
	s.exec("INSERT INTO wp_posts (ID, post_type, post_title, post_content) VALUES (60, 'tribe_venue', 'Alte Mühle', 'Ein Saal am Fluss')")
	s.holds("in a group without a number", of("post_tribe_venue"), "post_tribe_venue 60 -120 de ", w.PostCreated(t.Context(), post, true))
	s.holds("the priority of its language", "SELECT term_taxonomy_id FROM wp_term_relationships WHERE object_id = 60", "38", nil)
	if err := w.PostUpdated(t.Context(), post, post, false); err != nil { // new posts have nothing to follow
		t.Error(err)
	}
	// 23 letters, one of them of two bytes: 24 bytes at five a word.
	s.holds("words", "SELECT post_id, meta_value FROM wp_postmeta WHERE meta_key = '_wpml_word_count'", "60 5", w.Finish(t.Context()))
	s.holds("in a group of its own", of("post_tribe_venue"), "post_tribe_venue 60 7 de ", nil)
	s.holds("deleted", of("post_tribe_venue"), "", w.PostDeleting(t.Context(), post))
}

// A slug must be unique in its language only.
func TestRivals(t *testing.T) {
	s := newSite(t)
	w := s.writer(langplugin.Rules{Posts: "de", Events: "de"})
	for id, want := range map[int64]string{0: "51", 51: "51", 50: "50 53", 99: "51"} {
		query, err := w.Rivals(t.Context(), sq.Select("ID").From("wp_posts").OrderBy("ID"), id, wpstore.EventType)
		if err != nil {
			t.Fatal(err)
		}
		text, args, _ := query.ToSql()
		for _, arg := range args {
			text = strings.Replace(text, "?", "'"+arg.(string)+"'", 1)
		}
		s.holds("rivals", text, strings.ReplaceAll(want, " ", "\n"), nil)
	}
}

// Events may be in a language of their own: the one that a JSON body names.
func TestNewEvent(t *testing.T) {
	s := newSite(t)
	w := s.writer(langplugin.Rules{Posts: "cs", Events: "de"})
	s.exec("INSERT INTO wp_posts (ID, post_type) VALUES (60, 'tribe_venue'), (61, 'tribe_events')")
	for id, kind := range map[int64]string{60: wpstore.VenueType, 61: wpstore.EventType} {
		if err := w.PostCreated(t.Context(), &wpstore.Post{ID: id, Type: kind}, true); err != nil {
			t.Fatal(err)
		}
	}
	s.holds("languages", "SELECT element_id, language_code FROM wp_icl_translations WHERE element_id >= 60 ORDER BY 1", "60 cs\n61 de", nil)
}

// TestTranslationsOfDrafts: an original that becomes a draft has no date in UTC, but its
// translations take the one that it would have.
func TestTranslationsOfDrafts(t *testing.T) {
	s := newSite(t)
	w := s.writer(langplugin.Rules{Posts: "cs", Events: "cs"})
	s.exec("UPDATE wp_posts SET post_status = 'draft', post_date = '2026-11-21 13:00:00', post_date_gmt = '0000-00-00 00:00:00' WHERE ID IN (50, 53)")
	for _, id := range []int64{50, 53} {
		saved := wpstore.Post{ID: id, Type: wpstore.EventType, Status: "draft", PostDates: wpstore.PostDates{Date: "2026-11-21 13:00:00", DateGMT: wpstore.NoDate}}
		if err := w.PostUpdated(t.Context(), &saved, &saved, false); err != nil {
			t.Fatal(err)
		}
	}
	const utc = "SELECT ID, post_date_gmt FROM wp_posts ORDER BY ID"
	s.holds("dates", utc, "50 0000-00-00 00:00:00\n51 2026-11-21 12:00:00\n53 0000-00-00 00:00:00", w.Finish(t.Context()))
}
