package sample

// words are what one language calls something, and says about it.
type words struct{ name, text, excerpt string }

// language is one language of the town, with its words by the keys of what they
// are about. What a language has no words for does not exist in it.
type language struct {
	code, locale, name string
	own                string            // what it calls itself
	others             map[string]string // what it calls the other languages
	countries          map[string]string

	events, venues, organizers, categories, tags map[string]words
}
