package login

import (
	"context"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/wpauth"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sitedb"
)

// asking is the authentication of one request.
type asking struct {
	*Authenticator
	ctx   context.Context
	store *sitedb.Session
	req   *api.Request
	site  *wpsite.Site
	now   time.Time
	// caughtUp reports that cached users may be used unless they have changed or are too old.
	caughtUp bool
}

// Identify checks the credentials of a request in WordPress's order: a login cookie, else an
// application password. Then, unless the latter was used, it checks the nonce; without a nonce the
// cookie is ignored. Users are read from store, or from the cache if caughtUp reports that the
// tracker has all changes. An error becomes the response; the Identity is then incomplete.
func (d *Authenticator) Identify(ctx context.Context, store *sitedb.Session, req *api.Request, site *wpsite.Site, now time.Time, caughtUp bool) (Identity, error) {
	a := asking{d, ctx, store, req, site, now, caughtUp}
	id := Nobody()
	header := req.Header.Get("Authorization")
	cookies := req.Header["Cookie"]
	nonce, sent := requestNonce(req)
	if header == "" && len(cookies) == 0 && !sent {
		return id, nil
	}
	raw, _ := wpauth.FindCookie(cookies, site.Cookies.LoggedIn)
	id.PostPassCookie, _ = wpauth.FindCookie(cookies, site.Cookies.PostPass)
	cookie, wellFormed := wpauth.ParseLoginCookie(raw)
	id.Credentials = header != "" || wellFormed || sent
	var user *wpstore.User
	if wellFormed {
		var err error
		user, err = a.cookieOwner(cookie)
		if err != nil {
			return id, err
		}
		if user != nil {
			id.SetCookie = a.languageCookie(user, cookie.Token)
		}
	}
	if user == nil && !(wellFormed && site.Traits.Has(trait.CookiesHidePasswords)) {
		tried, holder, err := a.basicAuth(header)
		if tried {
			id.Scheme = Basic
		}
		if err != nil {
			return id, err
		}
		if holder != nil {
			id.User = a.capable(holder)
			return id, nil
		}
	}
	if !sent {
		return id, nil
	}
	var uid int64
	if user != nil {
		uid = user.ID
		id.CookieUser = true
	}
	token := ""
	if wellFormed {
		token = cookie.Token
	}
	salt := a.salt(wpauth.SchemeNonce)
	if wpauth.VerifyNonce(nonce, now, uid, token, salt) == 0 {
		return id, api.Fail("rest_cookie_invalid_nonce")
	}
	if user != nil {
		id.User, id.Scheme = a.capable(user), Cookie
	}
	id.FreshNonce = wpauth.Nonce(wpauth.NonceTick(now), uid, token, salt)
	return id, nil
}

// IdentifyVisitor checks the credentials of a visitor of the site's pages: the login cookie
// alone, without a nonce.
func (d *Authenticator) IdentifyVisitor(ctx context.Context, store *sitedb.Session, req *api.Request, site *wpsite.Site, now time.Time, caughtUp bool) (Identity, error) {
	id := Nobody()
	cookies := req.Header["Cookie"]
	id.PostPassCookie, _ = wpauth.FindCookie(cookies, site.Cookies.PostPass)
	raw, _ := wpauth.FindCookie(cookies, site.Cookies.LoggedIn)
	cookie, wellFormed := wpauth.ParseLoginCookie(raw)
	if !wellFormed {
		return id, nil
	}
	a := asking{d, ctx, store, req, site, now, caughtUp}
	user, err := a.cookieOwner(cookie)
	if user != nil {
		id.User, id.Scheme, id.CookieUser = a.capable(user), Cookie, true
	}
	return id, err
}

// capable adds the capabilities of the site's roles to a stored user.
func (a *asking) capable(user *wpstore.User) *wpcap.User {
	facts := a.site.Facts
	super := facts.Multisite && wpcap.IsSuperAdminLogin(php.Strings(facts.SuperAdmins...), user.Login)
	return wpcap.NewUser(user.ID, user.Login, a.site.Roles, phpserial.Maybe(user.Meta["capabilities"]), super)
}

func (a *asking) salt(s wpauth.Scheme) string {
	return wpauth.Salt(s, a.cfg.Keys, func(option string) string { return a.site.Facts.Raw[option] })
}

func (a *asking) userByLogin(login string) (*wpstore.User, error) {
	return a.users.get(a.ctx, "login\x00"+login, a.caughtUp, func(ctx context.Context) (*wpstore.User, error) { return a.store.Users.UserByLogin(ctx, login) })
}

func (a *asking) userByEmail(email string) (*wpstore.User, error) {
	return a.users.get(a.ctx, "email\x00"+email, a.caughtUp, func(ctx context.Context) (*wpstore.User, error) { return a.store.Users.UserByEmail(ctx, email) })
}
