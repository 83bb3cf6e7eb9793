package changes

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/changes/stream"
	"calbridge/wpstore/journal"
)

func testSession() *session {
	return &session{handlers: &handlers{}, sealer: newSealer("journal", []byte("secret")), args: hash{1}, rights: hash{2}}
}

// TestResumed: which tokens a stream begins at, and where that is.
func TestResumed(t *testing.T) {
	s := testSession()
	from := journal.Position{Run: "0123456789abcdef", Seq: 7}
	other := testSession()
	other.args = hash{3}
	user := testSession()
	user.rights = hash{4}
	foreign := testSession()
	foreign.sealer = newSealer("another", []byte("secret"))
	for name, c := range map[string]struct {
		text   string
		cursor stream.Cursor
		reason string
	}{
		"synced":          {s.seal(token{stage: synced, from: from, since: 5}), stream.Cursor{Run: from.Run, Seq: 7, At: 5}, ""},
		"on its way":      {s.seal(token{stage: syncing, from: from, since: 5, at: 6, end: journal.Position{Run: "fedcba9876543210", Seq: 9}, cursor: 3}), stream.Cursor{Run: "fedcba9876543210", Seq: 9, At: 6, Partial: true}, ""},
		"without a list":  {s.seal(token{stage: listing, from: from, since: 5}), stream.Cursor{}, reasonMalformed},
		"other arguments": {other.seal(token{stage: synced, from: from}), stream.Cursor{}, reasonArguments},
		"other rights":    {user.seal(token{stage: synced, from: from}), stream.Cursor{}, reasonRights},
		"foreign":         {foreign.seal(token{stage: synced, from: from}), stream.Cursor{}, reasonForeign},
		"no token":        {"x", stream.Cursor{}, reasonMalformed},
	} {
		got, err := s.resumed(c.text)
		var reason stream.Gone
		if errors.As(err, &reason); string(reason) != c.reason {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.cursor.ID = c.text; c.reason == "" && got.streamed(c.text) != c.cursor {
			t.Errorf("%s: %+v", name, got.streamed(c.text))
		}
	}
}

// TestMessages: a page's messages come by ascending ids, each with the position after it; the
// last one's is the page's.
func TestMessages(t *testing.T) {
	s := testSession()
	at := token{stage: syncing, from: journal.Position{Run: "0123456789abcdef", Seq: 7}, since: 5, at: 6, end: journal.Position{Run: "0123456789abcdef", Seq: 9}}
	done := token{stage: synced, from: journal.Position{Run: at.from.Run, Seq: 9}, since: 6}
	at.filter, done.filter = hash{9}, hash{9}
	p := &page{items: []item{{4, []byte(`{"id":4}`)}, {8, []byte(`{"id":8}`)}}, deleted: []int64{2, 6}, next: done}
	got := s.messages(at, p, map[int64]bool{8: true})
	if got.To != done.streamed(got.To.ID) || got.More || len(got.Messages) != 4 || got.Messages[3].ID != got.To.ID {
		t.Fatalf("%+v", got)
	}
	for i, want := range []struct {
		kind, data string
		id         int64
	}{{stream.Deleted, `{"id":2,"deleted":true}`, 2}, {stream.Created, `{"id":4}`, 4}, {stream.Deleted, `{"id":6,"deleted":true}`, 6}, {stream.Updated, `{"id":8}`, 0}} {
		m := got.Messages[i]
		opened, reason := s.sealer.open(m.ID)
		if m.Kind != want.kind || string(m.Data) != want.data || reason != "" || opened.cursor != want.id || opened.filter != at.filter || (i == 3) != (opened.stage == synced) {
			t.Errorf("%s %s: %+v %s", m.Kind, m.Data, opened, reason)
		}
	}
	if got = s.messages(at, &page{next: done}, nil); len(got.Messages) != 0 || got.To != done.streamed(got.To.ID) {
		t.Errorf("%+v", got)
	}
}

// TestEnded: a list that is refused ends, one that fails is tried again.
func TestEnded(t *testing.T) {
	for _, c := range []struct {
		err error
		end bool
	}{
		{nil, false}, {context.DeadlineExceeded, false}, {fmt.Errorf("list: %w", journal.ErrNotReady), false},
		{fmt.Errorf("list: %w", api.Fail("rest_invalid_param")), true}, {api.Fail("calbridge_unavailable"), false},
	} {
		if got := ended(c.err); errors.Is(got, stream.ErrEnd) != c.end || (got == nil) != (c.err == nil) {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}
