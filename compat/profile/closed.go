package profile

import (
	"net/http"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// addClosed collects what a network answers for a site that is closed, and reports whether the exchange
// is such an answer. The reason comes from the description of the network.
func (b *Builder) addClosed(x *recording.Exchange) bool {
	if x.Response.Status != http.StatusGone {
		return false
	}
	why := b.Site.ClosedAt(x.Request)
	from, key := source{home: b.Home}, "wp_die."+why
	if strings.HasPrefix(x.Response.Header("content-type"), "text/html") {
		if why != "" && x.Response.Body != "" {
			b.votes.add(from, slot{section: sectionPages, key: key}, x.Response.Body, 1)
		}
		return true
	}
	root, err := jsontree.Parse(x.Response.Body)
	if err != nil || root.Member("code").Text() != "wp_die" {
		return false
	}
	if why != "" {
		b.votes.add(from, slot{section: sectionErrors, key: key}, root.Member("message").Text(), 1)
	}
	return true
}
