package tribev1

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/wpcap"
	"calbridge/rest/wprest"
	"calbridge/wpstore/php"
)

// mayCreate requires the plural edit capability of the kind.
func mayCreate(kind *api.PostKind) wprest.Permission {
	return func(ctx context.Context, r *wprest.Request) (bool, error) {
		return r.Viewer.User.Can("edit_" + kind.Caps), nil
	}
}

// mayChange requires the right to edit or delete the post that the request names. Without
// an id, on every by-slug route, the reference requires the plural capability only; that
// hole is repeated under exact alone (known difference S3). Events whose id does not exist
// pass, so that the handler answers its own 404, unless the validator has refused them.
func mayChange(kind *api.PostKind, verb string) wprest.Permission {
	return func(ctx context.Context, r *wprest.Request) (bool, error) {
		user, site := r.Viewer.User, r.Place.Site
		plural := user.Can(verb + "_" + kind.Caps)
		id := php.ToInt(r.Get("id"))
		if !site.Compat.Exact() && !r.Endpoint.Takes("id") && user.ID != 0 {
			var err error
			if id, err = r.Lookups.PostBySlug(ctx, kind, r.Text("slug")); err != nil {
				return false, err
			}
		}
		if id == 0 || user.ID == 0 || site.Traits.Has(trait.PostsByGeneralCapability) {
			return plural, nil
		}
		post, err := r.Lookups.Rights(ctx, id)
		switch {
		case err != nil:
			return false, err
		case post == nil:
			return plural && kind == api.Events && !site.Traits.Has(trait.EventIDIsCheckedFirst), nil
		case verb == "delete":
			return wpcap.DeletePost(user, post, site.Caps), nil
		}
		return wpcap.EditPost(user, post, site.Caps), nil
	}
}

// mayManage requires the rights that the taxonomy's own screens need. The calendar used to
// require the right to edit events alone.
func mayManage(tax *api.TaxonomyKind) wprest.Permission {
	return func(ctx context.Context, r *wprest.Request) (bool, error) {
		if r.Place.Site.Traits.Has(trait.TermsByRouteCapability) {
			return r.Viewer.User.Can("edit_" + api.Events.Caps), nil
		}
		return r.Viewer.MayManage(tax), nil
	}
}
