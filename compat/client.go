package compat

import (
	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/wire"
	"context"
	"fmt"
)

// Client sends single recorded exchanges to a target and compares the answers,
// for runners that put a database back between them. It is used by one goroutine
// at a time.
type Client struct {
	comparison *comparison
	wire       *wire.Conn
}

// NewClient returns a client. Of the options Target, Recordings, Site, the
// namespaces and Timeout count.
func NewClient(o Options) (*Client, error) {
	c, err := newComparison(o)
	if err != nil {
		return nil, err
	}
	return &Client{comparison: c, wire: &wire.Conn{Endpoint: c.endpoint, Timeout: c.Timeout}}, nil
}

// Close ends the connection.
func (c *Client) Close() { c.wire.Close() }

// Cases calls each with every write case of the recordings, in their order.
func (c *Client) Cases(each func(*recording.Case) error) error {
	return recording.Read(c.comparison.files, func(e recording.Entry) error {
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
	t := task{exchange: x}
	if err := c.comparison.ask(ctx, c.wire, &t); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", x.ID, err)
	}
	return t.result.Differences, nil
}
