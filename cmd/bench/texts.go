package main

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"calbridge/wpstore/synthetic"
)

// wordsPerText is the length of the text of an event.
const wordsPerText = 80

// vocabulary returns words made of syllables, the most frequent first, always the same. Since they
// share their syllables, they are harder to tell apart than the words of a language.
func vocabulary() []string {
	syllables := strings.Fields("ka to ře vé sta na pro lí mu zi kon cer te no vá hu deb ní ve čer di va dlo fes ti val pra ha br ně os tra vý sto dět ský tu ris po hod jar mark let ním ki no pla vec kni há žur nál stra")
	rng := rand.New(rand.NewPCG(1, 1))
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

// describe gives each event of a generated calendar a text whose words are as frequent as those of a
// language, and returns the number of events with each word.
func describe(ctx context.Context, db *sql.DB, events int) (map[string]int, error) {
	words := vocabulary()
	rng := rand.New(rand.NewPCG(2, 2))
	zipf := rand.NewZipf(rng, 1.05, 3, uint64(len(words)-1))
	in := map[string]int{}
	if err := execAll(ctx, db, []sqlStatement{{"CREATE TABLE described (ID bigint PRIMARY KEY, body text CHARACTER SET utf8mb4)", nil}}); err != nil {
		return nil, err
	}
	for first := 0; first < events; first += 1000 {
		var rows []string
		for i := first; i < min(first+1000, events); i++ {
			distinct := map[string]bool{}
			text := make([]string, wordsPerText)
			for k := range text {
				text[k] = words[zipf.Uint64()]
				distinct[text[k]] = true
			}
			for word := range distinct {
				in[word]++
			}
			rows = append(rows, fmt.Sprintf("(%d,'%s')", synthetic.FirstEvent+i, strings.Join(text, " ")))
		}
		err := execAll(ctx, db, []sqlStatement{
			{"INSERT INTO described VALUES " + strings.Join(rows, ","), nil},
			{"UPDATE described d JOIN " + tablePrefix + "posts p ON p.ID = d.ID SET p.post_content = CONCAT('<p>', d.body, '</p>')", nil},
			{"DELETE FROM described", nil},
		})
		if err != nil {
			return nil, err
		}
	}
	return in, execAll(ctx, db, []sqlStatement{{"DROP TABLE described", nil}})
}

// wordOf returns a word of at least eight letters that is in about a share of the events.
func wordOf(in map[string]int, share float64, events int) string {
	wanted := max(share*float64(events), 1)
	distance := func(word string) float64 {
		if n := float64(in[word]); n > wanted {
			return n / wanted
		}
		return wanted / float64(in[word])
	}
	long := slices.DeleteFunc(slices.Sorted(maps.Keys(in)), func(word string) bool { return len([]rune(word)) < 8 })
	if len(long) == 0 {
		return ""
	}
	return slices.MinFunc(long, func(a, b string) int { return cmp.Compare(distance(a), distance(b)) })
}
