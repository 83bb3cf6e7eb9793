package cachetag

import (
	"net/http"
	"strings"
)

// Guard makes shared caches store nothing of a handler's responses but what [Policy.Store] has
// allowed: not those for one user or client, not refusals, not streams, and not those of WordPress
// that were forwarded. Browsers may store them as before.
func (p *Policy) Guard(next http.Handler) http.Handler {
	if p == nil || p.MaxAge == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&guarded{ResponseWriter: w}, r)
	})
}

// guarded is a response that is not stored unless stored is set.
type guarded struct {
	http.ResponseWriter
	stored, sent bool
}

// WriteHeader implements http.ResponseWriter.
func (g *guarded) WriteHeader(status int) {
	if status >= 200 && !g.sent {
		g.sent = true
		if g.stored {
			dropOthers(g.Header())
		} else {
			makePrivate(g.Header())
		}
	}
	g.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (g *guarded) Write(p []byte) (int, error) {
	if !g.sent {
		g.WriteHeader(http.StatusOK)
	}
	return g.ResponseWriter.Write(p)
}

// Unwrap returns the writer for http.ResponseController.
func (g *guarded) Unwrap() http.ResponseWriter { return g.ResponseWriter }

// guardOf returns the guarded response behind a writer, or nil.
func guardOf(w http.ResponseWriter) *guarded {
	for {
		if g, ok := w.(*guarded); ok {
			return g
		}
		wrapper, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return nil
		}
		w = wrapper.Unwrap()
	}
}

// dropOthers removes the headers that some shared caches prefer to Cache-Control. WordPress may send
// them, and mode auto sends what WordPress always sends.
func dropOthers(h http.Header) {
	for _, name := range []string{"Surrogate-Control", "Cdn-Cache-Control", "Cloudflare-Cdn-Cache-Control", "X-Accel-Expires"} {
		delete(h, name)
	}
}

// makePrivate keeps shared caches from storing a response.
func makePrivate(h http.Header) {
	dropOthers(h)
	for _, format := range Formats() {
		delete(h, format.syntax().header)
	}
	control := strings.Join(h["Cache-Control"], ", ")
	switch {
	case control == "":
		control = "no-store"
	case !strings.Contains(control, "no-store"):
		control = "private, " + control
	}
	h["Cache-Control"] = []string{control}
}
