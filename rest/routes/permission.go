package routes

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/wpcap"
	"calbridge/wpstore/php"
)

// permission decides whether this request's user may use an endpoint.
type permission func(ctx context.Context, r *Request) (bool, error)

// mayCreate requires the plural edit capability of the kind.
func mayCreate(kind *api.PostKind) permission {
	return func(ctx context.Context, r *Request) (bool, error) {
		return r.Viewer.User.Can("edit_" + kind.Caps), nil
	}
}

// mayChange requires the right to edit or delete the post that the request names. Without
// an id, on every by-slug route, the reference requires the plural capability only; that
// hole is repeated under exact alone (known difference S3). Events whose id does not exist
// pass, so that the handler answers its own 404.
func mayChange(kind *api.PostKind, verb string) permission {
	return func(ctx context.Context, r *Request) (bool, error) {
		user, caps := r.Viewer.User, r.Place.Site.Caps
		plural := user.Can(verb + "_" + kind.Caps)
		id := php.ToInt(r.Get("id"))
		if !r.Place.Site.Compat.Exact() && !r.Endpoint.Takes("id") && user.ID != 0 {
			var err error
			if id, err = r.Lookups.PostBySlug(ctx, kind, r.Text("slug")); err != nil {
				return false, err
			}
		}
		if id == 0 || user.ID == 0 {
			return plural, nil
		}
		post, err := r.Lookups.Rights(ctx, id)
		switch {
		case err != nil:
			return false, err
		case post == nil:
			return plural && kind == api.Events, nil
		case verb == "delete":
			return wpcap.DeletePost(user, post, caps), nil
		}
		return wpcap.EditPost(user, post, caps), nil
	}
}

// mayManage requires the rights that the taxonomy's own screens need.
func mayManage(tax *api.TaxonomyKind) permission {
	return func(ctx context.Context, r *Request) (bool, error) { return r.Viewer.MayManage(tax), nil }
}
