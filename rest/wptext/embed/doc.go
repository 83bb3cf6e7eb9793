// Package embed replaces URLs that embed something from another site by the HTML that
// WordPress stored for them.
//
//	embed.go  the shortcode [embed]; how stored HTML is looked up
//	urls.go   URLs that stand alone
//
// [Keys] names what to read from the database, [Expand] takes what was found. It
// fetches nothing. Of wptext's packages it may import wptext, escape, markup,
// shortcode only.
package embed
