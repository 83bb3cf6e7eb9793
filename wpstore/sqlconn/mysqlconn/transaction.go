package mysqlconn

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/mysqlwire"
)

// Transaction is an open transaction of a connection, which belongs to the caller until
// [Transaction.Commit] or [Transaction.Rollback]. It runs all statements of the connection past
// the driver, and sends those whose results nobody needs together with the next one. It is for
// one goroutine at a time.
//
// A server that rolls a transaction back, as after a deadlock, goes on with the statements
// that were sent behind. Autocommit is off meanwhile, so that they begin another
// transaction, which is rolled back too. For the same reason COMMIT is sent only after all
// others have succeeded.
type Transaction struct {
	*Conn
	pending []string
	size    int // of pending, in bytes
	// batch are the statements that come next and are sent together, answers those to the ones
	// of them that were sent; see [Transaction.Start].
	batch   []string
	answers []answered
	// failed is the error of a pending statement: the transaction can't go on.
	failed error
	// begun: the server has answered a statement of the transaction.
	begun bool
	Options
}

// Options are those of a transaction.
type Options struct {
	// Isolation is READ COMMITTED or REPEATABLE READ.
	Isolation sql.IsolationLevel
	// GTID is where the GTID of the transaction is stored after COMMIT; nil for nowhere.
	GTID *string
	// Session are assignments of session variables that hold during the transaction, such as
	// "a = 1", and SessionAfter those that undo them; "" for none.
	Session, SessionAfter string
}

// ErrNotBegun is the error of a transaction whose connection turned out to be dead before
// the server had answered anything: it may run on another one.
var ErrNotBegun = errors.New("the connection was lost before the transaction began")

// Later queues a statement whose result nobody needs, to be sent with the next one, whose error
// may be its own. It returns false for one that is too long.
func (t *Transaction) Later(text string) bool {
	if t.size+len(text) > maxPipelined {
		return false
	}
	t.add(text)
	return true
}

// Start begins a batch: the next statements of the transaction are these, in this order. The
// first of them that runs is sent with those that follow, as far as all are short; the others
// get their answers. A nil Transaction sends each by itself.
func (t *Transaction) Start(batch []string) {
	if t != nil && len(t.answers) == 0 {
		t.batch = batch
	}
}

// End ends a batch, whose statements may not have run if one has failed.
func (t *Transaction) End() {
	if t != nil {
		t.batch, t.answers = nil, nil
	}
}

// laterError is the error of a statement that was sent with a later one.
type laterError struct {
	statement string
	err       error
}

func (e *laterError) Error() string { return e.statement + ": " + e.err.Error() }
func (e *laterError) Unwrap() error { return e.err }

// IsEarlier reports whether an error is that of another statement than the one that ran: of
// one that was sent with it.
func IsEarlier(err error) bool {
	var of *laterError
	return errors.As(err, &of)
}

// StartTransaction begins a transaction with its first statement. It returns nil where the driver
// alone sends statements.
func (c *Conn) StartTransaction(o Options) *Transaction {
	level := isolationLevel(o.Isolation)
	if c.text == nil || level == "" {
		return nil
	}
	t := &Transaction{Conn: c, Options: o}
	if c.level != level { // that of reads doesn't matter: none is in a transaction
		t.add("SET SESSION TRANSACTION ISOLATION LEVEL " + level)
		c.level = level
	}
	t.add(setAll("autocommit = 0", t.Session)) // the next statement begins a transaction
	c.running = t
	return t
}

// setAll returns a statement of assignments, of which "" are left out.
func setAll(assignments ...string) string {
	return "SET " + strings.Join(slices.DeleteFunc(assignments, func(a string) bool { return a == "" }), ", ")
}

// isolationLevel returns a level of database/sql as SQL has it, "" for others.
func isolationLevel(level sql.IsolationLevel) string {
	switch level {
	case sql.LevelReadCommitted:
		return "READ COMMITTED"
	case sql.LevelRepeatableRead:
		return "REPEATABLE READ"
	}
	return ""
}

// Commit sends what is pending, and COMMIT if all of that succeeds.
func (t *Transaction) Commit() error {
	err := t.limited(t.flush)
	if err == nil {
		return t.end("COMMIT")
	}
	t.GTID, t.level = nil, ""
	_ = t.end("ROLLBACK") // if it fails, the connection is dropped
	return err
}

// Rollback drops what is pending and ends the transaction.
func (t *Transaction) Rollback() error {
	t.pending, t.failed, t.GTID, t.level = nil, nil, nil, ""
	return t.end("ROLLBACK")
}

func (t *Transaction) end(statement string) error {
	t.Conn.running = nil
	if !t.begun {
		return nil // nothing was sent, or the connection is dead
	}
	err := t.limited(func() error {
		after := setAll("autocommit = 1", t.SessionAfter)
		statements := []string{statement, after}
		if t.GTID != nil {
			statements = []string{statement, "SELECT @@last_gtid", after}
		}
		answers, err := t.run(statements, len(statements))
		if err != nil {
			return err
		}
		if set := answers[1].rows.Set(); t.GTID != nil && answers[0].err == nil && set.Len() == 1 && set.Columns() == 1 {
			*t.GTID = set.At(0, 0)
		}
		return errors.Join(answers[0].err, answers[len(answers)-1].err)
	})
	if err != nil {
		t.broken = true
	}
	return err
}

// limited runs a query that has no context within the driver's time for an answer.
func (t *Transaction) limited(query func() error) error {
	ctx, cancel := context.WithTimeout(context.Background(), t.answerTimeout)
	defer cancel()
	return t.until(ctx, query)
}

func (t *Transaction) add(text string) {
	t.pending = append(t.pending, text)
	t.size += len(text)
}

// flush sends the pending statements.
func (t *Transaction) flush() error {
	if t.failed != nil || len(t.pending) == 0 {
		return t.failed
	}
	pending := t.pending
	t.pending, t.size = nil, 0
	_, t.failed = t.run(pending, 0)
	return t.failed
}

// answered is the answer to a statement.
type answered struct {
	text string
	rows Buffer
	ok   mysqlwire.OK
	err  error
}

// run sends statements together, reads all answers, and returns those to the last ones.
// The error is the first one of the others, or that of the connection.
func (t *Transaction) run(statements []string, wanted int) ([]answered, error) {
	if t.broken {
		return nil, t.lost(driver.ErrBadConn)
	}
	if err := t.text.sendAll(statements); err != nil {
		return nil, t.lost(err)
	}
	answers := make([]answered, wanted)
	var first error
	for i, statement := range statements {
		a := &answered{}
		at := i - (len(statements) - wanted)
		if at >= 0 {
			a = &answers[at]
			a.text = statement
		}
		err := t.text.readAnswer(&a.rows, &a.ok)
		if a.err = t.judge(err); t.broken {
			return nil, t.lost(cmp.Or(err, driver.ErrBadConn)) // or its context has ended meanwhile
		}
		t.begun = true
		if a.err != nil && at < 0 && first == nil {
			first = &laterError{commentOf(statement), a.err}
		}
	}
	return answers, first
}

// lost returns the error of a connection.
func (t *Transaction) lost(err error) error {
	err = t.judge(err)
	if t.begun || !errors.Is(err, driver.ErrBadConn) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrNotBegun, err)
}

// commentOf returns what a statement begins with.
func commentOf(statement string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(statement, "/* "), " */")
	return name[:min(len(name), 80)]
}

// answer runs a statement after the pending ones, with which it is sent, as are those that follow
// it in its batch. If it was sent already, it returns its answer.
func (t *Transaction) answer(ctx context.Context, text string) (*answered, error) {
	if len(t.answers) > 0 {
		a := &t.answers[0]
		if t.answers = t.answers[1:]; a.text != text {
			return nil, fmt.Errorf("%q ran before %q, which comes first in the batch", commentOf(text), commentOf(a.text))
		}
		return a, a.err
	}
	var answers []answered
	err := t.until(ctx, func() error {
		if t.failed != nil {
			return t.failed
		}
		if t.size+len(text) > maxPipelined {
			if err := t.flush(); err != nil {
				return err
			}
		}
		together := t.together(text)
		statements := append(t.pending, together...)
		t.pending, t.size = nil, 0
		answers, t.failed = t.run(statements, len(together))
		return t.failed
	})
	if err != nil {
		return nil, err
	}
	t.answers = answers[1:]
	return &answers[0], answers[0].err
}

// together returns a statement with those that follow it in its batch, as far as all are short.
func (t *Transaction) together(text string) []string {
	batch := t.batch
	if t.batch = nil; len(batch) == 0 || batch[0] != text {
		return []string{text}
	}
	size := t.size + len(text)
	for i, s := range batch[1:] {
		if size += len(s); size > maxPipelined {
			return batch[:1+i]
		}
	}
	return batch
}

// exec runs a statement.
func (t *Transaction) exec(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	text, ok := interpolated(query, args)
	if !ok || len(text) > mysqlwire.MaxQuery {
		if err := t.until(ctx, t.flush); err != nil {
			return nil, err
		}
		return t.driverConn.ExecContext(ctx, query, args)
	}
	a, err := t.answer(ctx, text)
	if err != nil {
		return nil, err
	}
	return execResult(a.ok), nil
}

// query runs a query.
func (t *Transaction) query(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	text, ok := interpolated(query, args)
	if !ok || len(text) > mysqlwire.MaxQuery {
		if err := t.until(ctx, t.flush); err != nil {
			return nil, err
		}
		return t.driverConn.QueryContext(ctx, query, args)
	}
	a, err := t.answer(ctx, text)
	if err != nil {
		return nil, err
	}
	return &bufferedRows{set: a.rows.Set()}, nil
}

// readOnlyError reports whether a server has become read-only. The driver drops its
// connections then.
func readOnlyError(err error) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused) && slices.Contains([]uint16{1290, 1792, 1836}, refused.Number)
}
