package rollout

import (
	"context"
	"net/http"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/fragment"
	"calbridge/rest/proof"
)

// split compares the responses of a round outside of their objects. It returns nil if they have other
// objects, if their objects can't be fragments, or if the responses are the same and nothing needs
// their objects. again reports that the round before was split.
func (a *auto) split(ctx context.Context, request *http.Request, r *round, again bool) (*proof.Split, error) {
	_, query := api.SplitTarget(request.RequestURI)
	site, ours, theirs := a.h.site(request), r.pair.Ours, r.pair.Theirs
	same := r.outcome == Same || r.outcome == Known
	switch {
	case ours.Status != http.StatusOK || theirs.Status != http.StatusOK || !sameType(ours.Header, theirs.Header):
		return nil, nil
	case same && !again && len(r.summary.NotRendered) == 0 && !a.prover.Keeps(query, site, r.summary):
		return nil, nil
	}
	s := a.prover.Split(query, site, r.summary, ours.Body, theirs.Body)
	if s == nil || same {
		return s, nil
	}
	with := r.pair
	with.Ours = spliced(ours, s.Ours, s.Theirs)
	if with.Earlier != nil {
		if earlier, err := fragment.SplitBody(with.Earlier.Header.Get("Content-Type"), with.Earlier.Body); err == nil {
			with.Earlier = spliced(with.Earlier, earlier, s.Theirs)
		}
	}
	outcome, _, err := a.h.Judge.Compare(ctx, &with)
	if err == nil && outcome != Same && outcome != Known {
		s.Around = a.h.Judge.Fields(ctx, &with)
		if len(s.Around) == 0 {
			return nil, nil
		}
	}
	return s, err
}

// spliced returns a response of ours with WordPress's objects, or ours as it is if it has other
// objects. document is the body of ours.
func spliced(ours *Answer, document, theirs *fragment.Document) *Answer {
	body, ok := fragment.Splice(document, theirs)
	if !ok {
		return ours
	}
	out := *ours
	out.Body = body
	return &out
}

// sameType reports whether two responses have the same content type, and may have objects.
func sameType(ours, theirs http.Header) bool {
	kind, _, _ := strings.Cut(theirs.Get("Content-Type"), ";")
	own, _, _ := strings.Cut(ours.Get("Content-Type"), ";")
	return kind == own && fragment.Splittable(kind)
}

// suffices reports whether a round needs no other one, since WordPress's objects were proved
// already, and the responses differ in nothing else.
func (a *auto) suffices(request *http.Request, r *round) bool {
	_, query := api.SplitTarget(request.RequestURI)
	return a.prover.Spliced(r.split, proof.Side{Header: r.pair.Ours.Header}) && a.prover.Suffices(query, a.h.site(request), r.summary)
}

// explained reports whether the responses of a round differ only inside of objects, and ours has content
// that only WordPress can render.
func (a *auto) explained(r *round) bool {
	return len(r.summary.NotRendered) > 0 && a.prover.Spliced(r.split, proof.Side{Header: r.pair.Ours.Header})
}

// agree reports whether WordPress's objects are the same in two settled rounds.
func (a *auto) agree(request *http.Request, before, next *round) bool {
	if before.split == nil || next.split == nil || !before.settled || !next.settled {
		return false
	}
	_, query := api.SplitTarget(request.RequestURI)
	return !a.prover.Contradict(query, a.h.site(request), next.summary, before.begun, before.split.Theirs, next.split.Theirs)
}
