package replay

import (
	"context"
	"fmt"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/wire"
)

// Client sends single recorded exchanges to a target and compares the answers,
// for runners that put a database back between them. It is used by one goroutine
// at a time.
type Client struct {
	files []string
	asker asker
	conn  *wire.Conn
}

// NewClient returns a client. Of the options Target, Recordings, Site, the
// namespaces and Timeout count.
func NewClient(o Options) (*Client, error) {
	c, err := newComparison(o)
	if err != nil {
		return nil, err
	}
	return &Client{files: c.files, asker: c.asker, conn: c.asker.connection()}, nil
}

// Close ends the connection.
func (c *Client) Close() { c.conn.Close() }

// Cases calls each with every write case of the recordings, in their order.
func (c *Client) Cases(each func(*recording.Case) error) error {
	return recording.Read(c.files, func(e recording.Entry) error {
		if e.Case == nil {
			return nil
		}
		return each(e.Case)
	})
}

// Ask sends one exchange and returns what differs from the recorded answer. An
// answer that does not come is a difference; the error is about a target that
// cannot be reached or an exchange that cannot be sent.
func (c *Client) Ask(ctx context.Context, x *recording.Exchange) ([]diff.Difference, error) {
	var result Result
	if err := c.asker.ask(ctx, c.conn, x, &result); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", x.ID, err)
	}
	return result.Differences, nil
}
