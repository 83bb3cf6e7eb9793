package systemtest

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"

	"github.com/go-sql-driver/mysql"
)

// TestReplayLatin1Tables replays the recordings of a site whose tables and connections have
// the character set latin1, through which UTF-8 passes unchanged.
func TestReplayLatin1Tables(t *testing.T) {
	oneAtATime(t)
	shared := testdata.Shared(t)
	v := variantOf(t, "latin1-tables")
	db := wptest.VariantCopy(t, v)
	url := serveVariant(t, v, db)
	replayFiles(t, shared, "mono", db.Engine, url, filepath.Join(shared, "recordings", "variants", v.Label+".jsonl.gz"))
}

// blockTexts returns texts with every sixteenth assigned character of Unicode. They include
// each block, combining marks, texts from right to left, and characters of four bytes. Large
// blocks are covered more sparsely.
func blockTexts() []string {
	const size = 40 // characters per text, so that it fits into a term's name of 200 bytes
	step := func(r rune) rune {
		switch {
		case r >= 0x3400 && r < 0xa000, r >= 0xac00 && r < 0xd700, r >= 0x12000 && r < 0x1b000, r >= 0x20000:
			return 0x400
		}
		return 0x10
	}
	var texts []string
	var text strings.Builder
	n := 0
	for column := rune(0xa0); column < unicode.MaxRune; column += step(column) {
		for r := column; r < column+step(column); r++ {
			if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) || unicode.IsSymbol(r) {
				text.WriteRune(r)
				n++
				break
			}
		}
		if n == size || column+step(column) >= unicode.MaxRune {
			texts = append(texts, text.String())
			text.Reset()
			n = 0
		}
	}
	return texts
}

// writtenSite is a site to which every text is written, with its responses.
type writtenSite struct {
	label   string
	url     string
	db      wptest.Database
	answers []map[string]any
}

// TestRoundTripOfUnicode writes the texts of every block into titles, descriptions,
// metadata and terms of three sites that differ only in their character set. On latin1
// answers and stored bytes are those of utf8mb4. On utf8mb3 they differ where a text has
// characters of four bytes: posts have references, metadata has no row, terms are refused.
func TestRoundTripOfUnicode(t *testing.T) {
	oneAtATime(t)
	t.Parallel()
	texts := blockTexts()
	if testing.Short() {
		texts = append(texts[:3:3], texts[len(texts)-3:]...)
	}
	var sites []*writtenSite
	for _, v := range []*wptest.Variant{{Label: "utf8mb4"}, variantOf(t, "latin1-tables"), variantOf(t, "utf8mb3-tables")} {
		s := &writtenSite{label: v.Label, db: wptest.VariantCopy(t, v)}
		s.url = serveVariant(t, v, s.db)
		s.write(t, texts)
		sites = append(sites, s)
	}
	wide, latin1, narrow := sites[0], sites[1], sites[2]
	for i, answer := range wide.answers {
		if got, want := jsonText(latin1.answers[i]), jsonText(answer); got != want {
			t.Errorf("latin1 answers %.300s, want %.300s", got, want)
		}
	}
	for _, query := range []string{
		"SELECT ID, post_title, post_content, post_excerpt, post_name FROM wp_posts ORDER BY ID",
		"SELECT meta_id, post_id, meta_key, meta_value FROM wp_postmeta ORDER BY meta_id",
		"SELECT term_id, name, slug FROM wp_terms ORDER BY term_id",
		"SELECT term_id, taxonomy, description FROM wp_term_taxonomy ORDER BY term_id",
	} {
		want, got := wide.stored(t, query), latin1.stored(t, query)
		if len(want) != len(got) {
			t.Errorf("%s: %d rows, want %d", query, len(got), len(want))
		}
		for i := range min(len(want), len(got)) {
			if want[i] != got[i] {
				t.Errorf("%s: row %q, want %q", query, got[i], want[i])
			}
		}
	}
	for i, text := range texts {
		narrow.checkNarrow(t, i, text, wide)
	}
}

// write writes each text as an event with a tag and a venue, and as a tag with a description.
// It changes some of them afterwards. The response to a read must equal the response to the
// write.
func (s *writtenSite) write(t *testing.T, texts []string) {
	t.Helper()
	for i, text := range texts {
		event := s.send(t, "POST", "events", map[string]any{
			"title": fmt.Sprintf("Title %d %s", i, text), "description": fmt.Sprintf("Description %d %s", i, text),
			"excerpt": fmt.Sprintf("Excerpt %d %s", i, text), "start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 12:00:00",
			"tags":  []string{fmt.Sprintf("Tag %d %s", i, text)},
			"venue": map[string]any{"venue": fmt.Sprintf("Venue %d %s", i, text), "address": fmt.Sprintf("Address %d %s", i, text)},
		})
		if event["code"] != nil {
			t.Fatalf("%s: %d: %s", s.label, i, jsonText(event))
		}
		id := fmt.Sprint(event["id"])
		if i%8 == 0 {
			event = s.send(t, "PUT", "events/"+id, map[string]any{"title": fmt.Sprintf("Changed %d %s", i, text)})
		}
		if got, want := textsOf(s.send(t, "GET", "events/"+id, nil)), textsOf(event); got != want {
			t.Errorf("%s: %d: read %s, written %s", s.label, i, got, want)
		}
		s.answers = append(s.answers, event,
			s.send(t, "POST", "tags", map[string]any{"name": fmt.Sprintf("Own %d %s", i, text), "slug": fmt.Sprintf("own-%d", i), "description": fmt.Sprintf("About %d %s", i, text)}))
	}
}

// textsOf returns the texts of an event, its venue and its tags.
func textsOf(event map[string]any) string {
	venue, _ := event["venue"].(map[string]any)
	texts := []any{event["title"], event["description"], event["excerpt"], venue["venue"], venue["address"]}
	tags, _ := event["tags"].([]any)
	for _, tag := range tags {
		texts = append(texts, tag.(map[string]any)["name"])
	}
	return jsonText(texts)
}

// checkNarrow compares the i-th text on utf8mb3 with that on utf8mb4.
func (s *writtenSite) checkNarrow(t *testing.T, i int, text string, wide *writtenSite) {
	t.Helper()
	fourBytes := strings.ContainsFunc(text, func(r rune) bool { return r > 0xffff })
	got, want := s.answers[2*i], wide.answers[2*i]
	encode := func(text string) string {
		var b strings.Builder
		for _, r := range text {
			if r > 0xffff {
				fmt.Fprintf(&b, "&#x%x;", r)
			} else {
				b.WriteRune(r)
			}
		}
		return b.String()
	}
	for _, field := range []string{"title", "description", "excerpt"} {
		if got[field] != encode(want[field].(string)) {
			t.Errorf("utf8mb3: %s %q, utf8mb4 %q", field, got[field], want[field])
		}
	}
	venue, wideVenue := got["venue"].(map[string]any), want["venue"].(map[string]any)
	if venue["venue"] != encode(wideVenue["venue"].(string)) {
		t.Errorf("utf8mb3: venue %q, utf8mb4 %q", venue["venue"], wideVenue["venue"])
	}
	if address, has := venue["address"]; has == fourBytes || has && address != wideVenue["address"] {
		t.Errorf("utf8mb3: address %q, utf8mb4 %q", address, wideVenue["address"])
	}
	if tags := got["tags"].([]any); (len(tags) == 0) != fourBytes {
		t.Errorf("utf8mb3: %q: tags %v", text, tags)
	}
	if tag := s.answers[2*i+1]; (tag["code"] == "db_insert_error") != fourBytes || !fourBytes && tag["name"] != wide.answers[2*i+1]["name"] {
		t.Errorf("utf8mb3: %q: %v", text, tag)
	}
}

// send sends a request as the administrator.
func (s *writtenSite) send(t *testing.T, method, target string, body map[string]any) map[string]any {
	t.Helper()
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+"/wp-json/tribe/events/v1/"+target, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	site, err := recording.LoadSite(testdata.Shared(t, "sites", "mono.json"))
	if err != nil {
		t.Fatal(err)
	}
	authorization, err := site.Authorization("admin")
	if err != nil {
		t.Fatal(err)
	}
	home, err := site.HomeURL()
	if err != nil {
		t.Fatal(err)
	}
	request.Host = home.Host
	request.Header.Set("Authorization", authorization)
	request.Header.Set("X-Forwarded-Proto", home.Scheme)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer map[string]any
	if err := json.Unmarshal(data, &answer); err != nil {
		t.Fatalf("%s: %s %s: %d %.200s: %v", s.label, method, target, response.StatusCode, data, err)
	}
	return answer
}

// stored returns the rows of a query as the bytes in the tables.
func (s *writtenSite) stored(t *testing.T, query string) []string {
	t.Helper()
	cfg, err := mysql.ParseDSN(s.db.DSN)
	if err != nil {
		t.Fatal(err)
	}
	if err := cfg.Apply(mysql.Charset("binary", "binary")); err != nil {
		t.Fatal(err)
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(values))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return slices.Clip(out)
}

func jsonText(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// TestLatin1NamesAreMeasuredInBytes checks that the size of a latin1 column counts bytes, of
// which a character outside of ASCII takes two or more.
func TestLatin1NamesAreMeasuredInBytes(t *testing.T) {
	oneAtATime(t)
	v := variantOf(t, "latin1-tables")
	s := &writtenSite{label: v.Label, db: wptest.VariantCopy(t, v)}
	s.url = serveVariant(t, v, s.db)
	for _, c := range []struct {
		name, code string
	}{
		{strings.Repeat("ř", 100), ""},
		{strings.Repeat("ř", 100) + "x", "db_insert_error"},
		{strings.Repeat("x", 201), "db_insert_error"},
		{strings.Repeat("🎉", 50), ""},
	} {
		answer := s.send(t, "POST", "tags", map[string]any{"name": c.name})
		if code, _ := answer["code"].(string); code != c.code || code == "" && answer["name"] != c.name {
			t.Errorf("%s: %s", c.name, jsonText(answer))
		}
	}
}

// TestCoherenceOnLatin1Tables checks that a change that WordPress makes over a latin1
// connection appears in the next response, although responses are cached.
func TestCoherenceOnLatin1Tables(t *testing.T) {
	v := variantOf(t, "latin1-tables")
	s := &writtenSite{label: v.Label, db: wptest.ReplicatedVariant(t, v)}
	s.url = serveVariant(t, v, s.db, "--cache", "strict")
	cfg, err := mysql.ParseDSN(s.db.DSN)
	if err != nil {
		t.Fatal(err)
	}
	cfg.InterpolateParams = true
	if err := cfg.Apply(mysql.Charset("latin1", "latin1_swedish_ci")); err != nil {
		t.Fatal(err)
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	event := s.send(t, "POST", "events", map[string]any{
		"title": "Title", "start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 12:00:00",
		"tags": []string{"Tag"}, "venue": map[string]any{"venue": "Venue", "city": "City"},
	})
	id := int64(event["id"].(float64))
	venue := int64(event["venue"].(map[string]any)["id"].(float64))
	tag := int64(event["tags"].([]any)[0].(map[string]any)["id"].(float64))
	for i := range 20 {
		text := fmt.Sprintf("Žluťoučký %d 🎉 עברית", i)
		for _, change := range []struct {
			statement string
			id        int64
			shown     func(map[string]any) any
		}{
			{"UPDATE wp_posts SET post_title = ? WHERE ID = ?", id, func(e map[string]any) any { return e["title"] }},
			{"UPDATE wp_postmeta SET meta_value = ? WHERE meta_key = '_VenueCity' AND post_id = ?", venue,
				func(e map[string]any) any { return e["venue"].(map[string]any)["city"] }},
			{"UPDATE wp_terms SET name = ? WHERE term_id = ?", tag, func(e map[string]any) any { return e["tags"].([]any)[0].(map[string]any)["name"] }},
		} {
			if _, err := db.Exec(change.statement, text, change.id); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second answer comes from the cache
				if got := change.shown(s.send(t, "GET", fmt.Sprintf("events/%d", id), nil)); got != text {
					t.Fatalf("%s: %q, want %q", change.statement, got, text)
				}
			}
		}
	}
}
