package edit

import (
	"context"
	"errors"
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// write runs do in one transaction, after downloading the pictures that the request names by URL.
// After a deadlock do runs again: it must have no effect except its rows and its result. It must
// read only through the transaction, because the connection pool may be empty. Refusals of the
// store become public errors.
func write[T any](ctx context.Context, session *sitedb.Session, r *wprest.Request, revisions int, do func(*sitedb.Tx) (T, error)) (T, error) {
	defer r.Pictures.Drop(ctx)
	if err := r.Pictures.Fetch(ctx); err != nil {
		return *new(T), err
	}
	result, err := sitedb.Write(ctx, session, writing(r.Place, r.Viewer, &r.Params, revisions), do)
	return result, publicError(err)
}

// created sets the status 201 of a response.
func created(res *api.Result, err error) (*api.Result, error) {
	if err == nil {
		res.Status = http.StatusCreated
	}
	return res, err
}

// writeOnly calls write and returns no result.
func writeOnly(ctx context.Context, session *sitedb.Session, r *wprest.Request, revisions int, do func(*sitedb.Tx) error) error {
	_, err := write(ctx, session, r, revisions, func(tx *sitedb.Tx) (struct{}, error) { return struct{}{}, do(tx) })
	return err
}

// publicError turns refusals of the store into their public codes.
func publicError(err error) error {
	var exists *wpstore.TermExistsError
	var taken *wpstore.SlugTakenError
	var lossy *wpstore.LossyError
	switch {
	case errors.As(err, &exists):
		e := tribev1.Fail("term_exists")
		e.Data, e.More = api.Object("term_id", exists.ID), api.Object("additional_data", php.List(exists.ID, exists.ID))
		return e
	case errors.As(err, &taken):
		return tribev1.Fail("duplicate_term_slug", "slug", escape.HTML(taken.Slug))
	case errors.As(err, &lossy):
		return api.Fail("calbridge_charset", "column", lossy.Column).Because(err)
	case errors.Is(err, wpstore.ErrEmptyContent):
		return tribev1.Fail("empty_content")
	case errors.Is(err, wpstore.ErrTooLong):
		return api.Fail("calbridge_too_large").Because(err)
	}
	return err
}
