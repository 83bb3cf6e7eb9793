package stream

import (
	"math/rand/v2"
	"strconv"
	"time"
)

// heartbeat is a comment, which clients ignore.
const heartbeat = ":\n\n"

// appendPage appends the messages of a page.
func appendPage(b []byte, p *Page) []byte {
	for _, m := range p.Messages {
		b = append(b, "event: "...)
		b = append(b, m.Kind...)
		b = append(b, "\ndata: "...)
		b = append(b, m.Data...)
		b = append(b, '\n')
		if m.ID != "" {
			b = appendField(b, "id", m.ID)
		}
		b = append(b, '\n')
	}
	return b
}

// appendReset appends the message that a cursor can't be used. The stream goes on from another.
func appendReset(b []byte, reason Gone, to Cursor) []byte {
	b = append(b, "event: "+reset+"\ndata: {\"reason\":\""...)
	b = append(b, reason...) // of a few known words
	b = append(b, "\"}\n"...)
	return append(appendField(b, "id", to.ID), '\n')
}

// appendID appends a block that has an id alone.
func appendID(b []byte, to Cursor) []byte { return append(appendField(b, "id", to.ID), '\n') }

// appendRetry appends the time after which a client connects again when the stream has ended.
func appendRetry(b []byte, after time.Duration) []byte {
	return appendField(b, "retry", strconv.FormatInt(after.Milliseconds(), 10))
}

func appendField(b []byte, name, value string) []byte {
	b = append(b, name...)
	b = append(b, ": "...)
	b = append(b, value...)
	return append(b, '\n')
}

// retryTime differs between clients, so that they don't all come back in one moment.
func retryTime() time.Duration { return time.Second + rand.N(3*time.Second) }
