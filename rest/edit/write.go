package edit

import (
	"context"
	"errors"

	"calbridge/rest/api"
	"calbridge/rest/routes"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// write runs do in one transaction, with the pictures that the request names by URL
// at hand: all of its rows or none. do may run again when another transaction was in
// the way, so it leaves nothing behind but rows, and returns what it has found out.
// Inside of it only the transaction may be asked: the pool may have no connection
// left. Refusals of the store become public errors.
func write[T any](ctx context.Context, r *routes.Request, revisions int, do func(*sitedb.Tx) (T, error)) (T, error) {
	defer r.Pictures.Drop(ctx)
	if err := r.Pictures.Fetch(ctx); err != nil {
		var none T
		return none, err
	}
	result, err := sitedb.Write(ctx, r.Store, writing(r.Place, r.Viewer, &r.Params, revisions), do)
	if err != nil {
		return result, publicError(err)
	}
	return result, nil
}

// writeOnly is write for what has no result but its rows.
func writeOnly(ctx context.Context, r *routes.Request, revisions int, do func(*sitedb.Tx) error) error {
	_, err := write(ctx, r, revisions, func(tx *sitedb.Tx) (struct{}, error) { return struct{}{}, do(tx) })
	return err
}

// publicError gives the refusals of the store their public codes.
func publicError(err error) error {
	var exists *wpstore.TermExistsError
	var taken *wpstore.SlugTakenError
	switch {
	case errors.As(err, &exists):
		e := api.Fail("term_exists")
		e.Data = &php.Array{}
		e.Data.SetString("term_id", exists.ID)
		e.More = &php.Array{}
		e.More.SetString("additional_data", php.List(exists.ID, exists.ID))
		return e
	case errors.As(err, &taken):
		return api.Fail("duplicate_term_slug", "slug", escape.HTML(taken.Slug))
	case errors.Is(err, wpstore.ErrEmptyContent):
		return api.Fail("empty_content")
	case errors.Is(err, wpstore.ErrTooLong):
		e := api.Fail("calbridge_too_large")
		e.Cause = err
		return e
	}
	return err
}
