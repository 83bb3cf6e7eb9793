package content

import (
	"strings"

	"calbridge/rest/wptext"
)

// secureHome replaces the http form of the home URL, also where backslashes escape its
// slashes, by the https form; see [wptext.Site.FixInsecureHome].
func secureHome(s string, site *wptext.Site) string {
	rest, https := strings.CutPrefix(site.Home, "https:")
	if !site.FixInsecureHome || !https || !strings.Contains(s, "http:") {
		return s
	}
	insecure := "http:" + rest
	return strings.NewReplacer(insecure, site.Home, escapeSlashes(insecure), escapeSlashes(site.Home)).Replace(s)
}

func escapeSlashes(s string) string { return strings.ReplaceAll(s, "/", `\/`) }
