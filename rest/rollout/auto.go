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
	case d.elsewhere:
		a.prover.Answered(proof.NotShared)
		a.h.pass(&capture{to: w}, r, ForPage)
		return
	case d.why == proof.None:
		a.prover.Answered(proof.None)
		d.ticket.Native()
	case len(d.notRendered) > 0:
		a.prover.Answered(d.why)
		if !a.passFor(w, r, ForContent) {
			return
		}
		a.h.Observer.Turned(d.notRendered)
	case !a.pass(w, r, d.why):
		return
	}
	a.follow(r, d.why, d.ticket)
}

// follow does in the background what follows from a decision.
func (a *auto) follow(r *http.Request, why proof.Reason, ticket *proof.Ticket) {
	if why == proof.NotFacts {
		a.refresh()
	}
	if a.prover.Wants(ticket, why) {
		a.compare(r)
	}
}

// compose answers with WordPress's rendering of what calbridge can't render, in the mode Native. If it
// returns false, nothing has been written, and the rendering is requested for later requests.
func (a *auto) compose(w http.ResponseWriter, r *http.Request, own api.Answered) (answered bool) {
	if a.ordinary.judge(r.Header) != proof.None {
		return false
	}
	d := a.prover.Release(addressed{a.h, r}, own.Summary())
	if d.Why == proof.None && d.Body != nil {
		own.Replace(d.Body)
		own.Limit(d.Storing)
		own.Send(w)
		d.Ticket.Native()
		answered = true
	}
	a.follow(r, d.Why, d.Ticket)
	return answered
}

// decision tells why calbridge doesn't answer a request.
type decision struct {
	// elsewhere reports that only WordPress has the page.
	elsewhere bool
	// notRendered names the content for which WordPress has to answer, because its rendering isn't known.
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
		return decision{elsewhere: true}
	}
	d := a.prover.Release(addressed{a.h, r}, own.Summary())
	if d.Why == proof.None {
		if d.Body != nil {
			own.Replace(d.Body)
		}
		own.Limit(d.Storing)
		own.Send(&ruledWriter{ResponseWriter: w, headers: a.prover.Adjustments().Headers(), site: d.Ticket.Site()})
	}
	out := decision{why: d.Why, ticket: d.Ticket}
	if d.Why != proof.None {
		out.notRendered = own.NotRendered()
	}
	return out
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
	return a.passFor(w, r, ForClient)
}

// passFor forwards a request for a purpose, and reports whether WordPress answered.
func (a *auto) passFor(w http.ResponseWriter, r *http.Request, purpose string) bool {
	copied := &capture{to: w}
	ok := a.h.pass(copied, r, purpose)
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
