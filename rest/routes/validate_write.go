package routes

import (
	"context"
	"strings"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// image accepts the id of an attachment that is an image, or the URL of one.
func image(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
	if url, ok := v.(string); ok && !php.IsNumeric(v) {
		ok, err := r.Pictures.Accept(ctx, url)
		return ok, nil, err
	}
	if !php.IsNumeric(v) {
		return false, nil, nil
	}
	heads, err := r.Store.Posts.PostHeads(ctx, []int64{php.ToInt(v)})
	head, ok := heads[php.ToInt(v)]
	return ok && head.Type == "attachment" && strings.HasPrefix(head.MimeType, "image/"), nil, err
}

func imageOrEmpty(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
	if php.Empty(v) {
		return true, nil, nil
	}
	return image(ctx, r, v)
}

// linked accepts what an event may link to as a venue or an organizer: nothing,
// existing ids, or data from which one can be created.
func linked(kind *api.PostKind) validator {
	return func(ctx context.Context, r *Request, v php.Value) (bool, *api.Error, error) {
		arr, isArray := v.(*php.Array)
		if php.Empty(v) || isArray && api.AllEmpty(arr) {
			return true, nil, nil
		}
		var entries []php.Value
		switch {
		case !isArray:
			for _, piece := range api.SplitCommas(php.ToString(v)) {
				entries = append(entries, piece)
			}
		case arr.IsList():
			entries = arr.Values()
		default:
			entries = []php.Value{arr}
		}
		for _, entry := range entries {
			ok, err := linkedEntry(ctx, r, kind, entry)
			if !ok || err != nil {
				return false, nil, err
			}
		}
		return true, nil, nil
	}
}

func linkedEntry(ctx context.Context, r *Request, kind *api.PostKind, entry php.Value) (bool, error) {
	data, isArray := entry.(*php.Array)
	if !isArray {
		ok, _, err := postID(kind)(ctx, r, entry)
		return ok, err
	}
	if id := data.At("id"); !php.Empty(id) {
		ok, _, err := postID(kind)(ctx, r, id)
		return ok, err
	}
	create := venueCreateArgs
	if kind == api.Organizers {
		create = organizerCreateArgs
	}
	for _, a := range create {
		v := data.At(a.name)
		if v == nil {
			if a.required {
				return false, nil
			}
			continue
		}
		if a.valid == nil {
			continue
		}
		if ok, _, err := a.valid(ctx, r, v); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}
