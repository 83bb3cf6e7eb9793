package replay

import (
	"context"
	"sync"

	"calbridge/compat/explain"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// target holds what explanations need to know of the server under test.
type target struct {
	namespace wprest.Namespace
	// listed returns what the recordings show of entries.
	listed func() *explain.Listed
	given  explain.Level // by the user; Unknown finds it out

	mu    sync.Mutex
	found explain.Level
}

// detect finds the level out before the comparison: it asks for the document.
func (t *target) detect(ctx context.Context, ask func(context.Context, recording.Request) (recording.Response, error)) {
	if t.given != explain.Unknown {
		return
	}
	document, err := ask(ctx, recording.Request{Method: "GET", Path: "/?rest_route=" + string(t.namespace) + "/doc", Headers: map[string]string{}})
	if err == nil {
		t.found = explain.LevelOfDocument(document)
	}
}

// levelOf returns the level of the target: the given one, or that which its answers show.
func (t *target) levelOf(got recording.Response) explain.Level {
	if t.given != explain.Unknown {
		return t.given
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.found == explain.Unknown {
		t.found = explain.LevelOf(got)
	}
	return t.found
}

// level returns the level as far as it is known.
func (t *target) level() explain.Level {
	if t.given != explain.Unknown {
		return t.given
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.found
}

// listedIn returns a function that reads what recordings show of entries, when it is first
// needed. A file that cannot be read ends the comparison itself.
func listedIn(files []string, namespace wprest.Namespace) func() *explain.Listed {
	return sync.OnceValue(func() *explain.Listed {
		listed := explain.NewListed()
		_ = recording.Read(files, func(e recording.Entry) error {
			if e.Exchange != nil {
				listed.Read(e.Exchange, namespace)
			}
			return nil
		})
		return listed
	})
}
