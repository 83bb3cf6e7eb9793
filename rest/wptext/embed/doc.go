// Package embed replaces URLs that embed something from another site by the HTML
// that WordPress stored for them: embed.go for the shortcode and for how the HTML
// is looked up, urls.go for URLs that stand alone. [Keys] says what must be read
// from the database before; [Expand] uses what was found.
//
// Nothing is fetched. Of wptext's packages it may import wptext, escape, markup,
// shortcode and scan only.
package embed
