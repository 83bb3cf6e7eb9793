package rest

import (
	"crypto/md5"
	"encoding/hex"
	"time"

	"calbridge/i18n"
	"calbridge/rest/wpauth"
	"calbridge/wpstore"
)

// languageCookie sets WPML's cookie for the language of the dashboard. WPML takes
// a request with a login cookie for one of the dashboard, unless it carries a
// good nonce in the header that scripts of the front end send.
func (c *call) languageCookie(user *wpstore.User, token string) {
	if c.req.Place.Site.Languages.Plugin != i18n.WPML || !c.req.Place.Site.Compat.Faithful() {
		return
	}
	nonce := c.req.Header.Get("X-Wp-Nonce")
	if wpauth.VerifyNonce(nonce, c.req.Clock.At, user.ID, token, c.salt(wpauth.SchemeNonce)) != 0 {
		return
	}
	domain, _ := c.req.Place.Site.Settings.CookieConstant("COOKIE_DOMAIN")
	hash := md5.Sum([]byte(domain))
	cookie := "wp-wpml_current_admin_language_" + hex.EncodeToString(hash[:]) + "=" + c.req.Place.Site.Languages.Default +
		"; expires=" + c.req.Clock.At.Add(24*time.Hour).UTC().Format("Mon, 02-Jan-2006 15:04:05 GMT") +
		"; Path=" + c.req.Place.LinksFor("").HomePath() + "/"
	if domain != "" {
		cookie += "; Domain=" + domain
	}
	if c.req.HTTPS {
		cookie += "; Secure"
	}
	c.reply.header.Set("Set-Cookie", cookie+"; SameSite=Lax")
}
