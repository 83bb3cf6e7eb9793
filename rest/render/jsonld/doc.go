// Package jsonld writes the structured data (schema.org) of events, venues and
// organizers: the member "json_ld".
//
// In go posts with their metadata, and what their texts and pictures refer to; out comes
// JSON, and whether a password has decided about it.
//
//   - writer.go: Writer, who sees structured data, and what all kinds have
//   - event.go: events, their dates and offers
//   - linked.go: venues and organizers, by themselves or within an event
//
// It reads no database, and imports neither render nor loader.
package jsonld
