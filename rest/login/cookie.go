package login

import (
	"crypto/md5"
	"encoding/hex"
	"net/http"
	"time"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/wpauth"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// requestNonce returns the nonce of a request. A parameter, even an empty one, overrides the
// header.
func requestNonce(req *api.Request) (string, bool) {
	if req.RealMethod == http.MethodPost {
		if v, ok := req.Form.Lookup("_wpnonce"); ok {
			return php.ToString(v), true
		}
	}
	if v, ok := req.Query.Lookup("_wpnonce"); ok {
		return php.ToString(v), true
	}
	if v, ok := req.Header["X-Wp-Nonce"]; ok {
		return v[0], true
	}
	return "", false
}

// cookieOwner returns the user of a valid login cookie with a live session, else nil.
func (a *asking) cookieOwner(cookie wpauth.LoginCookie) (*wpstore.User, error) {
	login := wpauth.SanitizeLogin(cookie.Login, a.site.Facts.WPLang)
	user, err := a.userByLogin(login)
	if user == nil || err != nil {
		return nil, err
	}
	grace := a.req.RealMethod == http.MethodPost
	if !cookie.Verify(user.Pass, a.salt(wpauth.SchemeLoggedIn), a.now, grace) {
		return nil, nil
	}
	if !wpauth.SessionValid(phpserial.Maybe(user.Meta["session_tokens"]), cookie.Token, a.now) {
		return nil, nil
	}
	return user, nil
}

// languageCookie reproduces WPML's cookie for the language of the dashboard. WPML assumes that
// a request with a login cookie comes from the dashboard, unless it has a valid nonce in the
// header that scripts of the front end send.
func (a *asking) languageCookie(user *wpstore.User, token string) string {
	if a.site.Languages.Plugin != i18n.WPML || a.site.Compat.Fixed() {
		return ""
	}
	nonce := a.req.Header.Get("X-Wp-Nonce")
	if wpauth.VerifyNonce(nonce, a.now, user.ID, token, a.salt(wpauth.SchemeNonce)) != 0 {
		return ""
	}
	domain, _ := a.site.Settings.CookieConstant("COOKIE_DOMAIN")
	hash := md5.Sum([]byte(domain))
	cookie := "wp-wpml_current_admin_language_" + hex.EncodeToString(hash[:]) + "=" + a.site.Languages.Default +
		"; expires=" + a.now.Add(24*time.Hour).UTC().Format("Mon, 02-Jan-2006 15:04:05 GMT") +
		"; Path=" + a.site.Place(a.req.HTTPS).Links.HomePath() + "/"
	if domain != "" {
		cookie += "; Domain=" + domain
	}
	if a.req.HTTPS {
		cookie += "; Secure"
	}
	return cookie + "; SameSite=Lax"
}
