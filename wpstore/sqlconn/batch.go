package sqlconn

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn/mysqlconn"
)

// Batch is a list of statements that [Batch.Send] sends together and whose results it reads in
// their order. Within a transaction, and where the reads of a request share a connection
// ([Runner.KeepConnection]), that takes one round trip. Elsewhere, and on the embedded engine, the
// statements run one after another. A Batch is sent once.
type Batch struct {
	run   *Runner
	steps []step
	err   error // of building a statement
}

// step is one statement of a batch.
type step struct {
	Statement
	// rows reports that the result is read as a whole, past the driver.
	rows bool
	do   func(ctx context.Context) error
}

// NewBatch returns an empty batch for a request or a transaction.
func NewBatch(r *Runner) *Batch { return &Batch{run: r} }

// Query queues [Runner.Query]. scan must not run statements.
func (b *Batch) Query(name string, query sq.Sqlizer, scan func(*sql.Rows) error) {
	b.add(name, query, false, func(ctx context.Context, s Statement) error { return b.run.Query(ctx, name, s, scan) })
}

// Rows queues [Runner.Rows]. use gets the result, and must not run statements.
func (b *Batch) Rows(name string, query Statement, use func(*mysqlconn.RowSet) error) {
	b.add(name, query, true, func(ctx context.Context, s Statement) error {
		set, err := b.run.Rows(ctx, name, s)
		if err != nil {
			return err
		}
		return use(set)
	})
}

// Number queues [Runner.Number], which sets n.
func (b *Batch) Number(name string, query sq.Sqlizer, n *int64) {
	b.Query(name, query, EachRow(func() {}, n))
}

// Insert queues [Runner.Insert], which sets id.
func (b *Batch) Insert(name, table string, insert sq.Sqlizer, id *int64) {
	b.add(name, insert, false, func(ctx context.Context, s Statement) (err error) {
		*id, err = b.run.Insert(ctx, name, table, s)
		return err
	})
}

func (b *Batch) add(name string, query sq.Sqlizer, rows bool, do func(context.Context, Statement) error) {
	s, err := Build(name, query)
	if err != nil && b.err == nil {
		b.err = err
	}
	b.steps = append(b.steps, step{s, rows, func(ctx context.Context) error { return do(ctx, s) }})
}

// Send sends the statements and reads their results. It returns the first error; the results
// after that one are not passed on.
func (b *Batch) Send(ctx context.Context) error {
	if b.err != nil {
		return b.err
	}
	r := b.run
	defer r.tx.End()
	defer r.conn.start(nil)
	for i, texts := range b.together() {
		if r.tx != nil {
			r.tx.Start(texts)
		} else {
			r.conn.start(texts)
		}
		if err := b.steps[i].do(ctx); err != nil {
			r.conn.close() // it may have results that nobody reads
			return err
		}
	}
	return nil
}

// together returns for each statement those that are sent with it if it is sent first, itself
// included.
func (b *Batch) together() [][]string {
	all, together := make([]string, len(b.steps)), make([][]string, len(b.steps))
	end := len(all)
	for i := len(all) - 1; i >= 0; i-- {
		var plain bool
		if all[i], plain = b.text(b.steps[i]); plain {
			together[i] = all[i:end]
		} else { // it is sent by itself
			end = i
		}
	}
	return together
}

// text returns a statement as it is sent together with others; false where it can't be.
func (b *Batch) text(s step) (string, bool) {
	if b.run.tx != nil {
		return mysqlconn.Interpolated(s.Text, s.Args)
	}
	return s.Text, s.rows && len(s.Args) == 0
}
