package rollout

import (
	"math"
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/proof"
)

// Shown is calbridge's response to a GET without credentials, as far as the site may be shown without
// asking WordPress.
type Shown struct {
	Answer
	// NotProven reports that nothing may be shown, so that Answer is empty.
	NotProven bool
	// Held has calbridge's renderings of the entries of a list that Body lacks because they are not proven.
	// They must not be shown. Entries that WordPress has refused or left out are in neither.
	Held [][]byte
}

// Shown returns the response to a GET that the process itself makes, with no headers of a client. It asks
// WordPress nothing. In mode auto it takes part in choosing what is compared, as clients' requests do.
// Metrics and the log see nothing of it. Other modes than native and auto prove nothing.
func (h *Handler) Shown(r *http.Request) (*Shown, error) {
	switch {
	case h.Clients < 100, h.Closed != nil && h.Closed(), h.Mode != Native && h.Mode != Auto,
		h.Mode == Auto && h.Own != nil && h.Own(r): // a route that WordPress lacks can't be compared
		return &Shown{NotProven: true}, nil
	}
	copied := &capture{limit: math.MaxInt64}
	own := h.Native.Answer(copied, r)
	defer own.Close()
	if err := own.Copy(copied); err != nil {
		return nil, err
	}
	out := &Shown{Answer: Answer{Status: copied.status, Header: copied.header, Body: copied.body}}
	switch {
	case h.Mode == Native && (h.auto == nil || len(own.NotRendered()) == 0):
		return out, nil
	case h.Mode == Native:
		return h.auto.withContent(r, own.Summary(), out), nil
	case own.Elsewhere():
		return &Shown{NotProven: true}, nil
	case out.Status == http.StatusBadRequest || out.Status == http.StatusNotFound: // which show nothing
		return out, nil
	}
	return h.auto.shown(r, own.Summary(), out), nil
}

// withContent returns a response of the mode native with WordPress's rendering of what calbridge can't
// render, if it is kept.
func (a *auto) withContent(r *http.Request, summary *api.Summary, out *Shown) *Shown {
	d := a.prover.Release(addressed{a.h, r}, summary)
	a.follow(r, d.Why, d.Ticket)
	if d.Why == proof.None && d.Body != nil {
		out.Body = d.Body
	}
	return out
}

// shown returns what the prover allows of a response.
func (a *auto) shown(r *http.Request, summary *api.Summary, out *Shown) *Shown {
	d := a.prover.Release(addressed{a.h, r}, summary)
	a.follow(r, d.Why, d.Ticket)
	if d.Why == proof.None {
		if d.Body != nil {
			out.Body = d.Body
		}
		return out
	}
	document, pieces, ok := a.prover.Pieces(addressed{a.h, r}, summary)
	if !ok {
		return &Shown{NotProven: true}
	}
	var entries [][]byte
	for _, p := range pieces {
		switch {
		case p.Shown != nil:
			entries = append(entries, p.Shown)
		case !p.Closed:
			out.Held = append(out.Held, p.Ours)
		}
	}
	out.Body = document.Only(entries)
	return out
}
