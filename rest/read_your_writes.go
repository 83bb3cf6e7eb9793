package rest

import (
	"maps"
	"math"
	"net/http"
	"sync"
	"time"

	"calbridge/rest/wpauth"
)

// needsLatest reports whether a reading request must read from the primary from here on. Users
// and the site's options, which decide rights, always come from there.
//
// Clients must read their own writes. Writing takes credentials, so requests with
// credentials read from the primary, whichever process they reach. A client that writes
// with credentials and reads without them is recognised by its address, in this process
// only, or by the cookie of Config.OwnWrites in all of them; else it sees its write through
// another one after --replica-max-lag at the latest. With a lag of 0 all clients read from
// the primary.
//
// So do requests whose rows and answers may be cached: the binary log that invalidates the
// caches is the primary's, and a replica may lag behind it. With Config.CatchUp they do even
// if the proof failed.
func (s *Server) needsLatest(x *exchange) bool {
	return s.cfg.CatchUp != nil || x.identity.Credentials || x.current || x.wrote || s.writers.wroteLately(x.req.ClientIP)
}

// wroteCookie is the name of the cookie of a client that has written lately.
const wroteCookie = "calbridge_wrote"

// hasWritten reports whether a request carries the cookie of a writer.
func hasWritten(r *http.Request) bool {
	cookies := r.Header["Cookie"]
	if len(cookies) == 0 {
		return false
	}
	_, wrote := wpauth.FindCookie(cookies, wroteCookie)
	return wrote
}

// markWriter gives a user who has written the cookie for a time, unless that is 0.
func markWriter(x *exchange, ownWrites time.Duration) {
	if ownWrites == 0 || x.identity.User.ID == 0 {
		return
	}
	cookie := http.Cookie{
		Name: wroteCookie, Value: "1", Path: "/", MaxAge: int(math.Ceil(ownWrites.Seconds())),
		HttpOnly: true, Secure: x.req.HTTPS, SameSite: http.SameSiteLaxMode,
	}
	x.answer.header.Add("Set-Cookie", cookie.String())
}

// writeMargin is added to the allowed lag: the interval between two checks of replicas.
const writeMargin = time.Second

// maxWriters bounds the addresses in memory. Beyond it, all clients count as writers until the
// oldest addresses have expired.
const maxWriters = 10000

// writers holds the addresses of clients that have written lately. An address expires
// once no replica that is read from can lack the write.
type writers struct {
	now    func() time.Time // the real clock
	expiry time.Duration

	mu    sync.Mutex
	until map[string]time.Time
	all   time.Time // until when every address counts
}

// wrote records a write, successful or not.
func (w *writers) wrote(addr string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	if len(w.until) >= maxWriters {
		maps.DeleteFunc(w.until, func(_ string, until time.Time) bool { return now.After(until) })
	}
	if len(w.until) >= maxWriters {
		w.all, w.until = now.Add(w.expiry), nil
	}
	if w.until == nil {
		w.until = map[string]time.Time{}
	}
	w.until[addr] = now.Add(w.expiry)
}

// wroteLately reports whether a client of this address may have written lately.
func (w *writers) wroteLately(addr string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	if now.Before(w.all) {
		return true
	}
	until, ok := w.until[addr]
	if ok && now.After(until) {
		delete(w.until, addr)
		return false
	}
	return ok
}
