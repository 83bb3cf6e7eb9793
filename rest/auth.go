package rest

import (
	"context"
	"errors"
	"net/http"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/wpauth"
	"calbridge/rest/wpcap"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// AuthConfig holds what authentication needs from wp-config.php.
type AuthConfig struct {
	Keys wpauth.Keys
	// ApplicationPasswords is auto (as WordPress decides), on or off.
	ApplicationPasswords string
	// Environment is WP_ENVIRONMENT_TYPE; local allows application passwords
	// without HTTPS.
	Environment string
	// RecordUse writes last_used and last_ip of an application password, at most
	// once a day.
	RecordUse bool
	// FreeFailures is how many wrong credentials an address may send before it is
	// slowed down; 0 never slows anybody down.
	FreeFailures int
}

// scheme tells how a client was recognised; it is a metric label.
type scheme string

const (
	noLogin     scheme = "none"
	basicLogin  scheme = "basic"
	cookieLogin scheme = "cookie"
)

// authenticate finds the user of a request and judges its credentials in
// WordPress's order: a valid login cookie, else an application password; then,
// unless the latter was used, the nonce, without which a cookie counts for
// nothing.
func (c *call) authenticate(r *http.Request) error {
	c.login = noLogin
	header := c.req.Header.Get("Authorization")
	cookies := c.req.Header["Cookie"]
	if header == "" && len(cookies) == 0 && !c.sendsNonce() {
		return nil
	}
	names := c.req.Place.Site.Cookies
	raw, _ := wpauth.FindCookie(cookies, names.LoggedIn)
	c.req.Viewer.PostPassCookie, _ = wpauth.FindCookie(cookies, names.PostPass)
	cookie, wellFormed := wpauth.ParseLoginCookie(raw)
	c.credentials = header != "" || wellFormed || c.sendsNonce()
	var user *wpstore.User
	if wellFormed {
		var err error
		if user, err = c.cookieOwner(cookie); err != nil {
			return err
		}
		if user != nil {
			c.languageCookie(user, cookie.Token)
		}
	}
	if user == nil {
		done, err := c.basicAuth(header)
		if done || err != nil {
			return err
		}
	}
	nonce, sent := c.nonce()
	if !sent {
		return nil
	}
	var uid int64
	if user != nil {
		uid = user.ID
		c.cookieUser = true
	}
	token := ""
	if wellFormed {
		token = cookie.Token
	}
	salt := c.salt(wpauth.SchemeNonce)
	if wpauth.VerifyNonce(nonce, c.req.Clock.At, uid, token, salt) == 0 {
		return api.Fail("rest_cookie_invalid_nonce")
	}
	if user != nil {
		c.become(user, cookieLogin)
	}
	c.freshNonce = wpauth.Nonce(wpauth.NonceTick(c.req.Clock.At), uid, token, salt)
	return nil
}

// nonce returns the nonce of a request: the parameter, which may be empty, hides
// the header.
func (c *call) nonce() (string, bool) {
	if c.req.RealMethod == http.MethodPost {
		if v, ok := c.req.Form.Lookup("_wpnonce"); ok {
			return php.ToString(v), true
		}
	}
	if v, ok := c.req.Query.Lookup("_wpnonce"); ok {
		return php.ToString(v), true
	}
	if v, ok := c.req.Header["X-Wp-Nonce"]; ok {
		return v[0], true
	}
	return "", false
}

func (c *call) sendsNonce() bool {
	_, ok := c.nonce()
	return ok
}

func (c *call) salt(s wpauth.Scheme) string {
	return wpauth.Salt(s, c.srv.cfg.Auth.Keys, func(option string) string { return c.req.Place.Site.Facts.Raw[option] })
}

// cookieOwner returns the user of a valid login cookie whose session is alive,
// nil for any other.
func (c *call) cookieOwner(cookie wpauth.LoginCookie) (*wpstore.User, error) {
	login := wpauth.SanitizeLogin(cookie.Login, c.req.Place.Site.Facts.WPLang)
	user, err := c.srv.userByLogin(c.ctx, login)
	if user == nil || err != nil {
		return nil, err
	}
	grace := c.req.RealMethod == http.MethodPost
	if !cookie.Verify(user.Pass, c.salt(wpauth.SchemeLoggedIn), c.req.Clock.At, grace) {
		return nil, nil
	}
	if !wpauth.SessionValid(phpserial.Maybe(user.Meta["session_tokens"]), cookie.Token, c.req.Clock.At) {
		return nil, nil
	}
	return user, nil
}

// basicAuth tries HTTP Basic credentials as an application password. done says
// that they were good. Where application passwords are not available, or the
// header holds no credentials, it is as if there was no header.
func (c *call) basicAuth(header string) (done bool, err error) {
	if header == "" || !c.applicationPasswords() {
		return false, nil
	}
	name, password, ok := wpauth.ParseBasic(header)
	if !ok {
		return false, nil
	}
	c.login = basicLogin
	if wait := c.srv.throttle.wait(c.req.RemoteAddr); wait > 0 {
		e := api.Fail("calbridge_too_many_failures")
		e.RetryAfter = int(wait/time.Second) + 1
		return false, e
	}
	user, err := c.applicationUser(name, password)
	if err != nil {
		var refused *api.Error
		if errors.As(err, &refused) {
			c.srv.throttle.failed(c.req.RemoteAddr)
		}
		return false, err
	}
	c.srv.throttle.succeeded(c.req.RemoteAddr)
	c.become(user, basicLogin)
	return true, nil
}

// applicationUser finds the user of a name and an application password.
func (c *call) applicationUser(name, password string) (*wpstore.User, error) {
	user, err := c.srv.userByLogin(c.ctx, wpauth.SanitizeLogin(name, c.req.Place.Site.Facts.WPLang))
	if err != nil {
		return nil, err
	}
	isEmail := sanitize.IsEmail(name)
	if user == nil && isEmail {
		if user, err = c.srv.userByEmail(c.ctx, name); err != nil {
			return nil, err
		}
	}
	if user == nil {
		if isEmail {
			return nil, api.Fail("invalid_email")
		}
		return nil, api.Fail("invalid_username")
	}
	items := phpserial.Maybe(user.Meta["_application_passwords"])
	key, _, ok := wpauth.MatchApplicationPassword(items, password)
	if !ok {
		return nil, api.Fail("incorrect_password")
	}
	c.recordUse(user, items, key)
	return user, nil
}

// applicationPasswords says whether Basic credentials are looked at.
func (c *call) applicationPasswords() bool {
	switch c.srv.cfg.Auth.ApplicationPasswords {
	case "on":
		return true
	case "off":
		return false
	}
	return (c.req.HTTPS || c.srv.cfg.Auth.Environment == "local") && c.req.Place.Site.Facts.UsingApplicationPasswords
}

// become makes user the one who asks.
func (c *call) become(user *wpstore.User, how scheme) {
	super := c.req.Place.Site.Facts.Multisite && wpcap.IsSuperAdminLogin(php.Strings(c.req.Place.Site.Facts.SuperAdmins...), user.Login)
	c.req.Viewer.User = wpcap.NewUser(user.ID, user.Login, c.req.Place.Site.Roles, phpserial.Maybe(user.Meta["capabilities"]), super)
	c.login = how
}

// recordUse notes when and from where an application password was used, at most
// once a day, without holding up the answer. A failure is logged and forgotten,
// as in WordPress.
func (c *call) recordUse(user *wpstore.User, items php.Value, key php.Key) {
	list, ok := items.(*php.Array)
	if !ok || !c.srv.cfg.Auth.RecordUse || c.srv.cfg.ReadOnly || c.srv.useNotRecorded.Load() {
		return
	}
	updated, due := wpauth.RecordUse(list, key, c.req.Clock.At, c.req.RemoteAddr)
	if !due {
		return
	}
	old, fresh := user.Meta["_application_passwords"], phpserial.Serialize(updated)
	ctx := context.WithoutCancel(c.ctx)
	c.srv.background.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if err := c.req.Store.RecordApplicationPasswordUse(ctx, user.AppPasswordMetaID, old, fresh); err != nil {
			// A database user that may only read will never be allowed to: say so once.
			if c.srv.useNotRecorded.CompareAndSwap(false, !errors.Is(err, wpstore.ErrUnavailable)) {
				c.srv.cfg.Logger.Warn("use of an application password not recorded", "user", user.ID, "err", err)
			}
		}
		c.srv.users.forget(user.ID)
	})
}
