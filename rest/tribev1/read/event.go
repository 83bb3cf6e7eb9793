package read

import (
	"context"
	"strconv"

	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// eventSingle answers GET /events/{id} and /events/by-slug/{slug}.
func (h *handlers) eventSingle(ctx context.Context, r *wprest.Request) (*api.Result, error) {
	id, err := r.ItemID(ctx, api.Events)
	if err != nil {
		return nil, err
	}
	rd := h.render.For(r.Place, r.Viewer, r.Clock, r.Store)
	rd.Fields = singleFields(r)
	set, err := rd.LoadEvents(ctx, []int64{id}, func(p *wpstore.Post) error {
		switch {
		case p == nil:
			return tribev1.Fail("rest-event-not-found", "id", strconv.FormatInt(id, 10))
		case p.Type != api.Events.PostType:
			return tribev1.Fail("rest-invalid-event-id")
		case r.Place.Site.NoLongerAvailable(p.Type, p.Status):
			return tribev1.Fail("event-no-longer-available")
		case !r.Viewer.Reads(p):
			return tribev1.Fail("event-not-accessible")
		case r.Viewer.Locked(p) && !r.Place.Site.Traits.Has(trait.EventsIgnorePasswords):
			return tribev1.Fail("event-password-protected")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	w := rd.NewWriter()
	rd.Event(w, set, set.Post(id), true)
	return rd.Result(w), nil
}

// singleFields returns the fields that _fields asks for.
func singleFields(r *wprest.Request) api.Set {
	if wanted := r.Get("_fields"); !php.Empty(wanted) {
		return api.ParseFields(wanted)
	}
	return api.Set{}
}
