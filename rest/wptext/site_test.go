package wptext_test

import (
	"strings"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/typography"
)

// defaultSite returns the facts of a site at home (without trailing slash) with
// WordPress's default settings, the theme Twenty Twenty-Five, pretty links and
// English texts.
func defaultSite(home string) *wptext.Site {
	https := strings.HasPrefix(home, "https://")
	return &wptext.Site{
		Home: home, SiteURL: home, HTTPS: https,
		UploadsURL:         wptext.UploadsURL(home, "", "", https, ""),
		Locale:             typography.LocaleFor(""),
		UseSmilies:         true,
		PermalinkStructure: "/%postname%/",
		WPVersion:          700,
		Theme:              wptext.TwentyTwentyFive(),
		TECBlocks:          true,
	}
}
