package rowtags

// Storage describes how a language plugin stores languages and translations.
type Storage struct {
	// Tables are the plugin's own tables.
	Tables []Table
	// Taxonomies are those in which the plugin files posts and terms, by name.
	Taxonomies map[string]TaxonomyRole
	// Optional are tables of which only the existence matters.
	Optional []string
}

// TaxonomyRole is what a language plugin's taxonomy means for the posts or terms in it.
type TaxonomyRole int

// The roles.
const (
	PostLanguage TaxonomyRole = iota + 1 // the language of a post
	TermLanguage                         // the language of a term
	PostGroup                            // posts that are translations of each other
	TermGroup                            // terms that are translations of each other
)
