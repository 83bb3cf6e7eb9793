package listing

// Date is a date and time of day whose order is that of time, and of the database:
// the digits of "2006-01-02 15:04:05" as one number. Zero dates, and days that no
// calendar has, are dates as well.
type Date int64

// What may stand in place of a date.
const (
	// Null is a date that is there but empty: it lies within no bound. Lists have it
	// before all others, and an event with another one stands where that is.
	Null Date = -1
	// Missing is no date at all: it lies within no bound, and events without the
	// start that a list goes by are not in it.
	Missing Date = -2
	// Garbled is Null where lists are ordered, but the zero date where it is compared
	// with a bound.
	Garbled Date = -3
)

// ParseDate reads "2006-01-02 15:04:05"; ok is false for any other form.
func ParseDate(s string) (d Date, ok bool) {
	const form = "0000-00-00 00:00:00"
	if len(s) != len(form) {
		return 0, false
	}
	for i := range len(form) {
		switch digit := s[i] - '0'; {
		case form[i] != '0' && s[i] == form[i]:
		case form[i] == '0' && digit <= 9:
			d = d*10 + Date(digit)
		default:
			return 0, false
		}
	}
	return d, true
}

// Dates are when an event begins and ends, on its own clock and in UTC.
type Dates struct{ Start, End, StartUTC, EndUTC Date }

// Event is what lists know about an event.
type Event struct {
	ID             int64
	Author, Parent int64 // 0 for none
	Published      Date
	Status         string
	Protected      bool // it has a password
	Featured       bool
	// Dates are those of each occurrence. An event without any is in no list.
	Dates []Dates
	// Categories and Tags are ids of terms, Venues and Organizers of posts.
	Categories, Tags, Venues, Organizers []int64
	// Languages are codes of languages, LanguageTerms the ids by which a database
	// with terms for languages knows them.
	Languages     []string
	LanguageTerms []int64
	// Unreadable says that something about the event is of a form that cannot be
	// compared here; no query is answered while there is such an event.
	Unreadable bool
}
