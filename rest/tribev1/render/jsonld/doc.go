// Package jsonld writes the structured data (schema.org) of events, venues and
// organizers: the member "json_ld".
//
// It turns posts with their metadata, and what their texts and pictures refer to, into JSON. It
// also reports whether the JSON depends on a password.
//
//   - writer.go: Writer, who sees structured data, and what all kinds have
//   - event.go: events, their dates and offers
//   - linked.go: venues and organizers, single or within an event
//
// It reads no database, and imports neither render nor loader.
package jsonld
