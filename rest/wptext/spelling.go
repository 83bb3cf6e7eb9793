package wptext

import "strings"

const misspelt, spelt = "Wordpress", "WordPress"

// CapitalPTitle corrects the spelling of WordPress in a title, wherever it
// occurs.
func CapitalPTitle(s string) string { return strings.ReplaceAll(s, misspelt, spelt) }

// CapitalPContent corrects the spelling of WordPress in content, where it
// stands behind a space, a tag, an opening quote of the locale or an opening
// bracket. A nil locale means English.
func CapitalPContent(s string, loc *Locale) string {
	if !strings.Contains(s, misspelt) {
		return s
	}
	if loc == nil {
		loc = &english
	}
	for _, before := range [...]string{" ", "&#8216;", loc.OpenDouble, ">", "("} {
		s = strings.ReplaceAll(s, before+misspelt, before+spelt)
	}
	return s
}

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
