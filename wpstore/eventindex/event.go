package eventindex

// date is a date and time of day whose order is that of time and of the database: the
// digits of "2006-01-02 15:04:05" as one number. Zero dates and days that don't exist
// are dates as well.
type date int64

// Values in place of a date.
const (
	// null is an empty date: within no bound, before all others in lists. An event that
	// has other dates is listed by those.
	null date = -1
	// missing is the lack of a date: within no bound, and an event without the start
	// that orders a list isn't in it.
	missing date = -2
	// garbled is ordered like null, but compared with bounds like the zero date.
	garbled date = -3
)

// parseDate reads "2006-01-02 15:04:05"; ok is false for any other form.
func parseDate[T string | []byte](s T) (d date, ok bool) {
	const form = "0000-00-00 00:00:00"
	if len(s) != len(form) {
		return 0, false
	}
	for i := range len(form) {
		switch digit := s[i] - '0'; {
		case form[i] != '0' && s[i] == form[i]:
		case form[i] == '0' && digit <= 9:
			d = d*10 + date(digit)
		default:
			return 0, false
		}
	}
	return d, true
}

// dates are when an event begins and ends, in its own zone and in UTC.
type dates struct{ Start, End, StartUTC, EndUTC date }

// event has what lists filter, order and count events by.
type event struct {
	ID             int64
	Author, Parent int64 // 0 for none
	Published      date
	Status         string
	Protected      bool // it has a password
	Blank          bool // one that the database's collation takes for none
	Featured       bool
	// Dates are those of each occurrence. An event without any is in no list.
	Dates []dates
	// Categories and Tags are ids of terms, Venues and Organizers of posts.
	Categories, Tags, Venues, Organizers []int64
	// Languages are language codes, LanguageTerms the term_taxonomy_ids of languages
	// that are terms.
	Languages     []string
	LanguageTerms []int64
	// Unreadable: something about the event can't be compared here; no query is answered
	// while there is such an event.
	Unreadable bool
}
