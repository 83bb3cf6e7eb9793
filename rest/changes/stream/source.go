package stream

import (
	"context"
	"errors"
	"time"
)

// Cursor is how far a client is in the changes of a list.
type Cursor struct {
	// ID is the text that a client resumes from.
	ID string
	// Run names what has counted; only numbers of the same run can be compared. Seq is the
	// number of the last change, At the time whose list the client has, in whole seconds. With
	// Partial the client is on its way there.
	Run     string
	Seq, At int64
	Partial bool
}

// covers reports whether a client at c has everything up to other.
func (c Cursor) covers(other Cursor) bool {
	return !c.Partial && c.Run == other.Run && c.Seq >= other.Seq && c.At >= other.At
}

// Page is a part of what has changed after a cursor.
type Page struct {
	Messages []Message
	// To is the cursor after them. More says that another page follows at once.
	To   Cursor
	More bool
}

// Kinds of messages.
const (
	Created = "created"
	Updated = "updated"
	Deleted = "deleted"
	reset   = "reset"
)

// Message describes what became of an event. Data is JSON in one line, ID the cursor after it; "" if
// the next message belongs to the same change.
type Message struct {
	Kind string
	Data []byte
	ID   string
}

// Move is the next time that something may have changed.
type Move interface {
	Done() <-chan struct{}
	// Reported is when the change was reported; only after Done.
	Reported() time.Time
}

// Source is a list whose changes are streamed. Its methods are safe for concurrent use.
type Source interface {
	// Now is the cursor of who has the list as it is now, or later.
	Now(ctx context.Context) (Cursor, error)
	// After reads what has changed after a cursor. An error that is [Gone] says that the cursor
	// can't be used, and one that matches [ErrEnd] that the list can't be read any more.
	After(ctx context.Context, from Cursor) (*Page, error)
	// Next is the next move after the call.
	Next() Move
}

// Gone is the reason why a cursor can't be used any more.
type Gone string

func (g Gone) Error() string { return "the position cannot be used: " + string(g) }

// ErrEnd says that a source has come to its end.
var ErrEnd = errors.New("the list cannot be read any more")
