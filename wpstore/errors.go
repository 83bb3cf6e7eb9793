package wpstore

import (
	"errors"
	"fmt"
)

// ErrUnavailable matches errors of the connection, as opposed to the statement: the
// database can't be reached, refuses connections, went away, is read-only after a
// fail-over, or didn't respond in time. A later retry may succeed.
var ErrUnavailable = errors.New("the database is not available")

// ErrReplica matches errors of statements that failed on a replica for a reason other than
// its connection. Where possible, the primary ran the statement instead.
var ErrReplica = errors.New("a replica has failed")

// ErrSchema matches errors about a missing table or column: a wrong table prefix, the wrong
// site of a network, a plugin that has never run, or tables that are just being renamed or
// restored from a dump.
var ErrSchema = errors.New("the database lacks a table or column")

// Outage reports whether an error is about the state of the database, which may pass, and not
// about a request: it matches [ErrUnavailable] or [ErrSchema].
func Outage(err error) bool { return errors.Is(err, ErrUnavailable) || errors.Is(err, ErrSchema) }

// ErrEmptyContent says that a post has neither title nor content nor excerpt. WordPress
// doesn't store such posts.
var ErrEmptyContent = errors.New("title, content and excerpt are all empty")

// ErrTooLong is returned when a text doesn't fit its column. WordPress rejects such rows;
// the server would truncate the text silently.
var ErrTooLong = errors.New("a text is too long for its column")

// UnstorableError reports that a column can't hold the characters of a text. WordPress
// rejects such rows; the server would store question marks.
type UnstorableError struct{ Field string }

func (e *UnstorableError) Error() string {
	return fmt.Sprintf("the column of the %s lacks some of its characters", e.Field)
}

// LossyError reports that a text was not written because its column has another character
// set. The column would hold question marks, or bytes that WordPress reads as a different
// text.
type LossyError struct{ Column, Charset, Connection string }

func (e *LossyError) Error() string {
	return fmt.Sprintf("the column %s of the character set %s can't hold a text without loss over a connection of %s", e.Column, e.Charset, e.Connection)
}

// TermExistsError reports that the taxonomy already has such a term.
type TermExistsError struct{ ID int64 }

func (e *TermExistsError) Error() string { return fmt.Sprintf("the term exists already, as %d", e.ID) }

// SlugTakenError reports that another term of the taxonomy has the slug.
type SlugTakenError struct{ Slug string }

func (e *SlugTakenError) Error() string { return fmt.Sprintf("another term has the slug %q", e.Slug) }
