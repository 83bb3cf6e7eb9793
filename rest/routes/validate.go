package routes

import (
	"context"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// validator judges a value as the reference's validation callbacks do: whether
// it passes, with a detail that is nil for a plain no. err is ours (the
// database), never the client's.
type validator func(ctx context.Context, r *Request, v php.Value) (ok bool, detail *api.Error, err error)

func plainly(test func(php.Value) bool) validator {
	return func(_ context.Context, _ *Request, v php.Value) (bool, *api.Error, error) { return test(v), nil, nil }
}

var (
	positiveInt    = plainly(isPositiveInt)
	positiveInts   = plainly(isPositiveIntList)
	nonEmptyString = plainly(isNonEmptyString)
	stringOrEmpty  = plainly(func(v php.Value) bool { return php.Empty(v) || isNonEmptyString(v) })
	numericID      = plainly(php.IsNumeric)
	postStatus     = plainly(func(v php.Value) bool { s, ok := v.(string); return ok && isStatus(s) })
	urlOrEmpty     = plainly(func(v php.Value) bool { return php.Empty(v) || api.IsURL(v) })
)

func isPositiveInt(v php.Value) bool {
	if !php.IsNumeric(v) {
		return false
	}
	n := php.ToInt(v)
	return float64(n) == php.ToFloat(v) && n > 0
}

func isPositiveIntList(v php.Value) bool {
	list := api.SplitList(v)
	if len(list) > api.MaxListItems {
		return false
	}
	for _, item := range list {
		if !isPositiveInt(item) {
			return false
		}
	}
	return len(list) > 0
}

func isNonEmptyString(v php.Value) bool {
	s, ok := v.(string)
	return ok && !php.Empty(s)
}

func toList(v php.Value) php.Value { return php.List(api.SplitList(v)...) }

func clampPerPage(v php.Value) php.Value { return min(maxPerPage, php.ToInt(v)) }

// maxPerPage is the most entries that a page of the reference holds; more is
// clamped without a word.
const maxPerPage int64 = 50

// isTime accepts numbers and every date text that PHP reads as something else
// than the epoch.
func isTime(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
	if php.IsNumeric(v) {
		return true, nil, nil
	}
	s, ok := v.(string)
	if !ok {
		return false, nil, nil
	}
	unix, ok := r.Place.Site.Zones.Strtotime(s, r.Clock.Present, time.UTC)
	return ok && unix != 0, nil, nil
}

// timezoneOrEmpty accepts what PHP accepts as a zone, and everything longer than
// three characters that begins with UTC.
func timezoneOrEmpty(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
	if php.Empty(v) {
		return true, nil, nil
	}
	s, ok := v.(string)
	if !ok {
		return false, nil, nil
	}
	return r.Place.Site.Zones.ValidEventZone(s), nil, nil
}

func userID(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
	if !php.IsNumeric(v) {
		return false, nil, nil
	}
	ok, err := r.Store.Users.UserExists(ctx, php.ToInt(v))
	return ok, nil, err
}

// eventID accepts an existing event of any status; what is not a number is cast
// first, the type check behind it refuses it.
func eventID(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
	if php.Empty(v) {
		return false, nil, nil
	}
	return exist(ctx, r, api.Events, php.ToInt(v))
}

func postID(kind *api.PostKind) validator {
	return func(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
		if !php.IsNumeric(v) {
			return false, nil, nil
		}
		return exist(ctx, r, kind, php.ToInt(v))
	}
}

func exist(ctx context.Context, r *Request, kind *api.PostKind, ids ...int64) (bool, *api.Error, error) {
	ok, err := r.Lookups.Exist(ctx, kind, ids...)
	return ok, nil, err
}

// postList accepts a list of existing posts of the kind. An empty entry in an
// array of venues is passed over.
func postList(postType string) validator {
	kind := api.Venues
	if postType == api.Organizers.PostType {
		kind = api.Organizers
	}
	return func(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
		list := api.SplitList(v)
		if len(list) > api.MaxListItems {
			return false, nil, nil
		}
		ids := make([]int64, 0, len(list))
		for _, item := range list {
			if !php.IsNumeric(item) {
				return false, nil, nil
			}
			ids = append(ids, php.ToInt(item))
		}
		if len(ids) == 0 {
			return false, nil, nil
		}
		return exist(ctx, r, kind, ids...)
	}
}

// postSlug accepts the slug of an existing post of the kind, any status.
func postSlug(kind *api.PostKind) validator {
	return func(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
		if php.Empty(v) {
			return false, nil, nil
		}
		s, ok := v.(string)
		if !ok {
			return false, nil, nil
		}
		id, err := r.Lookups.PostBySlug(ctx, kind, s)
		return id != 0, nil, err
	}
}

// termList accepts entries that exist in the taxonomy: numbers by id, other text
// by slug, then by name. Text that is no slug at all passes, and matches nothing.
func termList(taxonomy string) validator {
	return func(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
		list := api.SplitList(v)
		if len(list) == 0 || len(list) > api.MaxListItems {
			return false, nil, nil
		}
		found, err := r.Lookups.Terms(ctx, taxonomy, list)
		if err != nil {
			return false, nil, err
		}
		for _, item := range list {
			if !found.Accepts(item) {
				return false, nil, nil
			}
		}
		return true, nil, nil
	}
}

// ticketed refuses true: it needs the tickets plugin, which no supported site
// has behind this interface.
func ticketed(_ context.Context, _ *Request, v php.Value) (bool, *api.Error, error) {
	if !php.Truthy(v) {
		return true, nil, nil
	}
	e := api.Fail("event-tickets-not-active")
	e.Data = &php.Array{}
	e.Data.SetString("status", int64(e.Status))
	return false, e, nil
}

// statusList accepts a list of post statuses: of somebody who may edit posts of
// the kind any registered ones, of others exactly publish.
func statusList(kind *api.PostKind) validator {
	return func(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
		list := api.SplitList(v)
		if len(list) > api.MaxListItems {
			return false, nil, nil
		}
		if !r.Viewer.User.Can("edit_" + kind.Caps) {
			return len(list) == 1 && list[0] == "publish", nil, nil
		}
		for _, item := range list {
			if s, ok := item.(string); !ok || !isStatus(s) {
				return false, nil, nil
			}
		}
		return true, nil, nil
	}
}
