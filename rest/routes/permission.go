package routes

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/wpcap"
	"calbridge/wpstore/php"
)

// permission decides whether this request's user may use an endpoint.
type permission func(ctx context.Context, r *Request) (bool, error)

// mayCreate asks for the plural edit capability of the kind.
func mayCreate(kind *api.PostKind) permission {
	return func(ctx context.Context, r *Request) (bool, error) {
		return r.Viewer.User.Can("edit_" + kind.Caps), nil
	}
}

// mayChange asks for the right to edit or delete the post that the request
// names. Without an id, which is every by-slug route, only the plural capability
// is asked for: that is the reference's hole, kept under exact alone, known
// difference S3. Events whose id does not exist are let through to the handler's
// own 404.
func mayChange(kind *api.PostKind, verb string) permission {
	return func(ctx context.Context, r *Request) (bool, error) {
		plural := r.Viewer.User.Can(verb + "_" + kind.Caps)
		id := php.ToInt(r.Get("id"))
		if !r.Place.Site.Compat.Exact() && !r.Endpoint.Takes("id") && r.Viewer.User.ID != 0 {
			var err error
			id, err = r.Lookups.PostBySlug(ctx, kind, r.Text("slug"))
			if err != nil {
				return false, err
			}
		}
		if id == 0 || r.Viewer.User.ID == 0 {
			return plural, nil
		}
		post, err := r.Lookups.Rights(ctx, id)
		if err != nil {
			return false, err
		}
		if post == nil {
			return plural && kind == api.Events, nil
		}
		if verb == "delete" {
			return wpcap.DeletePost(r.Viewer.User, post, r.Place.Site.Caps), nil
		}
		return wpcap.EditPost(r.Viewer.User, post, r.Place.Site.Caps), nil
	}
}

// mayManage asks for the rights that the taxonomy's own screens need.
func mayManage(tax *api.TaxonomyKind) permission {
	return func(ctx context.Context, r *Request) (bool, error) {
		return r.Viewer.MayManage(tax), nil
	}
}

// isStatus says whether a post status of that name is registered.
func isStatus(name string) bool {
	_, ok := wpcap.LookupStatus(name)
	return ok
}
