package login

import (
	"context"
	"errors"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/wpauth"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// basicAuth checks HTTP Basic credentials as an application password and returns its user. tried is
// false if application passwords are not available or the header holds no credentials: the header
// is then ignored.
func (a *asking) basicAuth(header string) (tried bool, user *wpstore.User, err error) {
	if header == "" || !a.applicationPasswords() {
		return false, nil, nil
	}
	name, password, ok := wpauth.ParseBasic(header)
	if !ok {
		return false, nil, nil
	}
	try := a.throttle.try(a.req.ClientIP, name, password)
	if wait := try.wait(); wait > 0 {
		e := api.Fail("calbridge_too_many_failures")
		e.RetryAfter = int(wait/time.Second) + 1
		return true, nil, e
	}
	user, err = a.applicationUser(name, password)
	if err != nil {
		var refused *api.Error
		if errors.As(err, &refused) {
			try.failed()
			if a.site.Traits.Has(trait.FailedPasswordsAreIgnored) {
				err = nil
			}
		}
		return true, nil, err
	}
	try.succeeded()
	return true, user, nil
}

// applicationUser returns the user with this name and application password.
func (a *asking) applicationUser(name, password string) (*wpstore.User, error) {
	user, err := a.userByLogin(wpauth.SanitizeLogin(name, a.site.Facts.WPLang))
	if err != nil {
		return nil, err
	}
	isEmail := sanitize.IsEmail(name)
	if user == nil && isEmail {
		user, err = a.userByEmail(name)
		if err != nil {
			return nil, err
		}
	}
	if user == nil {
		if isEmail {
			return nil, api.Fail("invalid_email")
		}
		return nil, api.Fail("invalid_username")
	}
	stored := user.Meta["_application_passwords"]
	items := phpserial.Maybe(stored)
	key, ok := a.checked.match(stored, items, password)
	if !ok {
		return nil, api.Fail("incorrect_password")
	}
	a.recordUse(user, items, key)
	return user, nil
}

// applicationPasswords reports whether Basic credentials are accepted.
func (a *asking) applicationPasswords() bool {
	switch a.cfg.ApplicationPasswords {
	case "on":
		return true
	case "off":
		return false
	}
	return (a.req.HTTPS || a.cfg.Environment == "local") && a.site.Facts.UsingApplicationPasswords
}

// recordUse records the time and address of the use of an application password, at most once a day,
// after the response. A failure is only logged, as in WordPress.
func (a *asking) recordUse(user *wpstore.User, items php.Value, key php.Key) {
	list, ok := items.(*php.Array)
	if !ok || !a.cfg.RecordUse || a.useNotRecorded.Load() {
		return
	}
	updated, due := wpauth.RecordUse(list, key, a.now, a.req.ClientIP)
	if !due {
		return
	}
	old, fresh := user.Meta["_application_passwords"], phpserial.Serialize(updated)
	ctx := context.WithoutCancel(a.ctx)
	a.guard.Go(&a.background, "recording the use of a password", func() {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if err := a.Authenticator.store.Session(nil).Users.RecordApplicationPasswordUse(ctx, user.AppPasswordMetaID, old, fresh); err != nil {
			// A database user without UPDATE will never succeed: log it once.
			if a.useNotRecorded.CompareAndSwap(false, !errors.Is(err, wpstore.ErrUnavailable)) {
				a.logger.Warn("use of an application password not recorded", "user", user.ID, "err", err)
			}
		}
		a.users.forget(user.ID)
	})
}
