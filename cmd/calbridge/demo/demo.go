// Package demo has the sample calendar of `calbridge demo`, and the page that the demo opens with.
//
//   - demo.go: loading the calendar, and its administrator's password
//   - text.go: the printed text, with examples
//   - handler.go: Front, which serves the page's own paths and passes all others to the API
//   - picture.go: pictures for the sample calendar, whose files don't exist
//   - page: the page, embedded; modules and style sheets without a build step. app.js holds what
//     is shown and draws it with one of views; grid.js and bars.js are the keys and the long bars
//     of grids; workbench.js shows the requests; README.txt is a copy of the root's README.md
//
// The page is a calendar that the browser renders from the API, next to the requests that it
// sends. Front is for the demo only: it lets the page write as the calendar's administrator. The
// package must not import settings.
package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"calbridge/rest/wpauth"
	"calbridge/wpstore"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
)

// User is the login of the sample calendar's administrator.
const User = "demo"

// Load writes the calendar of a site with the URL home into an empty database and returns an
// application password of User.
func Load(ctx context.Context, store *sitedb.DB, now time.Time, home string) (password string, err error) {
	password = newApplicationPassword()
	return password, sample.Load(ctx, store, sample.Options{Now: now, Home: home, PasswordHash: hash(password)})
}

// Prepare loads the calendar if the database is empty. Otherwise it creates a new application
// password of User. It returns the password.
func Prepare(ctx context.Context, store *sitedb.DB, now time.Time, home string) (password string, err error) {
	_, err = store.Session(nil).Options.SiteFacts(ctx)
	if errors.Is(err, wpstore.ErrSchema) {
		return Load(ctx, store, now, home)
	}
	if err != nil {
		return "", err
	}
	user, err := store.Session(nil).Users.UserByLogin(ctx, User)
	if err != nil {
		return "", err
	}
	if user == nil || user.AppPasswordMetaID == 0 {
		return "", errors.New("the file contains another site, not the demo's: serve it with `calbridge serve --dsn sqlite:FILE`")
	}
	password = newApplicationPassword()
	fresh := sample.ApplicationPasswords(hash(password), now.Unix())
	return password, store.Session(nil).Users.RecordApplicationPasswordUse(ctx, user.AppPasswordMetaID, user.Meta[wpstore.MetaAppPasswords], fresh)
}

func hash(password string) string { return wpauth.FastHash(strings.ReplaceAll(password, " ", "")) }

// newApplicationPassword returns 24 letters and digits in groups of four, like WordPress's.
func newApplicationPassword() string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	var b strings.Builder
	for b.Len() < 24+5 {
		if b.Len()%5 == 4 {
			b.WriteByte(' ')
		}
		var one [1]byte
		_, _ = rand.Read(one[:]) // never returns an error
		if int(one[0]) < 4*len(letters) {
			b.WriteByte(letters[int(one[0])%len(letters)])
		}
	}
	return b.String()
}
