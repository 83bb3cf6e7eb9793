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
	w := s.writer(langplugin.Rules{Posts: "de"})
	post := &wpstore.Post{ID: 60, Type: wpstore.VenueType, Status: "publish"}
	s.exec("INSERT INTO wp_posts (ID, post_type, post_title, post_content) VALUES (60, 'tribe_venue', 'Alte Mühle', 'Ein Saal am Fluss')")
	s.holds("in a group of its own", of("post_tribe_venue"), "post_tribe_venue 60 7 de ", w.PostCreated(t.Context(), post))
	s.holds("the priority of its language", "SELECT term_taxonomy_id FROM wp_term_relationships WHERE object_id = 60", "38", nil)
	if err := w.PostUpdated(t.Context(), post, post, false); err != nil { // new posts have nothing to follow
		t.Error(err)
	}
	// 23 letters, one of them of two bytes: 24 bytes at five a word.
	s.holds("words", "SELECT post_id, meta_value FROM wp_postmeta WHERE meta_key = '_wpml_word_count'", "60 5", w.Finish(t.Context()))
	s.holds("deleted", of("post_tribe_venue"), "", w.PostDeleting(t.Context(), post))
}

// A slug must be unique in its language only.
func TestRivals(t *testing.T) {
	s := newSite(t)
	w := s.writer(langplugin.Rules{Posts: "de"})
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
