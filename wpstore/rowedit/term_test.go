package rowedit_test

import (
	"errors"
	"testing"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest/rowtest"
)

func TestTerms(t *testing.T) {
	rows := rowtest.Rows(t)
	terms := rowedit.Terms{Rows: rows}
	rowtest.Exec(t, rows, `INSERT INTO wp_terms (term_id, name, slug) VALUES (1, 'Music', 'music'), (2, 'Jazz', 'jazz'), (3, 'Free', 'free')`)
	// The ids of terms and of their taxonomies differ.
	rowtest.Exec(t, rows, `INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent)
		VALUES (11, 1, 'tribe_events_cat', '', 0), (12, 2, 'tribe_events_cat', '', 1), (13, 3, 'post_tag', '', 0)`)
	for id, row := range map[int64][2]string{50: {"tribe_events", "publish"}, 51: {"tribe_events", "draft"}, 52: {"tribe_venue", "publish"}, 53: {"post", "publish"}} {
		rowtest.Exec(t, rows, `INSERT INTO wp_posts (ID, post_type, post_status) VALUES (?, ?, ?)`, id, row[0], row[1])
		if err := terms.Relate(t.Context(), "test", id, []int64{11, 12, 13}); err != nil {
			t.Fatal(err)
		}
	}
	counts := func(step, want string, err error) {
		t.Helper()
		err = errors.Join(err, rows.Finish(t.Context()))
		if got := rowtest.Texts(t, rows, "SELECT term_taxonomy_id, count FROM wp_term_taxonomy ORDER BY 1"); err != nil || got != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", step, err, got, want)
		}
	}
	// Published events count in both taxonomies, published posts as tags only.
	b, ofPost := sqlconn.NewBatch(rows.Runner), rowedit.TermsOfPost{}
	terms.QueueOfPost(b, 50, ofPost)
	err := b.Send(t.Context())
	terms.RecountPost(ofPost, func(string, int64) int64 { return 0 })
	counts("all terms of a post", "11 1\n12 1\n13 2", err)
	if err := terms.Unrelate(t.Context(), "test", 50, []int64{12, 13}); err != nil {
		t.Fatal(err)
	}
	terms.Recount("tribe_events_cat", []int64{12})
	counts("one term", "11 1\n12 0\n13 2", nil)
	terms.Recount("post_tag", nil)
	counts("no terms", "11 1\n12 0\n13 2", nil)
	if err := terms.Relate(t.Context(), "test", 50, nil); err != nil {
		t.Error(err)
	}
	if err := terms.Unrelate(t.Context(), "test", 50, nil); err != nil {
		t.Error(err)
	}

	if err := terms.RebuildChildren(t.Context(), "tribe_events_cat"); err != nil {
		t.Fatal(err)
	}
	if got := rowtest.Texts(t, rows, "SELECT option_name, option_value FROM wp_options"); got != `tribe_events_cat_children a:1:{i:1;a:1:{i:0;i:2;}}` {
		t.Errorf("children: %s", got)
	}

	others := sq.Select("COUNT(*)").From("wp_terms t")
	for slug, want := range map[string]bool{"jazz": true, "JAZZ": true, "music": false, "blues": false} {
		if taken, err := terms.SlugTaken(t.Context(), others, slug, 1); taken != want || err != nil {
			t.Errorf("%s is taken: %v %v", slug, taken, err)
		}
	}

	changes, err := rows.Changed.Changes(t.Context(), rows.Runner, rows.Tables)
	if err != nil || len(changes.Terms) != 3 || len(changes.Taxonomies) != 2 {
		t.Errorf("changes %+v, %v", changes, err)
	}
}
