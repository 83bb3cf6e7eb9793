package synthetic

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
)

// bulkBytes limits the size of an INSERT, well below the default packet size of servers.
const bulkBytes = 512 << 10

// bulk collects the rows of one table and inserts them in blocks, with the values in the
// statement. That is twice as fast as placeholders.
type bulk struct {
	tx   *sql.Tx
	head string
	text []byte
	err  error
}

func newBulk(table string, columns ...string) *bulk {
	return &bulk{head: fmt.Sprintf("INSERT INTO `%s` (%s) VALUES ", table, strings.Join(columns, ", "))}
}

// add adds a row of texts and integers. Errors are returned by flush.
func (b *bulk) add(ctx context.Context, values ...any) {
	if len(b.text) == 0 {
		b.text = append(b.text, b.head...)
	} else {
		b.text = append(b.text, ',')
	}
	separator := byte('(')
	for _, value := range values {
		b.text = append(b.text, separator)
		separator = ','
		switch v := value.(type) {
		case int:
			b.text = strconv.AppendInt(b.text, int64(v), 10)
		case string:
			b.appendText(v)
		default:
			b.err = fmt.Errorf("%s: a value of type %T", b.head, value)
		}
	}
	b.text = append(b.text, ')')
	if len(b.text) >= bulkBytes {
		b.err = b.flush(ctx)
	}
}

// appendText quotes a text for both engines, which disagree about backslashes.
func (b *bulk) appendText(text string) {
	if strings.IndexByte(text, '\\') >= 0 {
		b.err = fmt.Errorf("%s: a backslash in %q", b.head, text)
	}
	b.text = append(b.text, '\'')
	b.text = append(b.text, strings.ReplaceAll(text, "'", "''")...)
	b.text = append(b.text, '\'')
}

// flush inserts the remaining rows.
func (b *bulk) flush(ctx context.Context) error {
	if b.err != nil || len(b.text) == 0 {
		return b.err
	}
	_, err := b.tx.ExecContext(ctx, string(b.text))
	b.text = b.text[:0]
	if err != nil {
		return fmt.Errorf("%s: %w", b.head, err)
	}
	return nil
}
