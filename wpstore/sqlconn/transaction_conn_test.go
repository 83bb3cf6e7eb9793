package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn/mysqlconn"
	"calbridge/wpstore/wptest"
)

// storedOptions returns the stored ones, outside of any transaction.
func storedOptions(t *testing.T, db *Servers) string {
	t.Helper()
	return askText(t, db, sq.Select("GROUP_CONCAT(CONCAT(option_name, '=', option_value) ORDER BY option_name)").From("`wp_options`"))
}

func addOption(ctx context.Context, tx *Runner, name, value string) error {
	return tx.Change(ctx, "options.add", "options", sq.Insert("`wp_options`").Columns("option_name", "option_value").Values(name, value))
}

// TestTransactionResults: in a transaction, ids, counts and rows are what the driver
// gives, and texts of all bytes are stored as they are.
func TestTransactionResults(t *testing.T) {
	for _, driverOnly := range []bool{false, true} {
		db := mustOpen(t, Config{Database: wptest.Address(t, wptest.MariaDB(t)), DriverOnly: driverOnly})
		if err := createOptions(db); err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for c := range 0x80 {
			all.WriteByte(byte(c))
		}
		texts := []string{"", "it's", `a\'b`, `\`, all.String(), "žluťoučký 🎉 ?", strings.Repeat("x'", 100_000)}
		err := NewRunner(db, nil).Transact(t.Context(), func(tx *Runner) (Ended, error) {
			for i, text := range texts {
				id, err := tx.Insert(t.Context(), "options.add", "options", sq.Insert("`wp_options`").Columns("option_name", "option_value").Values(i, text))
				if err != nil || id != int64(i+1) {
					t.Errorf("id %d, %v", id, err)
				}
				if got, err := tx.Text(t.Context(), "test", sq.Select("option_value").From("`wp_options`").Where(sq.Eq{"option_id": id})); err != nil || got != text {
					t.Errorf("%.50q became %.50q, %v", text, got, err)
				}
			}
			if err := addOption(t.Context(), tx, "later", "x"); err != nil {
				t.Error(err)
			}
			result, err := tx.Exec(t.Context(), "options.set", "options", sq.Update("`wp_options`").Set("option_value", "y").Where("option_id > 2"))
			if err != nil {
				return nil, err
			}
			if n, _ := result.RowsAffected(); n != int64(len(texts)+1-2) {
				t.Errorf("%d rows", n)
			}
			null, none := sql.NullString{}, 0
			return nil, tx.Query(t.Context(), "test", sq.Expr("SELECT NULL, 7 UNION ALL SELECT 'x', 8"), EachRow(func() { none++ }, &null, new(int64)))
		})
		if err != nil {
			t.Error(err)
		}
		if got := askText(t, db, sq.Select("COUNT(*)").From("`wp_options`").Where("option_value = 'y'")); got != "6" {
			t.Errorf("%s rows were committed", got)
		}
	}
}

// TestStatementSentLaterFails: whatever was sent behind a statement that fails, or that
// loses against another transaction, is not committed, nor is it afterwards.
func TestStatementSentLaterFails(t *testing.T) {
	db := mustOpen(t, Config{Database: wptest.Address(t, wptest.MariaDB(t))})
	if err := createOptions(db); err != nil {
		t.Fatal(err)
	}
	if err := setOption(t.Context(), db, "a", "0"); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	refused := errors.New("refused")
	duplicate := func(err error) bool {
		var of *mysql.MySQLError
		return errors.As(err, &of) && of.Number == 1062
	}
	for name, c := range map[string]struct {
		do   func(*Runner) error
		want func(error) bool
	}{
		"the next statement reports it": {func(tx *Runner) error {
			err := errors.Join(addOption(ctx, tx, "a", "1"), addOption(ctx, tx, "b", "1"))
			if err != nil {
				t.Error(err)
			}
			_, err = tx.Text(ctx, "test", sq.Select("1"))
			if !duplicate(err) || !strings.Contains(err.Error(), "options.add") {
				t.Errorf("error %v", err)
			}
			return nil // goes on all the same
		}, duplicate},
		"COMMIT reports it": {func(tx *Runner) error {
			return errors.Join(addOption(ctx, tx, "b", "1"), addOption(ctx, tx, "a", "1"), addOption(ctx, tx, "c", "1"))
		}, duplicate},
		"nothing was sent yet": {func(tx *Runner) error { return errors.Join(addOption(ctx, tx, "b", "1"), refused) },
			func(err error) bool { return errors.Is(err, refused) }},
	} {
		err := NewRunner(db, nil).Transact(ctx, func(tx *Runner) (Ended, error) { return nil, c.do(tx) })
		if !c.want(err) {
			t.Errorf("%s: %v", name, err)
		}
		if got := storedOptions(t, db); got != "a=0" {
			t.Errorf("%s: stored %s", name, got)
		}
	}
	// Later statements of the same connections are committed at once.
	for range 4 {
		if err := NewRunner(db, nil).Change(ctx, "options.set", "options", sq.Expr("UPDATE `wp_options` SET option_value = option_value + 1")); err != nil {
			t.Error(err)
		}
	}
	if got := storedOptions(t, db); got != "a=4" {
		t.Errorf("stored %s", got)
	}
}

// TestDeadlockOfStatementsSentLater: the transaction runs again from the start, and
// nothing that the server ran after rolling it back remains.
func TestDeadlockOfStatementsSentLater(t *testing.T) {
	db := mustOpen(t, Config{Database: wptest.Address(t, wptest.MariaDB(t))})
	if err := createOptions(db); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if err := setOption(t.Context(), db, name, "0"); err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	raise := func(name string) sq.Sqlizer {
		return sq.Expr("UPDATE `wp_options` SET option_value = option_value + 1 WHERE option_name = ?", name)
	}
	other, err := db.SQL().BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Rollback()
	// The other transaction has more to undo, so that ours loses.
	for _, statement := range []string{"UPDATE `wp_options` SET option_value = option_value WHERE option_name = 'b'",
		"INSERT INTO `wp_options` (option_name, option_value) SELECT CONCAT('other', seq), '' FROM " + wptest.Sequence(1, 500)} {
		if _, err := other.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	attempts := 0
	ended := make(chan error, 1)
	err = NewRunner(db, nil).Transact(ctx, func(tx *Runner) (Ended, error) {
		attempts++
		if _, err := tx.Exec(ctx, "test.raise", "options", raise("a")); err != nil {
			return nil, err
		}
		if attempts == 1 {
			go func() {
				_, err := other.ExecContext(ctx, "UPDATE `wp_options` SET autoload = 'x' WHERE option_name = 'a'")
				ended <- errors.Join(err, other.Rollback())
			}()
		}
		return nil, errors.Join(tx.Change(ctx, "test.raise", "options", raise("b")), addOption(ctx, tx, "c", "1"), tx.Change(ctx, "test.raise", "options", raise("a")))
	})
	if err != nil || <-ended != nil {
		t.Fatal(err)
	}
	if got := storedOptions(t, db); got != "a=2,b=1,c=1" || attempts != 2 {
		t.Errorf("after %d attempts: %s", attempts, got)
	}
}

// TestBatchInTransaction: the statements of a batch have the results that they would have had
// alone, in their order, and report their own errors.
func TestBatchInTransaction(t *testing.T) {
	testEngines(t, nil, func(t *testing.T, db *Servers) {
		if err := createOptions(db); err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		const unset = -1
		count := func(names ...string) sq.Sqlizer {
			return sq.Select("COUNT(*)").From("`wp_options`").Where(sq.Eq{"option_name": append(names, "it's")})
		}
		insert := func(name string) sq.Sqlizer {
			return sq.Insert("`wp_options`").Columns("option_name", "option_value").Values(name, "1")
		}
		err := NewRunner(db, nil).Transact(ctx, func(tx *Runner) (Ended, error) {
			if err := addOption(ctx, tx, "a", "1"); err != nil {
				return nil, err
			}
			for _, c := range []struct {
				name  string
				queue func(b *Batch, n []int64)
				want  []int64
				err   error
			}{
				{"nothing", func(*Batch, []int64) {}, []int64{unset, unset, unset}, nil},
				{"queries, behind a statement sent later", func(b *Batch, n []int64) {
					b.Number("test", count("a"), &n[0])
					b.Number("test", count("b"), &n[1])
					b.Number("test", count("a", "b"), &n[2])
				}, []int64{1, 0, 1}, nil},
				{"a row between queries", func(b *Batch, n []int64) {
					b.Number("test", count("b"), &n[0])
					b.Insert("test", "options", insert("b"), &n[1])
					b.Number("test", count("b"), &n[2])
				}, []int64{0, 2, 1}, nil},
				{"one that the driver sends", func(b *Batch, n []int64) {
					b.Number("test", count("a"), &n[0])
					b.Number("test", sq.Select("COUNT(*)").From("`wp_options`").Where("option_id > ?", 0.5), &n[1])
					b.Number("test", count("b"), &n[2])
				}, []int64{1, 2, 1}, nil},
				{"one that is long", func(b *Batch, n []int64) {
					b.Number("test", count("a"), &n[0])
					b.Number("test", count("a", strings.Repeat("x", 40<<10)), &n[1])
					b.Number("test", count("b"), &n[2])
				}, []int64{1, 1, 1}, nil},
				{"equal ones", func(b *Batch, n []int64) {
					for i := range n {
						b.Number("test", count("a"), &n[i])
					}
				}, []int64{1, 1, 1}, nil},
				{"one that fails", func(b *Batch, n []int64) {
					b.Number("test", count("a"), &n[0])
					b.Number("test", sq.Select("missing").From("`wp_options`"), &n[1])
					b.Number("test", count("b"), &n[2])
				}, []int64{1, unset, unset}, wpstore.ErrSchema},
				{"after that", func(b *Batch, n []int64) { b.Number("test", count("b"), &n[0]) }, []int64{1, unset, unset}, nil},
				{"a result that is refused", func(b *Batch, n []int64) {
					b.Query("test", count("a"), func(*sql.Rows) error { return io.ErrNoProgress })
					b.Number("test", count("b"), &n[1])
				}, []int64{unset, unset, unset}, io.ErrNoProgress},
				{"after that again", func(b *Batch, n []int64) {
					s, err := Build("test", count("a", "b"))
					if err != nil {
						t.Error(err)
					}
					b.Rows("test", s, func(rows *mysqlconn.RowSet) (err error) {
						n[0], err = rows.Number(0, 0)
						return err
					})
				}, []int64{2, unset, unset}, nil},
			} {
				got := []int64{unset, unset, unset}
				b, before := NewBatch(tx), tx.Queries()
				c.queue(b, got)
				if err := b.Send(ctx); !errors.Is(err, c.err) || (err == nil) != (c.err == nil) || !slices.Equal(got, c.want) {
					t.Errorf("%s: %d, %v, want %d, %v", c.name, got, err, c.want, c.err)
				}
				if n := tx.Queries() - before; c.err == nil && n != len(b.steps) {
					t.Errorf("%s: %d statements were counted, want %d", c.name, n, len(b.steps))
				}
			}
			return nil, nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// TestTransactionOnReadOnlyServer: after the error of a server that has become read-only
// the connection isn't used any more, not even to roll back.
func TestTransactionOnReadOnlyServer(t *testing.T) {
	db, err := Open(t.Context(), Config{Database: wptest.Address(t, wptest.MariaDB(t))}, independent)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	readOnly := sq.Expr("SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1290, MESSAGE_TEXT = '--read-only'")
	err = NewRunner(db, nil).Transact(t.Context(), func(tx *Runner) (Ended, error) {
		_, err := tx.Exec(t.Context(), "test", "options", readOnly)
		return nil, err
	})
	if !errors.Is(err, wpstore.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
}

// TestSessionOfTransactions: what a transaction sets for itself does not hold behind it.
func TestSessionOfTransactions(t *testing.T) {
	db := mustOpen(t, Config{Database: wptest.Address(t, wptest.MariaDB(t)), MaxOpen: 1})
	if set, _ := db.Dialect().ByKeys(); set == "" {
		t.Skip("MySQL")
	}
	statistics := sq.Select("@@use_stat_tables")
	before := askText(t, db, statistics)
	for _, outcome := range []error{nil, context.Canceled} {
		var within string
		err := NewRunner(db, nil).Transact(t.Context(), func(tx *Runner) (_ Ended, err error) {
			if within, err = tx.Text(t.Context(), "test", statistics); err != nil {
				return nil, err
			}
			return nil, outcome
		})
		if !errors.Is(err, outcome) || within != "NEVER" {
			t.Errorf("%v, statistics %s", err, within)
		}
		if after := askText(t, db, statistics); after != before || after == within {
			t.Errorf("statistics %s after a transaction, %s before", after, before)
		}
	}
}
