package read

import (
	"context"
	"strconv"

	"calbridge/rest/api"
	"calbridge/rest/routes"
)

// eventSingle answers GET /events/{id} and /events/by-slug/{slug}.
func (h *handlers) eventSingle(ctx context.Context, r *routes.Request) (*api.Response, error) {
	id, err := r.ItemID(ctx, api.Events)
	if err != nil {
		return nil, err
	}
	rd := h.render.For(r.Place, r.Viewer, r.Clock, r.Store)
	set, err := rd.LoadEvents(ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	p := set.Post(id)
	switch {
	case p == nil:
		return nil, api.Fail("rest-event-not-found", "id", strconv.FormatInt(id, 10))
	case p.Type != api.Events.PostType:
		return nil, api.Fail("rest-invalid-event-id")
	case p.Status == "trash":
		return nil, api.Fail("event-no-longer-available")
	case p.Status != "publish" && !r.Viewer.MayRead(p):
		return nil, api.Fail("event-not-accessible")
	case r.Viewer.Locked(p):
		return nil, api.Fail("event-password-protected")
	}
	w := rd.NewWriter()
	rd.Event(w, set, p, true)
	return rd.Response(w), nil
}
