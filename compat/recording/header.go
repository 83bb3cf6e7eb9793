package recording

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"
)

// HeaderFormat is the "format" member of a recording's header line.
const HeaderFormat = "calbridge-recording/1"

// Header is the first line of a recording. It describes the recorded site, as far as the
// site reveals that to everyone. It never contains credentials.
type Header struct {
	Format    string `json:"format"`
	Generator string `json:"generator,omitempty"`
	// Home is the site's home URL as reported by the site. A replay uses its host and
	// scheme.
	Home string `json:"home,omitempty"`
	// Scheme is the scheme of the requests, if it differs from Home's. A replay uses it
	// too.
	Scheme    string `json:"scheme,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	// Asked is the URL that requests were sent to, if it is not Home.
	Asked string `json:"asked,omitempty"`
	// Recorded is the start of the recording by the recording machine's clock. Clock is
	// the site's own clock at that moment, from its Date header.
	Recorded time.Time  `json:"recorded,omitzero"`
	Clock    *SiteClock `json:"clock,omitempty"`
	TimeZone string     `json:"time_zone,omitempty"`
	// Versions are those that the site reveals, by product.
	Versions map[string]string `json:"versions,omitempty"`
	// Plugins are the REST namespaces that the site advertises; most plugins have one.
	Plugins []string `json:"plugins,omitempty"`
	// Languages are the language roots that were recorded, Logins the accounts.
	Languages []string `json:"languages,omitempty"`
	Logins    []string `json:"logins,omitempty"`
	Writes    bool     `json:"writes,omitempty"`
	// Finished is only in the last line, which otherwise has only the format.
	Finished  time.Time `json:"finished,omitzero"`
	Exchanges int       `json:"exchanges,omitempty"`
}

// sentTo returns the home URL with the scheme of the requests.
func (h *Header) sentTo() string {
	scheme, rest, found := strings.Cut(h.Home, "://")
	if !found {
		return h.Home
	}
	return cmp.Or(h.Scheme, scheme) + "://" + rest
}

// ParseHeader parses a header line. It returns false for other formats.
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

// The namespaces that a site may have: the reference's own, which applies to recordings
// without a header, and calbridge's default.
const (
	DefaultNamespace   = "tribe/events/v1"
	CalbridgeNamespace = "calendar/events/v1"
)
