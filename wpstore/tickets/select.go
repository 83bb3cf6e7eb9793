package tickets

import (
	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/table"
)

// link is a type of posts with the key of the metadata that has the id of their event.
type link struct{ postType, key string }

// ticketLinks returns the links of the tickets of some providers.
func ticketLinks(providers []wpstore.TicketProvider) []link {
	return links(providers, func(p wpstore.TicketPosts) link { return link{p.Tickets, p.TicketEvent} })
}

// attendeeLinks returns the links of the attendees of some providers.
func attendeeLinks(providers []wpstore.TicketProvider) []link {
	return links(providers, func(p wpstore.TicketPosts) link { return link{p.Attendees, p.AttendeeEvent} })
}

func links(providers []wpstore.TicketProvider, of func(wpstore.TicketPosts) link) []link {
	var out []link
	for _, p := range wpstore.AllTicketPosts() {
		for _, wanted := range providers {
			if p.Provider == wanted {
				out = append(out, of(p))
			}
		}
	}
	return out
}

// linked selects from posts, alias t, that link to events, and their links, alias l. The
// posts of the types come first: there are fewer of them than rows of metadata.
func linked(dialect dialect.Dialect, tables table.Names, of []link, columns ...string) sq.SelectBuilder {
	var types []string
	var pairs sq.Or
	for _, link := range of {
		types = append(types, link.postType)
		pairs = append(pairs, sq.And{sq.Eq{"t.post_type": link.postType}, sq.Eq{"l.meta_key": link.key}})
	}
	return sq.Select(columns...).
		From(tables.Quoted("posts") + " t").
		JoinClause(dialect.JoinInOrder() + " " + tables.Quoted("postmeta") + " l ON l.post_id = t.ID").
		Where(sq.Eq{"t.post_type": types}).
		Where(pairs).
		Where(sq.NotEq{"l.meta_value": ""})
}

// Names returns the post types and metadata keys whose rows hold tickets and attendees.
func Names() []string {
	names := wpstore.TicketKeys()
	for _, p := range wpstore.AllTicketPosts() {
		names = append(names, p.Tickets, p.TicketEvent, p.Attendees, p.AttendeeEvent, p.CheckedIn)
	}
	return names
}

// published is the condition on tickets that count.
var published = sq.Eq{"t.post_status": "publish"}

// Events selects the ids of the events with a ticket of some providers.
func Events(dialect dialect.Dialect, tables table.Names, providers []wpstore.TicketProvider) sq.SelectBuilder {
	return linked(dialect, tables, ticketLinks(providers), dialect.CastSigned("l.meta_value")).Where(published)
}
