package tickets

import (
	"context"
	"database/sql"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Store reads tickets. It is for one request, or for one transaction.
type Store struct {
	run    *sqlconn.Runner
	tables table.Names
}

// New returns a Store.
func New(run *sqlconn.Runner, tables table.Names) Store { return Store{run, tables} }

// Of returns the tickets of events. They are grouped by provider in the given order, and
// sorted by their own order and their ids. Events without tickets are absent.
func (s *Store) Of(ctx context.Context, providers []wpstore.TicketProvider, events []int64) (map[int64][]wpstore.Ticket, error) {
	found := map[int64][]wpstore.Ticket{}
	if len(providers) == 0 {
		return found, nil
	}
	providerOf := map[string]wpstore.TicketProvider{}
	for _, p := range wpstore.AllTicketPosts() {
		providerOf[p.Tickets] = p.Provider
	}
	event := s.run.Dialect().CastSigned("l.meta_value")
	err := sqlconn.EachBlock(events, func(block []int64) error {
		query := linked(s.run.Dialect(), s.tables, ticketLinks(providers), event, "t.ID", "t.post_type", "m.meta_key", "m.meta_value").
			LeftJoin(s.tables.Quoted("postmeta")+" m ON m.post_id = t.ID AND m.meta_key IN ("+sq.Placeholders(len(wpstore.TicketKeys()))+")", anys(wpstore.TicketKeys())...).
			Where(published).
			Where(sqlconn.IDList(event, block)).
			OrderBy("t.menu_order", "t.ID", "m.meta_id")
		rows := map[int64]map[int64]*ticketRows{}
		return s.run.Query(ctx, "tickets.of_events", query, func(scanned *sql.Rows) error {
			var event, id int64
			var postType string
			var key, value sql.NullString
			if err := scanned.Scan(&event, &id, &postType, &key, &value); err != nil {
				return err
			}
			if rows[event] == nil {
				rows[event] = map[int64]*ticketRows{}
			}
			t := rows[event][id]
			if t == nil {
				t = &ticketRows{at: len(found[event])}
				rows[event][id] = t
				found[event] = append(found[event], wpstore.Ticket{ID: id, Provider: providerOf[postType]})
			}
			if key.Valid {
				t.meta = append(t.meta, wpstore.MetaRow{Key: key.String, Value: value.String, Null: !value.Valid})
			}
			found[event][t.at].Meta = wpstore.NewMeta(t.meta, wpstore.Digest{})
			return nil
		})
	})
	for _, tickets := range found {
		slices.SortStableFunc(tickets, func(a, b wpstore.Ticket) int {
			return slices.Index(providers, a.Provider) - slices.Index(providers, b.Provider)
		})
	}
	return found, err
}

// ticketRows is a ticket whose metadata is being read.
type ticketRows struct {
	at   int
	meta []wpstore.MetaRow
}

// Attendance counts the attendees of events. Events without any are absent.
func (s *Store) Attendance(ctx context.Context, providers []wpstore.TicketProvider, events []int64) (map[int64]wpstore.Attendance, error) {
	found := map[int64]wpstore.Attendance{}
	if len(providers) == 0 {
		return found, nil
	}
	var keys []string
	for _, p := range wpstore.AllTicketPosts() {
		keys = append(keys, p.CheckedIn)
	}
	event := s.run.Dialect().CastSigned("l.meta_value")
	err := sqlconn.EachBlock(events, func(block []int64) error {
		query := linked(s.run.Dialect(), s.tables, attendeeLinks(providers), event, "COUNT(DISTINCT t.ID)", "COUNT(DISTINCT m.post_id)").
			LeftJoin(s.tables.Quoted("postmeta")+" m ON m.post_id = t.ID AND m.meta_value = '1' AND m.meta_key IN ("+sq.Placeholders(len(keys))+")", anys(keys)...).
			Where(sq.NotEq{"t.post_status": []string{"trash", "auto-draft"}}).
			Where(sqlconn.IDList(event, block)).
			GroupBy(event)
		var id int64
		var a wpstore.Attendance
		return s.run.Query(ctx, "tickets.attendance", query, sqlconn.EachRow(func() { found[id] = a }, &id, &a.Total, &a.CheckedIn))
	})
	return found, err
}

func anys(texts []string) []any {
	out := make([]any, len(texts))
	for i, text := range texts {
		out[i] = text
	}
	return out
}
