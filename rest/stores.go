package rest

import (
	"calbridge/rest/calendar"
	"calbridge/wpstore/sitedb"
)

// storesOf returns the stores of a session. They share its connection, and what they read becomes
// one of its dependencies.
func storesOf(s *sitedb.Session) calendar.Stores {
	return calendar.Stores{Posts: &s.Posts, Terms: &s.Terms, Users: &s.Users, Events: &s.Events, Linked: &s.Linked, Tickets: &s.Tickets, References: s}
}
