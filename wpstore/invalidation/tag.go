package invalidation

// Kind is the kind of row, or set of rows, that a tag names.
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
	// Users is the set of users: which exist, with which names and addresses.
	Users
	// Posts is the set of all posts: which exist, and everything that searches filter by.
	Posts
	// Events is what lists of events are filtered, ordered and counted by.
	Events
	// Tickets is the set of all tickets and attendees, with what events show of them.
	Tickets
	// Terms is the set of all terms of all taxonomies.
	Terms
	// Translations is which posts are translations of each other.
	Translations
	// Site is what all responses depend on: options, languages, tables.
	Site
	// Anything changes with every other tag: for results whose dependencies are unknown.
	Anything
	// Parity stands for WordPress's answers as calbridge has seen them. Package proof determines when it
	// changes, not a Tracker.
	Parity
)

// Tag names a row, or a set of rows, that results depend on.
type Tag struct {
	Kind Kind
	ID   int64
}
