package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
)

// maxPending is the maximum number of messages that wait for the id of their change. Further
// messages are stored without moving the position. They arrive again after a resume, which
// does no harm.
const maxPending = 200

// resetError is returned when the stream reports that a position can't be used.
type resetError struct{ reason string }

func (e *resetError) Error() string {
	return fmt.Sprintf("the stream can't be resumed (%.20q)", e.reason)
}

// noStreamError is returned when the server, or a proxy before it, provides no stream.
type noStreamError struct{ error }

// Unwrap returns the reason.
func (e noStreamError) Unwrap() error { return e.error }

// follow reads the stream from a position until it fails or ends. apply stores the items of a
// change; to is the position after it, or "" if that isn't known yet. connected is called when
// the stream has started.
func (r *remote) follow(ctx context.Context, from string, connected func(), apply func(items []item, to string) error) error {
	resp, err := r.get(ctx, "stream", nil, http.Header{
		"Accept": {"text/event-stream"}, "Accept-Encoding": {"identity"}, "Cache-Control": {"no-cache"}, "Last-Event-Id": {from}})
	var refused *refusal
	if errors.As(err, &refused) && refused.status != http.StatusGone {
		return noStreamError{err}
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != "text/event-stream" {
		return noStreamError{fmt.Errorf("the response is not a stream but of type %.80q", kind)}
	}
	connected()
	messages := newMessageReader(resp.Body, maxMessage)
	var pending []item
	for {
		m, err := messages.next()
		if err != nil {
			return fmt.Errorf("the stream ends: %w", err)
		}
		if m.hasData {
			it, ok, err := streamItem(m)
			if err != nil {
				return err
			}
			if ok {
				pending = append(pending, it)
			}
		}
		switch {
		case m.hasID && !isToken(m.id):
			return errors.New("the stream has an id that isn't valid: is another program than calbridge at --url?")
		case m.hasID || len(pending) >= maxPending:
			if err := apply(pending, m.id); err != nil {
				return err
			}
			pending = nil
		}
	}
}

// streamItem returns the item of a message. It returns false for messages of an unknown kind.
func streamItem(m message) (it item, ok bool, err error) {
	switch m.event {
	case "created", "updated", "deleted":
		it, err = parseItem(m.data)
		if err == nil && it.deleted != (m.event == "deleted") {
			err = errors.New("a message of the stream contradicts itself")
		}
		return it, err == nil, err
	case "reset":
		var data struct {
			Reason string `json:"reason"`
		}
		_ = json.Unmarshal(m.data, &data) // the reason is only logged
		return it, false, &resetError{data.Reason}
	}
	return it, false, nil
}
