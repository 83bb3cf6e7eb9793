package webhook

import (
	"encoding/json"
	"strconv"
	"time"
)

// message tells a target of one change.
type message struct {
	ID    string // the same in each attempt
	Kind  string
	Event int64
	At    time.Time // when the change was found
	Data  json.RawMessage
	Site  *Site // nil if the process serves only one
}

// contentType returns that of bodies of a format.
func (f Format) contentType() string {
	if f == CloudEvents {
		return "application/cloudevents+json; charset=utf-8"
	}
	return "application/json"
}

// shownSite is a site in a body.
type shownSite struct {
	ID  int64  `json:"id"`
	URL string `json:"url,omitempty"`
}

// body returns the body of a message. source is the address of the calendar's API. CloudEvents name the
// site by it.
func (f Format) body(m *message, source string) ([]byte, error) {
	at := m.At.UTC().Format(time.RFC3339Nano)
	if f == CloudEvents {
		return json.Marshal(struct {
			Version     string          `json:"specversion"`
			ID          string          `json:"id"`
			Source      string          `json:"source"`
			Type        string          `json:"type"`
			Subject     string          `json:"subject"`
			Time        string          `json:"time"`
			ContentType string          `json:"datacontenttype"`
			Data        json.RawMessage `json:"data"`
		}{"1.0", m.ID, source, m.Kind, "events/" + strconv.FormatInt(m.Event, 10), at, "application/json", m.Data})
	}
	var of *shownSite
	if m.Site != nil {
		of = &shownSite{m.Site.ID, m.Site.URL}
	}
	return json.Marshal(struct {
		Type string          `json:"type"`
		Time string          `json:"timestamp"`
		Site *shownSite      `json:"site,omitempty"`
		Data json.RawMessage `json:"data"`
	}{m.Kind, at, of, m.Data})
}
