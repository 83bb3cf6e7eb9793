package rest

import (
	"strconv"

	"calbridge/rest/api"
)

// eventSingle answers GET /events/{id} and /events/by-slug/{slug}.
func (c *call) eventSingle() (*api.Response, error) {
	id, err := c.req.ItemID(c.ctx, api.Events)
	if err != nil {
		return nil, err
	}
	r := c.render()
	set, err := r.LoadEvents(c.ctx, []int64{id})
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
	case p.Status != "publish" && !c.req.Viewer.MayRead(p):
		return nil, api.Fail("event-not-accessible")
	case c.req.Viewer.Locked(p):
		return nil, api.Fail("event-password-protected")
	}
	w := r.NewWriter()
	r.Event(w, set, p, true)
	return r.Response(w), nil
}
