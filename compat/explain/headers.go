package explain

import (
	"regexp"
	"slices"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
)

// webServerHeaders matches headers that web servers, PHP, caches and CDNs add. They do not belong
// to the API.
var webServerHeaders = regexp.MustCompile(`^(x-powered-by|server-timing|age|alt-svc|via|nel|report-to|reporting-endpoints|strict-transport-security|upgrade|x-cache.*|x-varnish.*|x-served-by|x-timer|x-backend.*|` +
	`x-proxy-cache|x-nginx.*|x-fastcgi-cache|x-litespeed.*|x-turbo.*|x-cdn.*|cdn-.*|cf-.*|x-amz-.*|x-akamai.*|akamai-.*|x-azure-.*|x-sucuri-.*|x-kinsta-.*|ki-.*|x-wpe-.*|x-pantheon-.*|x-vercel-.*|x-github-.*|` +
	`x-request-id|x-runtime|x-frame-options|x-xss-protection|content-security-policy.*|referrer-policy|permissions-policy|expect-ct|host-header|platform|panel|x-page-speed|x-mod-pagespeed)$`)

// cachingHeaders let answers of calbridge be cached. The reference sends none of them with the
// same answers.
var cachingHeaders = []string{"cache-control", "etag", "last-modified"}

// header returns the cause of a header's difference, and a zero Cause for none.
func header(name string, recorded, got recording.HeaderValues, level Level) diff.Cause {
	switch {
	case webServerHeaders.MatchString(name):
		return causeOf(WebServer)
	case name == "vary":
		return vary(words(recorded), words(got), level)
	case !level.Safe():
	case len(recorded) == 0 && slices.Contains(cachingHeaders, name):
		return causeOf(Caching)
	case level == Fixed && name == "set-cookie" && dashboardCookie(recorded, got):
		return causeOf("F5")
	case strings.HasPrefix(name, "access-control-") && len(recorded) == 1 && len(got) == 1 && got[0] == recorded[0]+moreForOrigins[name]:
		return causeOf("S17")
	}
	return diff.Cause{}
}

// moreForOrigins are the additions of known difference S17.
var moreForOrigins = map[string]string{
	"access-control-expose-headers": ", X-TEC-Total, X-TEC-TotalPages, ETag",
	"access-control-allow-headers":  ", If-None-Match",
}

// vary returns the cause of different Vary headers.
func vary(recorded, got []string, level Level) diff.Cause {
	without := func(list []string, drop ...string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(word string) bool { return slices.Contains(drop, word) })
	}
	switch {
	case slices.Equal(without(recorded, "accept-encoding"), without(got, "accept-encoding")):
		return causeOf(Compression)
	case level.Safe() && len(without(recorded, append(got, "accept-encoding")...)) == 0 &&
		len(without(got, append(recorded, "origin", "accept-encoding", "authorization", "x-wp-nonce", "cookie")...)) == 0:
		return causeOf(Caching)
	}
	return diff.Cause{}
}

// words returns the sorted words of a list header in lower case.
func words(values recording.HeaderValues) []string {
	list := strings.FieldsFunc(strings.ToLower(strings.Join(values, ",")), func(c rune) bool { return c == ',' || c == ' ' || c == '\t' })
	slices.Sort(list)
	return list
}
