package eventindex

// Outcome describes how a list of events was answered: from the index, or why the
// database has to.
type Outcome string

// The outcomes, as metrics show them.
const (
	FromIndex  Outcome = "index"
	Loading    Outcome = "loading"    // there is no index yet
	Suspended  Outcome = "suspended"  // changes do not arrive
	Failed     Outcome = "error"      // changes could not be read
	TextSearch Outcome = "search"     // the index has no texts
	OtherDates Outcome = "dates"      // the index has the dates of the other kind
	Language   Outcome = "language"   // the index does not know the language
	OddText    Outcome = "text"       // a text is compared that collations may take for equal to another
	OddID      Outcome = "id"         // an id is out of the range of the index
	Password   Outcome = "password"   // passwords would have to be compared
	Unreadable Outcome = "unreadable" // something about an event could not be read
	Hidden     Outcome = "hidden"     // the index leaves out events hidden from listings
	Tickets    Outcome = "tickets"    // the index doesn't know which events have tickets
	Duration   Outcome = "duration"   // the index has no durations to order by
	Filtered   Outcome = "filter"     // the index doesn't know which events meet a filter
)

// Outcomes returns all of them.
func Outcomes() []Outcome {
	return []Outcome{FromIndex, Loading, Suspended, Failed, TextSearch, OtherDates, Language, OddText, OddID, Password, Unreadable, Hidden, Tickets, Duration, Filtered}
}
