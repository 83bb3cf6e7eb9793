package wpstore

// Post types and taxonomies of The Events Calendar.
const (
	EventType        = "tribe_events"
	VenueType        = "tribe_venue"
	OrganizerType    = "tribe_organizer"
	CategoryTaxonomy = "tribe_events_cat"
	TagTaxonomy      = "post_tag"
)

// AttachmentType is the post type of files in the library, and OriginalURL the meta key of
// the URL that a file was fetched from.
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

	// Language is the code of its language, "" if the query didn't ask for it or the post
	// has none.
	Language string

	// Digest is the digest of the row as it was loaded.
	Digest Digest
}

// PostDates holds when a post was published and last changed, in the site's time zone and
// in UTC.
type PostDates struct {
	Date, DateGMT, Modified, ModifiedGMT string
}

// PostHead is the part of a post that access checks and validators need.
type PostHead struct {
	ID, Author, Parent                     int64
	Type, Status, Password, Name, MimeType string
}

// Digest is a hash of stored content. Equal digests mean equal content, except with a
// probability of 2⁻¹²⁸. It is valid in this process only. The zero value is the digest of
// content that wasn't read from the database.
type Digest [2]uint64

// PostSet holds posts by id, with their metadata and terms.
type PostSet struct {
	Posts map[int64]*Post
	Meta  map[int64]Meta
	Terms map[int64][]Term
}

// Attachment is a file that is new in the uploads folder.
type Attachment struct {
	Title, MimeType string
	URL             string // where the file is
	File            string // its path below the uploads folder
	Metadata        string // serialized
	Source          string // the URL that it came from
	CommentStatus   string
}

// PostName is a name that a post must not share with others of its type: its slug, and for
// attachments also the URL of the file.
type PostName struct{ Type, Slug string }
