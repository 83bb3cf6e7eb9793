package systemtest

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/rules"
)

// writeClient sends a site's recorded writes one by one and compares the responses, so that
// the database can be restored in between.
type writeClient struct {
	file   string
	site   *recording.Site
	home   *url.URL
	conn   replay.Conn
	differ replay.Differ
	// before prepares the database for a case, unless it is nil.
	before func(*recording.Case) error
}

func newWriteClient(t *testing.T, shared, site, target string) *writeClient {
	t.Helper()
	c := &writeClient{file: filepath.Join(shared, "recordings", site, "writes.jsonl.gz")}
	var err error
	if c.site, err = recording.LoadSite(filepath.Join(shared, "sites", site+".json")); err != nil {
		t.Fatal(err)
	}
	if c.home, err = c.site.HomeURL(); err != nil {
		t.Fatal(err)
	}
	if c.conn.Endpoint, err = replay.ParseTarget(target); err != nil {
		t.Fatal(err)
	}
	c.conn.Timeout = 30 * time.Second
	t.Cleanup(c.conn.Close)
	c.differ.Level = diff.LevelBytes
	if c.differ.Rules, err = rules.Compile(nil, time.Now()); err != nil {
		t.Fatal(err)
	}
	return c
}

// cases calls each for every write case in the order of the recording.
func (c *writeClient) cases(each func(*recording.Case) error) error {
	return recording.Read([]string{c.file}, func(e recording.Entry) error {
		if e.Case == nil {
			return nil
		}
		return each(e.Case)
	})
}

// ask sends one exchange and returns what differs from the recorded answer. An
// answer that does not come is a difference; the error is about a target that
// cannot be reached or an exchange that cannot be sent.
func (c *writeClient) ask(ctx context.Context, x *recording.Exchange) ([]diff.Difference, error) {
	authorization := ""
	if x.As != "" && x.As != recording.Anonymous {
		var err error
		if authorization, err = c.site.Authorization(x.As); err != nil {
			return nil, err
		}
	}
	request, err := replay.RequestBytes(x.Request, cmp.Or(x.Request.Host, c.home.Host), c.home.Scheme, authorization)
	if err != nil {
		return nil, err
	}
	answer, _, err := c.conn.Send(ctx, request, x.Request.Method)
	var unreachable *replay.UnreachableError
	switch {
	case errors.As(err, &unreachable):
		return nil, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return replay.NoAnswer(x.Response, err), nil
	}
	return c.differ.Diff(x, x.Response, answer, false)
}
