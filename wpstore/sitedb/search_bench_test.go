package sitedb_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/searchindex"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/synthetic"
)

// vocabulary returns words made of syllables, the most frequent first.
func vocabulary(rng *rand.Rand) []string {
	syllables := strings.Fields("ka to ře vé sta na pro lí mu zi kon cer te no vá hu deb ní ve čer di va dlo fes ti val pra ha br ně os tra vý sto dět ský tu ris po hod jar mark let ním ki no pla vec kni há žur nál stra")
	seen := map[string]bool{}
	var words []string
	for len(words) < 30_000 {
		var word string
		for range 2 + rng.IntN(3) {
			word += syllables[rng.IntN(len(syllables))]
		}
		if !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}

// describe gives each event of a generated calendar a text of 80 words, whose frequencies are those
// of a language, and returns in how many events each word is.
func describe(b *testing.B, db *sitedb.DB, events int, words []string) map[string]int {
	b.Helper()
	exec := func(statement string) {
		b.Helper()
		if _, err := db.SQL().Exec(statement); err != nil {
			b.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(2, 2))
	zipf := rand.NewZipf(rng, 1.05, 3, uint64(len(words)-1))
	in := map[string]int{}
	exec("CREATE TABLE described (ID bigint PRIMARY KEY, body text CHARACTER SET utf8mb4)")
	for first := 0; first < events; first += 1000 {
		var rows []string
		for i := first; i < min(first+1000, events); i++ {
			seen := map[string]bool{}
			var text []string
			for range 80 {
				word := words[zipf.Uint64()]
				text = append(text, word)
				seen[word] = true
			}
			for word := range seen {
				in[word]++
			}
			rows = append(rows, fmt.Sprintf("(%d,'%s')", synthetic.FirstEvent+i, strings.Join(text, " ")))
		}
		exec("INSERT INTO described VALUES " + strings.Join(rows, ","))
		exec("UPDATE described d JOIN wp_posts p ON p.ID = d.ID SET p.post_content = CONCAT('<p>', d.body, '</p>')")
		exec("DELETE FROM described")
	}
	exec("DROP TABLE described")
	return in
}

// BenchmarkSearch measures searches with and without the search index by how frequent the word is, and what
// the index takes of time and memory. CALBRIDGE_LISTING_SIZES selects the sizes.
func BenchmarkSearch(b *testing.B) {
	for _, n := range listingSizes(b) {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			words := vocabulary(rand.New(rand.NewPCG(1, 1)))
			db := generated(b, "mariadb", n)
			in := describe(b, db, n, words)
			tracker := invalidation.NewTracker()
			tracker.Resume(true)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			began := time.Now()
			index := db.OpenSearchIndex(b.Context(), tracker, 256<<20)
			for index.Posts() == 0 && time.Since(began) < 10*time.Minute {
				time.Sleep(time.Millisecond)
			}
			b.Logf("loaded %d posts in %s, %d bytes", index.Posts(), time.Since(began), index.Bytes())
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.Logf("heap grew by %d bytes, %.0f for each event", after.HeapAlloc-before.HeapAlloc, float64(after.HeapAlloc-before.HeapAlloc)/float64(n))
			for _, share := range []float64{0, .00001, .0001, .001, .01, .1} {
				word := ofShare(words, in, share, n)
				for _, from := range []string{"index", "database"} {
					b.Run(fmt.Sprintf("%g%%/%s", share*100, from), func(b *testing.B) { searchFor(b, db, index, tracker, from, word) })
				}
			}
		})
	}
}

// ofShare returns a word that is in about a share of the events, or the rarest.
func ofShare(words []string, in map[string]int, share float64, events int) string {
	if share == 0 {
		return "nikdenic"
	}
	best := ""
	for _, word := range words {
		n, most := in[word], max(share*float64(events), 1)
		if n > 0 && len(word) > 7 && (best == "" || float64(n) <= most && n > in[best] || float64(in[best]) > most && n < in[best]) {
			best = word
		}
	}
	return best
}

func searchFor(b *testing.B, db *sitedb.DB, index *searchindex.Index, tracker *invalidation.Tracker, from, word string) {
	if from == "database" {
		tracker.Suspend()
		defer tracker.Resume(false)
	}
	q := wpstore.EventQuery{
		Search: []wpstore.SearchTerm{{Text: word}}, Statuses: []string{"publish"}, Occurrences: true, Limit: 10,
		Bounds: []wpstore.Bound{{Op: ">=", Value: "2000-01-01 00:00:00"}},
	}
	var total int64
	candidates := 0
	if ids, outcome := index.Search([]string{word}, nil); outcome == searchindex.Narrowed {
		candidates = len(ids)
	}
	for b.Loop() {
		page, err := indexed(db).Events.Events(b.Context(), q, nil)
		if err != nil {
			b.Fatal(err)
		}
		total = page.Total
	}
	b.ReportMetric(float64(total), "found")
	b.ReportMetric(float64(candidates), "candidates")
}
