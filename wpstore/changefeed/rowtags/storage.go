package rowtags

// Storage says how a language plugin stores languages and translations.
type Storage struct {
	// Tables are its own.
	Tables []Table
	// Taxonomies are those in which it files posts and terms, by name.
	Taxonomies map[string]TaxonomyRole
	// Optional are tables whose rows don't matter, only whether they exist.
	Optional []string
}

// TaxonomyRole says what a language plugin's taxonomy means to the posts or terms in it.
type TaxonomyRole int

// The roles.
const (
	PostLanguage TaxonomyRole = iota + 1 // the language of a post
	TermLanguage                         // the language of a term
	PostGroup                            // posts that are translations of each other
	TermGroup                            // terms that are
)
