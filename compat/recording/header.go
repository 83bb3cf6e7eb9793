package recording

import (
	"encoding/json"
	"time"
)

// HeaderFormat is the "format" member of the header line of a recording made
// by Record.
const HeaderFormat = "calbridge-recording/1"

// Header is the first line of a recording: where it comes from. It has
// what the site shows to anybody; credentials are never in it.
type Header struct {
	Format    string `json:"format"`
	Generator string `json:"generator,omitempty"`
	// Home is the site's home URL as the site itself gives it: its host and scheme
	// are those that a replay asks for.
	Home      string `json:"home,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	// Asked is the URL that was asked, when it is not Home.
	Asked string `json:"asked,omitempty"`
	// Recorded is when the recording was begun, by the recording machine's clock;
	// Clock is the site's own clock at that moment, from its Date header.
	Recorded time.Time  `json:"recorded,omitzero"`
	Clock    *SiteClock `json:"clock,omitempty"`
	TimeZone string     `json:"time_zone,omitempty"`
	// Versions are what the site tells of its software: by product.
	Versions map[string]string `json:"versions,omitempty"`
	// Plugins are the REST namespaces that the site advertises, by which plugins
	// can be told.
	Plugins []string `json:"plugins,omitempty"`
	// Languages are the language roots that were recorded, Logins the accounts.
	Languages []string `json:"languages,omitempty"`
	Logins    []string `json:"logins,omitempty"`
	Writes    bool     `json:"writes,omitempty"`
	// Finished is in the last line only, which has nothing else besides the format.
	Finished  time.Time `json:"finished,omitzero"`
	Exchanges int       `json:"exchanges,omitempty"`
}

// headerHome is the home URL that a header line names, or else the one known so far.
func headerHome(line json.RawMessage, known string) string {
	var header Header
	if err := json.Unmarshal(line, &header); err == nil && header.Format == HeaderFormat && header.Home != "" {
		return header.Home
	}
	return known
}

// NamespaceOf is the namespace in a recording's header, or DefaultNamespace.
func NamespaceOf(file string) (string, error) {
	namespace := DefaultNamespace
	err := Read([]string{file}, func(e Entry) error {
		var header Header
		if e.Header != nil && json.Unmarshal(e.Header, &header) == nil && header.Format == HeaderFormat && header.Namespace != "" {
			namespace = header.Namespace
		}
		return ErrStop
	})
	return namespace, err
}

// DefaultNamespace is the namespace that recordings of the reference are made under.
const DefaultNamespace = "tribe/events/v1"
