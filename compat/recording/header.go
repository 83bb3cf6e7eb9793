package recording

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"
)

// HeaderFormat is the "format" member of a recording's header line.
const HeaderFormat = "calbridge-recording/1"

// Header is the first line of a recording: where it comes from, as far as the site
// shows that to everyone. It never holds credentials.
type Header struct {
	Format    string `json:"format"`
	Generator string `json:"generator,omitempty"`
	// Home is the site's home URL as the site itself gives it: its host and scheme
	// are those that a replay asks for.
	Home string `json:"home,omitempty"`
	// Scheme is what the requests were sent with, when it is not Home's: a replay does
	// the same.
	Scheme    string `json:"scheme,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	// Asked is the URL that was asked, when it is not Home.
	Asked string `json:"asked,omitempty"`
	// Recorded is when the recording was begun, by the recording machine's clock;
	// Clock is the site's own clock at that moment, from its Date header.
	Recorded time.Time  `json:"recorded,omitzero"`
	Clock    *SiteClock `json:"clock,omitempty"`
	TimeZone string     `json:"time_zone,omitempty"`
	// Versions are those that the site shows, by product.
	Versions map[string]string `json:"versions,omitempty"`
	// Plugins are the REST namespaces that the site advertises; most plugins have one.
	Plugins []string `json:"plugins,omitempty"`
	// Languages are the language roots that were recorded, Logins the accounts.
	Languages []string `json:"languages,omitempty"`
	Logins    []string `json:"logins,omitempty"`
	Writes    bool     `json:"writes,omitempty"`
	// Finished is in the last line only, which has nothing else besides the format.
	Finished  time.Time `json:"finished,omitzero"`
	Exchanges int       `json:"exchanges,omitempty"`
}

// sentTo returns the home with the scheme that the requests were sent with.
func (h *Header) sentTo() string {
	scheme, rest, found := strings.Cut(h.Home, "://")
	if !found {
		return h.Home
	}
	return cmp.Or(h.Scheme, scheme) + "://" + rest
}

// ParseHeader reads a header line; it reports false for other formats.
func ParseHeader(line json.RawMessage) (h Header, ok bool) {
	err := json.Unmarshal(line, &h)
	return h, err == nil && h.Format == HeaderFormat
}

// NamespaceOf returns the namespace in a recording's header, or DefaultNamespace.
func NamespaceOf(file string) (string, error) {
	namespace := DefaultNamespace
	err := Read([]string{file}, func(e Entry) error {
		if header, ok := ParseHeader(e.Header); ok {
			namespace = cmp.Or(header.Namespace, namespace)
		}
		return ErrStop
	})
	return namespace, err
}

// The namespaces that a site may have: the reference's own, which recordings without a header
// are made under, and that of calbridge where it isn't told another one.
const (
	DefaultNamespace   = "tribe/events/v1"
	CalbridgeNamespace = "calendar/events/v1"
)
