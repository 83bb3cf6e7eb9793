package eventindex

// date is a date and time of day whose order is that of time, and of the database:
// the digits of "2006-01-02 15:04:05" as one number. Zero dates, and days that no
// calendar has, are dates as well.
type date int64

// What may stand in place of a date.
const (
	// null is a date that is there but empty: it lies within no bound. Lists have it
	// before all others, and an event with another one stands where that is.
	null date = -1
	// missing is no date at all: it lies within no bound, and events without the
	// start that a list goes by are not in it.
	missing date = -2
	// garbled is null where lists are ordered, but the zero date where it is compared
	// with a bound.
	garbled date = -3
)

// parseDate reads "2006-01-02 15:04:05"; ok is false for any other form.
func parseDate(s string) (d date, ok bool) {
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

// dates are when an event begins and ends, on its own clock and in UTC.
type dates struct{ Start, End, StartUTC, EndUTC date }

// event is what lists know about an event.
type event struct {
	ID             int64
	Author, Parent int64 // 0 for none
	Published      date
	Status         string
	Protected      bool // it has a password
	Featured       bool
	// Dates are those of each occurrence. An event without any is in no list.
	Dates []dates
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
