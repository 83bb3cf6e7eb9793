package wpauth

import (
	"crypto/md5"
	"encoding/hex"
	"strings"
)

// CookieNames holds the names of the cookies of one site.
type CookieNames struct {
	LoggedIn string // scheme logged_in; the one that browsers send to the REST API
	PostPass string // password of protected posts
}

// NewCookieNames returns the names for a site whose cookies are named after the given
// address: the site's (see [CookieSiteURL]), or on a network the network's as stored, which
// usually ends with a slash. On a network the names are the same for all sites. constant looks up what wp-config.php defines, of which
// COOKIEHASH and LOGGED_IN_COOKIE count; nil means that it defines neither.
func NewCookieNames(siteURL string, constant func(name string) (string, bool)) CookieNames {
	defined := func(name, value string) string {
		if constant != nil {
			if v, ok := constant(name); ok {
				return v
			}
		}
		return value
	}
	hash := defined("COOKIEHASH", CookieHash(siteURL))
	return CookieNames{
		LoggedIn: defined("LOGGED_IN_COOKIE", "wordpress_logged_in_"+hash),
		PostPass: "wp-postpass_" + hash,
	}
}

// CookieHash returns the suffix of a site's cookie names, the MD5 of its address
// exactly as given: with and without a trailing slash give different names.
func CookieHash(siteURL string) string {
	sum := md5.Sum([]byte(siteURL))
	return hex.EncodeToString(sum[:])
}

// CookieSiteURL returns the address that [CookieHash] takes outside of networks: the constant
// WP_SITEURL if it is defined, else the option siteurl, without trailing slashes.
func CookieSiteURL(stored string) string { return strings.TrimRight(stored, "/") }
