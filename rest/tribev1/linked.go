package tribev1

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/wprest"
	"calbridge/wpstore/php"
)

// linked accepts what an event may link to as a venue or an organizer: nothing,
// existing ids, or data from which one can be created.
func linked(kind *api.PostKind) wprest.Validator {
	return func(ctx context.Context, r *wprest.Request, v php.Value) (bool, error) {
		entries := linkedEntries(v)
		l := linkedList{kind: kind}
		if len(entries) > api.MaxListItems || !l.collect(entries) {
			return false, nil
		}
		return l.valid(ctx, r)
	}
}

// linkedEntries returns the entries of a parameter that names venues or organizers.
func linkedEntries(v php.Value) []php.Value {
	arr, isArray := v.(*php.Array)
	switch {
	case php.Empty(v) || isArray && api.AllEmpty(arr):
		return nil
	case !isArray:
		return api.SplitCommas(php.ToString(v))
	case arr.IsList():
		return arr.Values()
	}
	return []php.Value{v}
}

// linkedIDs returns the ids that linked looks up.
func linkedIDs(v php.Value) []int64 {
	var l linkedList
	entries := linkedEntries(v)
	if len(entries) > api.MaxListItems || !l.collect(entries) {
		return nil
	}
	return l.ids
}

// linkedList is a list of venues or organizers in a request, with everything that has to be looked
// up for it. One statement finds the ids of all entries, one their authors, and one their pictures.
type linkedList struct {
	kind               *api.PostKind
	ids, users, images []int64
	// made are the entries from which posts can be created.
	made []*php.Array
}

// collect adds the entries. It refuses those that no look-up would accept.
func (l *linkedList) collect(entries []php.Value) bool {
	for _, entry := range entries {
		data, isArray := entry.(*php.Array)
		if isArray {
			id := data.At("id")
			if php.Empty(id) {
				l.made = append(l.made, data)
				continue
			}
			entry = id
		}
		if !php.IsNumeric(entry) {
			return false
		}
		l.ids = append(l.ids, php.ToInt(entry))
	}
	for _, data := range l.made {
		if v := data.At("author"); v != nil && php.IsNumeric(v) {
			l.users = append(l.users, php.ToInt(v))
		}
		if v := data.At("image"); !php.Empty(v) && php.IsNumeric(v) {
			l.images = append(l.images, php.ToInt(v))
		}
	}
	return len(l.made) <= api.MaxMade
}

func (l *linkedList) valid(ctx context.Context, r *wprest.Request) (bool, error) {
	if ok, err := r.Lookups.Exist(ctx, l.kind, l.ids...); !ok || err != nil {
		return false, err
	}
	if ok, err := r.Lookups.UsersExist(ctx, l.users...); !ok || err != nil {
		return false, err
	}
	if ok, err := r.Lookups.Images(ctx, l.images...); !ok || err != nil {
		return false, err
	}
	for _, data := range l.made {
		if ok, err := l.validData(ctx, r, data); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// validData accepts what the endpoint that creates posts of the kind accepts. Numbers of
// authors and pictures were looked up before.
func (l *linkedList) validData(ctx context.Context, r *wprest.Request, data *php.Array) (bool, error) {
	args := venueCreateArgs
	if l.kind == api.Organizers {
		args = organizerCreateArgs
	}
	for _, a := range args {
		v := data.At(a.Name)
		switch {
		case v == nil && a.Required:
			return false, nil
		case v == nil || a.Valid == nil:
			continue
		case php.IsNumeric(v) && (a.Name == "author" || a.Name == "image"):
			continue
		}
		if ok, err := a.Valid(ctx, r, v); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}
