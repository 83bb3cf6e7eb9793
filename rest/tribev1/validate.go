package tribev1

import (
	"context"
	"slices"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/wpcap"
	"calbridge/rest/wprest"
	"calbridge/wpstore/php"
)

func plainly(test func(php.Value) bool) wprest.Validator {
	return func(_ context.Context, _ *wprest.Request, v php.Value) (bool, error) { return test(v), nil }
}

var (
	positiveInt    = plainly(isPositiveInt)
	positiveInts   = plainly(isPositiveIntList)
	nonEmptyString = plainly(isNonEmptyString)
	stringOrEmpty  = plainly(func(v php.Value) bool { return php.Empty(v) || isNonEmptyString(v) })
	numericID      = plainly(php.IsNumeric)
	postStatus     = plainly(isStatus)
)

// ticketed refuses true on a site without Event Tickets.
func ticketed(_ context.Context, r *wprest.Request, v php.Value) (bool, error) {
	return r.Place.Site.Tickets != nil || !php.Truthy(v), nil
}

func isPositiveInt(v php.Value) bool {
	if !php.IsNumeric(v) {
		return false
	}
	n := php.ToInt(v)
	return float64(n) == php.ToFloat(v) && n > 0
}

func isPositiveIntList(v php.Value) bool {
	list := api.SplitList(v)
	refused := func(v php.Value) bool { return !isPositiveInt(v) }
	return len(list) > 0 && len(list) <= api.MaxListItems && !slices.ContainsFunc(list, refused)
}

func isNonEmptyString(v php.Value) bool {
	s, ok := v.(string)
	return ok && !php.Empty(s)
}

func toList(_ *wprest.Request, v php.Value) php.Value { return php.List(api.SplitList(v)...) }

func clampPerPage(r *wprest.Request, v php.Value) php.Value {
	limit := maxPerPage
	if r.PageCap != nil {
		limit = r.PageCap(r.Route.Template)
	}
	return min(limit, php.ToInt(v))
}

// maxPerPage is the largest page of the reference, unless a filter of the site changes it. Larger
// values are silently reduced to it.
const maxPerPage int64 = 50

// isTime accepts numbers and every date text that PHP reads as something else
// than the epoch.
func isTime(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
	if php.IsNumeric(v) {
		return true, nil
	}
	s, ok := v.(string)
	if !ok {
		return false, nil
	}
	unix, ok := r.Place.Site.Zones.Strtotime(s, r.Clock.Present, time.UTC)
	return ok && unix != 0, nil
}

// timezoneOrEmpty accepts what PHP accepts as a zone, and everything longer than
// three characters that begins with UTC.
func timezoneOrEmpty(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
	if php.Empty(v) {
		return true, nil
	}
	s, ok := v.(string)
	if !ok {
		return false, nil
	}
	return r.Place.Site.Zones.ValidEventZone(s), nil
}

func userID(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
	if !php.IsNumeric(v) {
		return false, nil
	}
	return r.Lookups.UsersExist(ctx, php.ToInt(v))
}

// eventID accepts an existing event of any status. Strings are cast to integers here; the type
// check that follows rejects non-numeric ones.
func eventID(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
	if php.Empty(v) {
		return false, nil
	}
	return r.Lookups.Exist(ctx, api.Events, php.ToInt(v))
}

func postID(kind *api.PostKind) wprest.Validator {
	return func(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
		if !php.IsNumeric(v) {
			return false, nil
		}
		return r.Lookups.Exist(ctx, kind, php.ToInt(v))
	}
}

// postList accepts a list of existing posts of the kind. An empty entry in an
// array of venues is passed over.
func postList(kind *api.PostKind) wprest.Validator {
	return func(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
		list := api.SplitList(v)
		if len(list) == 0 || len(list) > api.MaxListItems {
			return false, nil
		}
		ids := make([]int64, len(list))
		for i, item := range list {
			if !php.IsNumeric(item) {
				return false, nil
			}
			ids[i] = php.ToInt(item)
		}
		return r.Lookups.Exist(ctx, kind, ids...)
	}
}

// postSlug accepts the slug of an existing post of the kind, any status.
func postSlug(kind *api.PostKind) wprest.Validator {
	return func(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
		if !isNonEmptyString(v) {
			return false, nil
		}
		id, err := r.Lookups.PostBySlug(ctx, kind, v.(string))
		return id != 0, err
	}
}

// termList accepts entries that exist in the taxonomy: numbers by id, other text by slug, then by
// name. A text that yields no slug passes, and matches nothing.
func termList(tax *api.TaxonomyKind) wprest.Validator {
	return func(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
		list := api.SplitList(v)
		if len(list) == 0 || len(list) > api.MaxTerms {
			return false, nil
		}
		found, err := r.Lookups.Terms(ctx, tax.Name, list)
		if err != nil {
			return false, err
		}
		unknown := func(item php.Value) bool { return !found.Accepts(item) }
		return !slices.ContainsFunc(list, unknown), nil
	}
}

// isStatus reports whether v is the name of a registered post status.
func isStatus(v php.Value) bool {
	name, _ := v.(string)
	_, ok := wpcap.LookupStatus(name)
	return ok
}

// statusList accepts a list of post statuses: any registered ones from users who may edit
// posts of the kind, publish alone from others.
func statusList(kind *api.PostKind) wprest.Validator {
	return func(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
		list := api.SplitList(v)
		if !r.Viewer.User.Can("edit_" + kind.Caps) {
			return len(list) == 1 && list[0] == "publish", nil
		}
		unknown := func(item php.Value) bool { return !isStatus(item) }
		return len(list) <= api.MaxListItems && !slices.ContainsFunc(list, unknown), nil
	}
}

// image accepts the id of an attachment that is an image, or the URL of one.
func image(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
	if !php.IsNumeric(v) {
		url, ok := v.(string)
		if !ok {
			return false, nil
		}
		return r.Pictures.Accept(ctx, url)
	}
	return r.Lookups.Images(ctx, php.ToInt(v))
}

func imageOrEmpty(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
	if php.Empty(v) {
		return true, nil
	}
	return image(ctx, r, v)
}

// urlOrEmpty accepts addresses. Except under Exact, their scheme must be one that WordPress allows
// in links.
func urlOrEmpty(_ context.Context, r *wprest.Request, v php.Value) (bool, error) {
	if php.Empty(v) || !api.IsURL(v) {
		return php.Empty(v), nil
	}
	scheme, _, _ := strings.Cut(php.ToString(v), ":")
	return r.Place.Site.Compat.Exact() || slices.Contains(linkSchemes, strings.ToLower(scheme)), nil
}

var linkSchemes = []string{
	"http", "https", "ftp", "ftps", "mailto", "news", "irc", "irc6", "ircs", "gopher", "nntp", "feed", "telnet", "mms", "rtsp", "sms", "svn", "tel", "fax",
	"xmpp", "webcal", "urn",
}
