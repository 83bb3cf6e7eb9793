package wpstore

// Post types and taxonomies of The Events Calendar.
const (
	EventType        = "tribe_events"
	VenueType        = "tribe_venue"
	OrganizerType    = "tribe_organizer"
	CategoryTaxonomy = "tribe_events_cat"
	TagTaxonomy      = "post_tag"
)

// AttachmentType is the post type of files in the library, and OriginalURL the meta key
// of the URL that one was fetched from.
const (
	AttachmentType = "attachment"
	OriginalURL    = "_tribe_importer_original_url"
)

// Post is a row of the posts table, whatever its type. Dates are as stored,
// "2006-01-02 15:04:05", all zeros when unset.
type Post struct {
	ID, Author, Parent, MenuOrder int64
	PostDates
	Content, Title, Excerpt   string
	Status, Name, Password    string
	Type, MimeType, GUID      string
	CommentStatus, PingStatus string

	// Language is the code of its language, where Posts was given the languages of
	// the site and the language plugin knows the post; else "".
	Language string

	// Digest stands for the row as it was loaded.
	Digest Digest
}

// PostDates are when a post was published and last changed, on the site's clock and in
// UTC.
type PostDates struct {
	Date, DateGMT, Modified, ModifiedGMT string
}

// PostHead is the part of a post that access checks and validators look at.
type PostHead struct {
	ID, Author, Parent                     int64
	Type, Status, Password, Name, MimeType string
}

// Digest stands for stored content: equal digests mean equal content, but for a
// chance of one in 2¹²⁸. It is good within this process only. The zero value stands
// for what was not read from the database.
type Digest [2]uint64

// PostSet is posts by id, with what belongs to them.
type PostSet struct {
	Posts map[int64]*Post
	Meta  map[int64]Meta
	Terms map[int64][]Term
}
