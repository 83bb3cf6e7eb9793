package invalidation

// Kind is a kind of things that change.
type Kind uint8

// The kinds. Post, Term and User name single rows by id. The others are sets, whose ID
// is 0: a set changes with each of its members.
const (
	// Post is a post of any type: its row, metadata, terms and language.
	Post Kind = iota + 1
	// Term is a term: its row, taxonomy, metadata and language.
	Term
	// User is a user: the row and metadata.
	User
	// Users say which users exist, by which names and addresses.
	Users
	// Posts are all posts: which exist, and everything that searches filter by.
	Posts
	// Events are what lists of events are filtered, ordered and counted by.
	Events
	// Tickets are all tickets and attendees, with what events show of them.
	Tickets
	// Terms are all terms of all taxonomies.
	Terms
	// Translations say which posts are translations of each other.
	Translations
	// Site is what all responses depend on: options, languages, tables.
	Site
	// Anything changes with every other tag: for results whose dependencies are unknown.
	Anything
)

// Tag names a row, or a set of rows, that results depend on.
type Tag struct {
	Kind Kind
	ID   int64
}
