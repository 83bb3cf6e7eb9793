package rest

import (
	"context"
	"strings"
	"time"

	"calbridge/rest/phpform"
	"calbridge/wpstore/php"
)

// validator judges a value as the reference's validation callbacks do: whether
// it passes, with a detail that is nil for a plain no. err is ours (the
// database), never the client's.
type validator func(ctx context.Context, r *Routed, v php.Value) (ok bool, detail *Error, err error)

func plainly(test func(php.Value) bool) validator {
	return func(_ context.Context, _ *Routed, v php.Value) (bool, *Error, error) { return test(v), nil, nil }
}

var (
	positiveInt    = plainly(isPositiveInt)
	positiveInts   = plainly(isPositiveIntList)
	nonEmptyString = plainly(isNonEmptyString)
	stringOrEmpty  = plainly(func(v php.Value) bool { return php.Empty(v) || isNonEmptyString(v) })
	numericID      = plainly(php.IsNumeric)
	postStatus     = plainly(func(v php.Value) bool { s, ok := v.(string); return ok && isStatus(s) })
	urlOrEmpty     = plainly(func(v php.Value) bool { return php.Empty(v) || isURL(v) })
)

func isPositiveInt(v php.Value) bool {
	if !php.IsNumeric(v) {
		return false
	}
	n := php.ToInt(v)
	return float64(n) == php.ToFloat(v) && n > 0
}

func isPositiveIntList(v php.Value) bool {
	list := splitList(v)
	if len(list) > maxListItems {
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

// maxListItems bounds the lists that are looked up in the database. The reference
// asks about each entry on its own and would run out of time on fewer.
const maxListItems = 10_000

// splitList is TEC's reading of a list argument: arrays as they are, text
// url-decoded once more and split at commas, empty entries dropped, numbers
// turned into numbers.
func splitList(v php.Value) []php.Value {
	var raw []php.Value
	switch v := v.(type) {
	case *php.Array:
		raw = v.Values()
	default:
		if php.Empty(v) {
			return nil
		}
		for _, piece := range splitCommas(phpform.URLDecode(php.ToString(v))) {
			raw = append(raw, piece)
		}
	}
	out := make([]php.Value, 0, len(raw))
	for _, item := range raw {
		s, ok := item.(string)
		if !ok {
			out = append(out, item)
			continue
		}
		switch {
		case s == "":
		case php.IsNumericString(s):
			out = append(out, toNumber(s))
		default:
			out = append(out, s)
		}
	}
	return out
}

// toNumber is what adding zero to a numeric string gives in PHP: an integer
// where the text is one that fits, a float otherwise.
func toNumber(s string) php.Value {
	if n := php.ToInt(s); php.ToString(n) == strings.TrimLeft(strings.TrimSpace(s), "+") || !strings.ContainsAny(s, ".eE") && float64(n) == php.ToFloat(s) {
		return n
	}
	return php.ToFloat(s)
}

// splitCommas splits at commas with the white space around them; white space at
// the two ends of s stays.
func splitCommas(s string) []string {
	const space = " \t\n\v\f\r"
	pieces := strings.Split(s, ",")
	for i := range pieces {
		if i > 0 {
			pieces[i] = strings.TrimLeft(pieces[i], space)
		}
		if i < len(pieces)-1 {
			pieces[i] = strings.TrimRight(pieces[i], space)
		}
	}
	return pieces
}

func toList(v php.Value) php.Value { return php.List(splitList(v)...) }

func clampPerPage(v php.Value) php.Value { return min(maxPerPage, php.ToInt(v)) }

// maxPerPage is the most entries that a page of the reference holds; more is
// clamped without a word.
const maxPerPage int64 = 50

// isTime accepts numbers and every date text that PHP reads as something else
// than the epoch.
func isTime(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
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
func timezoneOrEmpty(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
	if php.Empty(v) {
		return true, nil, nil
	}
	s, ok := v.(string)
	if !ok {
		return false, nil, nil
	}
	return r.Place.Site.Zones.ValidEventZone(s), nil, nil
}

func userID(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
	if !php.IsNumeric(v) {
		return false, nil, nil
	}
	ok, err := r.Store.UserExists(ctx, php.ToInt(v))
	return ok, nil, err
}

// eventID accepts an existing event of any status; what is not a number is cast
// first, the type check behind it refuses it.
func eventID(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
	if php.Empty(v) {
		return false, nil, nil
	}
	return exist(ctx, r, eventKind, php.ToInt(v))
}

func postID(kind *postKind) validator {
	return func(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
		if !php.IsNumeric(v) {
			return false, nil, nil
		}
		return exist(ctx, r, kind, php.ToInt(v))
	}
}

func exist(ctx context.Context, r *Routed, kind *postKind, ids ...int64) (bool, *Error, error) {
	ok, err := r.Lookups.Exist(ctx, kind, ids...)
	return ok, nil, err
}

// postList accepts a list of existing posts of the kind. An empty entry in an
// array of venues is passed over.
func postList(postType string) validator {
	kind := venueKind
	if postType == organizerKind.postType {
		kind = organizerKind
	}
	return func(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
		list := splitList(v)
		if len(list) > maxListItems {
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
func postSlug(kind *postKind) validator {
	return func(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
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
	return func(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
		list := splitList(v)
		if len(list) == 0 || len(list) > maxListItems {
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
func ticketed(_ context.Context, _ *Routed, v php.Value) (bool, *Error, error) {
	if !php.Truthy(v) {
		return true, nil, nil
	}
	e := fail("event-tickets-not-active")
	e.Data = &php.Array{}
	e.Data.SetString("status", int64(e.Status))
	return false, e, nil
}

// statusList accepts a list of post statuses: of somebody who may edit posts of
// the kind any registered ones, of others exactly publish.
func statusList(kind *postKind) validator {
	return func(ctx context.Context, r *Routed, v php.Value) (bool, *Error, error) {
		list := splitList(v)
		if len(list) > maxListItems {
			return false, nil, nil
		}
		if !r.Viewer.User.Can("edit_" + kind.caps) {
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
