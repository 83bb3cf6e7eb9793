package wpstore

import (
	"errors"
	"fmt"
)

// ErrUnavailable matches errors that say nothing about the question asked: the
// database cannot be reached, refuses connections, went away, is read-only after
// a fail-over, or did not answer in time. Trying again later may help.
var ErrUnavailable = errors.New("the database is not available")

// ErrReplica matches errors of statements that failed on a replica, not for want of
// a connection. The primary was asked instead wherever that was possible.
var ErrReplica = errors.New("a replica has failed")

// ErrSchema matches errors that come from a table or column that is not there:
// wrong table prefix, wrong site of a network, or a plugin that has never run.
var ErrSchema = errors.New("the database lacks a table or column")

// ErrEmptyContent says that a post would have neither title nor content nor
// excerpt, which WordPress does not store.
var ErrEmptyContent = errors.New("title, content and excerpt are all empty")

// ErrTooLong says that a text does not fit its column. WordPress refuses such
// rows; the server would cut them silently.
var ErrTooLong = errors.New("a text is too long for its column")

// TermExistsError says that a taxonomy has the term already.
type TermExistsError struct{ ID int64 }

func (e *TermExistsError) Error() string { return fmt.Sprintf("the term exists already, as %d", e.ID) }

// SlugTakenError says that another term of the taxonomy has the slug.
type SlugTakenError struct{ Slug string }

func (e *SlugTakenError) Error() string { return fmt.Sprintf("another term has the slug %q", e.Slug) }
