package content

import (
	"strings"

	"calbridge/rest/wptext"
)

// SecureHomeURL replaces the http form of homeURL, also where its slashes are
// escaped by backslashes, by its https form. WordPress does this on sites that
// moved to https: homeURL and site URL are both https and share their host,
// and the option https_migration_required is set.
func SecureHomeURL(s, homeURL string) string {
	insecure := "http:" + strings.TrimPrefix(homeURL, "https:")
	if !strings.HasPrefix(homeURL, "https:") || !strings.Contains(s, "http:") {
		return s
	}
	s = strings.ReplaceAll(s, insecure, homeURL)
	return strings.ReplaceAll(s, escapeSlashes(insecure), escapeSlashes(homeURL))
}

func escapeSlashes(s string) string { return strings.ReplaceAll(s, "/", `\/`) }

func secureHome(s string, site *wptext.Site) string {
	if !site.FixInsecureHome {
		return s
	}
	return SecureHomeURL(s, site.Home)
}
