package rollout

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"calbridge/rest/api"
	"calbridge/rest/proof"
)

// auto answers natively what is proven, and passes the rest on. What WordPress answers is
// compared afterwards, and so is a sample of what calbridge answers.
type auto struct {
	h       *Handler
	prover  *proof.Prover
	pending pending
}

func (a *auto) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case !api.PlainGET(r):
		if a.prover.Writes() && r.Method != http.MethodOptions && r.Method != http.MethodHead {
			a.prover.Answered(proof.None)
			a.h.answer(w, r)
			return
		}
		a.pass(w, r, proof.NotReadOnly)
	case identifies(r):
		a.pass(w, r, proof.NotAnonymous)
	default:
		a.read(w, r)
	}
}

// read answers a request that only reads, and that names no user.
func (a *auto) read(w http.ResponseWriter, r *http.Request) {
	own := &attempt{mayDecline: true, prover: a.prover}
	a.h.Native.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), attemptKey{}, own)))
	why := own.why
	switch {
	case own.elsewhere:
		a.prover.Answered(proof.NotShared)
		a.h.pass(&capture{to: w}, r, ForPage)
		return
	case own.declined != nil:
		a.prover.Answered(proof.NotShared)
		if a.h.pass(&capture{to: w}, r, ForContent) {
			a.h.Observer.Turned(own.declined)
		}
		return
	case own.held:
		if !a.pass(w, r, why) {
			return
		}
	default:
		a.prover.Answered(proof.None)
		if own.ticket != nil {
			own.ticket.Native()
		}
	}
	if why == proof.NotFacts {
		a.refresh()
	}
	if a.prover.Wants(own.ticket, why) {
		a.compare(r)
	}
}

// pass forwards a request, and says whether WordPress answered.
func (a *auto) pass(w http.ResponseWriter, r *http.Request, why proof.Reason) bool {
	a.prover.Answered(why)
	copied := &capture{to: w}
	ok := a.h.pass(copied, r, ForClient)
	if !ok || copied.status >= http.StatusInternalServerError {
		a.prover.Away()
		return false
	}
	a.prover.Here()
	return true
}

// refresh reads the facts anew in the background.
func (a *auto) refresh() {
	a.h.Guard.Go(&a.h.shadow.workers, "reading the site's facts", func() {
		ctx, cancel := context.WithTimeout(a.h.shadow.ctx, factsTimeout)
		defer cancel()
		if err := a.prover.RefreshIfDue(ctx); err != nil {
			a.h.Logger.Debug("the facts could not be read: WordPress answers", "err", err)
		}
	})
}

// compare queues a comparison, unless the same request is waiting for one.
func (a *auto) compare(r *http.Request) {
	if !a.h.shadow.room() || !a.pending.add(r.RequestURI) {
		return
	}
	if !a.h.shadow.offer(&comparison{request: stranger(r)}) {
		a.pending.remove(r.RequestURI)
	}
}

// identifies says whether a request may have credentials. A cookie counts, whatever its name:
// plugins make cookies of their own for members.
func identifies(r *http.Request) bool {
	for _, name := range []string{"Authorization", "Php-Auth-User", "X-Wp-Nonce"} {
		if _, sent := r.Header[name]; sent {
			return true
		}
	}
	if len(r.Header["Cookie"]) == 0 {
		return false
	}
	return slices.ContainsFunc(r.Cookies(), func(c *http.Cookie) bool {
		return !slices.ContainsFunc(harmlessCookies(), func(prefix string) bool { return strings.HasPrefix(c.Name, prefix) })
	})
}

// harmlessCookies are how names of cookies begin that count visitors or remember their consent.
func harmlessCookies() []string {
	return []string{"_ga", "_gid", "_gat", "_gcl_", "_fbp", "_pk_", "_hj", "__utm", "cookieyes", "cmplz_", "CookieConsent", "OptanonConsent", "borlabs-cookie"}
}

// impersonal are the headers with which comparisons ask: what else a client sends may let it
// see more than others.
var impersonal = []string{"Accept", "Accept-Language", "Origin", "User-Agent", "X-Forwarded-Proto"}

// strangerAddress is the address that comparisons tell WordPress, for documentation only
// (RFC 5737): what a client may see because of its address proves nothing for others.
const strangerAddress = "192.0.2.1"

type strangerKey struct{}

// stranger is the request as nobody in particular would send it.
func stranger(r *http.Request) *http.Request {
	out := r.Clone(context.Background())
	out.Header = http.Header{}
	for _, name := range impersonal {
		if values, sent := r.Header[name]; sent {
			out.Header[name] = values
		}
	}
	return out
}

func isStranger(ctx context.Context) bool { return ctx.Value(strangerKey{}) != nil }

// pending are the requests that wait for their comparison. The queue bounds them.
type pending struct {
	mu      sync.Mutex
	targets map[string]bool
}

func (p *pending) add(target string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.targets[target] {
		return false
	}
	if p.targets == nil {
		p.targets = map[string]bool{}
	}
	p.targets[target] = true
	return true
}

func (p *pending) remove(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.targets, target)
}

// Hold decides whether an answer of calbridge's is sent; it belongs into rest.Config.Hold. It
// returns true where WordPress answers.
func Hold(w http.ResponseWriter, r *http.Request, d *api.Draft) bool {
	own, _ := r.Context().Value(attemptKey{}).(*attempt)
	if own == nil {
		return false
	}
	own.draft = d
	if own.prover == nil {
		return false
	}
	_, query := api.SplitTarget(r.RequestURI)
	own.ticket, own.why = own.prover.Release(query, r.Header.Get("Origin") != "", d)
	own.held = own.why != proof.None
	if !own.held {
		own.prover.Learned().AddHeaders(w.Header())
	}
	return own.held
}
