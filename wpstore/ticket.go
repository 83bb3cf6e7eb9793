package wpstore

// TicketProvider is the name, as responses show it, of a plugin that sells or gives away
// tickets for events.
type TicketProvider string

// The providers of Event Tickets, in the order of responses.
const (
	TicketsCommerce TicketProvider = "tc"
	RSVP            TicketProvider = "rsvp"
)

// TicketPosts names the post types of the tickets and attendees of a provider, and the keys
// of their metadata that hold the id of the event.
type TicketPosts struct {
	Provider                 TicketProvider
	Tickets, TicketEvent     string
	Attendees, AttendeeEvent string
	CheckedIn                string // "1" for attendees who have checked in
}

// AllTicketPosts returns one row for each provider.
func AllTicketPosts() []TicketPosts {
	return []TicketPosts{
		{TicketsCommerce, "tec_tc_ticket", "_tec_tickets_commerce_event", "tec_tc_attendee", "_tec_tickets_commerce_event", "_tec_tickets_commerce_checked_in"},
		{RSVP, "tribe_rsvp_tickets", "_tribe_rsvp_for_event", "tribe_rsvp_attendees", "_tribe_rsvp_event", "_tribe_rsvp_checkedin"},
	}
}

// The metadata of a ticket that responses show.
const (
	TicketPrice       = "_price"
	TicketStock       = "_stock"
	TicketManageStock = "_manage_stock"
	TicketCapacity    = "_tribe_ticket_capacity"
	TicketStart       = "_ticket_start_date"
	TicketEnd         = "_ticket_end_date"
)

// TicketKeys returns the keys of a ticket's metadata that responses show.
func TicketKeys() []string {
	return []string{TicketPrice, TicketStock, TicketManageStock, TicketCapacity, TicketStart, TicketEnd}
}

// Ticket is a ticket of an event. Meta has the rows of TicketKeys.
type Ticket struct {
	ID       int64
	Provider TicketProvider
	Meta     Meta
}

// Attendance is the number of attendees of an event, and of those who have checked in.
type Attendance struct{ Total, CheckedIn int64 }

// TicketFilter admits events that have a ticket of one of the providers or, with Without,
// events that have none.
type TicketFilter struct {
	Providers []TicketProvider
	Without   bool
}
