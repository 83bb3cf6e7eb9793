package wpstore

// TicketProvider is what sells tickets for events or gives them away, by the name that
// answers have for it.
type TicketProvider string

// The providers of Event Tickets, in the order of answers.
const (
	TicketsCommerce TicketProvider = "tc"
	RSVP            TicketProvider = "rsvp"
)

// TicketPosts says which posts are the tickets and the attendees of a provider, and which
// of their metadata has the id of the event.
type TicketPosts struct {
	Provider                 TicketProvider
	Tickets, TicketEvent     string
	Attendees, AttendeeEvent string
	CheckedIn                string // has "1" for attendees who have come
}

// AllTicketPosts has a row for each provider.
func AllTicketPosts() []TicketPosts {
	return []TicketPosts{
		{TicketsCommerce, "tec_tc_ticket", "_tec_tickets_commerce_event", "tec_tc_attendee", "_tec_tickets_commerce_event", "_tec_tickets_commerce_checked_in"},
		{RSVP, "tribe_rsvp_tickets", "_tribe_rsvp_for_event", "tribe_rsvp_attendees", "_tribe_rsvp_event", "_tribe_rsvp_checkedin"},
	}
}

// The metadata of a ticket that answers show.
const (
	TicketPrice       = "_price"
	TicketStock       = "_stock"
	TicketManageStock = "_manage_stock"
	TicketCapacity    = "_tribe_ticket_capacity"
	TicketStart       = "_ticket_start_date"
	TicketEnd         = "_ticket_end_date"
)

// TicketKeys returns the metadata of a ticket that answers show.
func TicketKeys() []string {
	return []string{TicketPrice, TicketStock, TicketManageStock, TicketCapacity, TicketStart, TicketEnd}
}

// Ticket is a ticket of an event. Meta has the rows of TicketKeys.
type Ticket struct {
	ID       int64
	Provider TicketProvider
	Meta     Meta
}

// Attendance is how many people attend an event, and how many of them have come.
type Attendance struct{ Total, CheckedIn int64 }

// TicketFilter admits events with a ticket of one of some providers or, with Without, those
// that have none.
type TicketFilter struct {
	Providers []TicketProvider
	Without   bool
}
