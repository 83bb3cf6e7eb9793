package rollout

import (
	"context"
	"net/http"
	"sync"

	"calbridge/rest/api"
	"calbridge/rest/proof"
)

// auto answers natively where that is proven, and forwards other requests. It compares WordPress's
// responses afterwards, and a sample of calbridge's.
type auto struct {
	h      *Handler
	prover *proof.Prover
	// ordinary has the headers with which calbridge may answer itself.
	ordinary *OrdinaryHeaders
	pending  pending
}

func (a *auto) serve(w http.ResponseWriter, r *http.Request) {
	if !api.PlainGET(r) {
		if a.prover.Writes() && r.Method != http.MethodOptions && r.Method != http.MethodHead {
			a.prover.Answered(proof.None)
			a.h.answer(w, r)
			return
		}
		a.pass(w, r, proof.NotReadOnly)
		return
	}
	if why := a.ordinary.judge(r.Header); why != proof.None {
		a.pass(w, r, why)
		return
	}
	a.read(w, r)
}

// read answers a request that only reads and is anonymous.
func (a *auto) read(w http.ResponseWriter, r *http.Request) {
	d := a.decide(w, r)
	switch {
	case d.purpose != "":
		a.prover.Answered(proof.NotShared)
		if a.h.pass(&capture{to: w}, r, d.purpose) && d.purpose == ForContent {
			a.h.Observer.Turned(d.notRendered)
		}
		return
	case d.why == proof.None:
		a.prover.Answered(proof.None)
		d.ticket.Native()
	case !a.pass(w, r, d.why):
		return
	}
	if d.why == proof.NotFacts {
		a.refresh()
	}
	if a.prover.Wants(d.ticket, d.why) {
		a.compare(r)
	}
}

// decision tells why calbridge doesn't answer a request.
type decision struct {
	// purpose is ForPage or ForContent if only WordPress can answer, with what it has to render;
	// otherwise "".
	purpose     string
	notRendered []string
	// why is the prover's reason; None means that calbridge has answered.
	why    proof.Reason
	ticket *proof.Ticket // nil if the request has no shape
}

// decide gets calbridge's response, and sends it if the prover allows it.
func (a *auto) decide(w http.ResponseWriter, r *http.Request) decision {
	own := a.h.Native.Answer(w, r)
	defer own.Close()
	if own.Elsewhere() {
		return decision{purpose: ForPage}
	}
	if names := own.NotRendered(); len(names) > 0 {
		return decision{purpose: ForContent, notRendered: names}
	}
	d := a.prover.Release(addressed{a.h, r}, own.Summary())
	if d.Why == proof.None {
		if d.Body != nil {
			own.Replace(d.Body)
		}
		own.Send(&ruledWriter{ResponseWriter: w, headers: a.prover.Adjustments().Headers(), site: d.Ticket.Site()})
	}
	return decision{why: d.Why, ticket: d.Ticket}
}

// ruledWriter applies the rules about headers to a response before it is sent.
type ruledWriter struct {
	http.ResponseWriter
	headers *proof.Headers
	site    string
	applied bool
}

// WriteHeader implements http.ResponseWriter.
func (w *ruledWriter) WriteHeader(status int) {
	if !w.applied {
		w.applied = true
		w.headers.Apply(w.Header(), w.site)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *ruledWriter) Write(p []byte) (int, error) {
	if !w.applied {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap returns the writer for http.ResponseController.
func (w *ruledWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// pass forwards a request, and reports whether WordPress answered.
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

// refresh reads the facts again in the background.
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
	target := a.h.site(r) + r.RequestURI
	if !a.h.shadow.room() || !a.pending.add(target) {
		return
	}
	if !a.h.shadow.offer(&comparison{request: a.comparable(r)}) {
		a.pending.remove(target)
	}
}

// comparable returns the request of a comparison: it has the target, host and scheme of a client's
// request, and nothing else of it. So what one client sends proves nothing for others, and closes
// nothing.
func (a *auto) comparable(r *http.Request) *http.Request {
	out := r.Clone(context.Background())
	scheme := "http"
	if _, https := a.h.client(r); https {
		scheme = "https"
	}
	out.Host = a.prover.ComparisonHost(r.Host)
	out.Header = http.Header{"User-Agent": {proof.ComparisonAgent}, "X-Forwarded-Proto": {scheme}}
	return out
}

// site returns the address that a request was sent to.
func (h *Handler) site(r *http.Request) string {
	_, https := h.client(r)
	return proof.SiteOf(https, r.Host)
}

// pending holds the requests that wait for their comparison. The queue bounds them.
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

// addressed is a request as the prover sees it. It implements [proof.Request].
type addressed struct {
	h       *Handler
	request *http.Request
}

// Query implements [proof.Request].
func (a addressed) Query() string {
	_, query := api.SplitTarget(a.request.RequestURI)
	return query
}

// Site implements [proof.Request].
func (a addressed) Site() string { return a.h.site(a.request) }
