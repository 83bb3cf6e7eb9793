package wpstore

// Metadata keys of the links of events to venues and organizers, with one row for each
// link.
const (
	VenueLink     = "_EventVenueID"
	OrganizerLink = "_EventOrganizerID"
)

// LinkedQuery selects venues or organizers for a list.
type LinkedQuery struct {
	PostType      string   // VenueType or OrganizerType
	Statuses      []string // nil: any but trash and auto-draft
	Own           *Own     // overrides Statuses for the posts of one author
	Only          []int64  // nil: no restriction; empty: nothing
	Language      InLanguage
	Limit, Offset int64 // Limit 0 or less: only the total
}

// LinkedPage is a page of venues or organizers.
type LinkedPage struct {
	IDs   []int64
	Total int64 // of the query
	// Counted is the number of rows in the other language.
	Counted int64
}

// TotalOfPage derives the total number of rows from a page of n rows, if that is possible.
func TotalOfPage(n int, limit, offset int64) (total int64, ok bool) {
	offset = max(offset, 0)
	rows := int64(n)
	return offset + rows, rows < limit && (rows > 0 || offset == 0)
}
