package binlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/wptest"
)

// server is a MariaDB with a binary log.
type server struct {
	*sql.DB
	t   *testing.T
	cfg *mysql.Config
}

func newServer(t *testing.T, options ...string) server {
	t.Helper()
	cfg, err := mysql.ParseDSN(wptest.Replicated(t, options...))
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("mysql", cfg.FormatDSN())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return server{db, t, cfg}
}

func (s server) run(statements ...string) {
	s.t.Helper()
	for _, statement := range statements {
		if _, err := s.Exec(statement); err != nil {
			s.t.Fatalf("%.200s: %v", statement, err)
		}
	}
}

// open follows the test's database, with these columns of each table.
func (s server) open(from Position, columns ...int) *Stream {
	s.t.Helper()
	stream, err := Open(s.t.Context(), Config{MySQL: s.cfg, From: from, Columns: func(t *Table) []int {
		if t.Schema != s.cfg.DBName {
			return nil
		}
		return columns
	}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { stream.Close() })
	return stream
}

// transaction reads up to the next commit, as text.
func transaction(t *testing.T, s *Stream) (text string, end *Commit) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var out []string
	for {
		e, err := s.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		switch e := e.(type) {
		case *Commit:
			return strings.Join(out, "; "), e
		case *Idle:
		case *File: // see TestFiles
			if e.Torn {
				t.Fatalf("%s: the server crashed", e.Name)
			}
		default:
			out = append(out, describe(e))
		}
	}
}

func describe(e Event) string {
	switch e := e.(type) {
	case *Rows:
		text := fmt.Sprintf("%s %s", [...]string{Insert: "insert", Update: "update", Delete: "delete"}[e.Action], e.Table.Name)
		for _, row := range e.Images {
			text += " ["
			for i, v := range row {
				if i > 0 {
					text += " "
				}
				text += describeValue(v)
			}
			text += "]"
		}
		return text
	case *Statement:
		return "statement " + e.SQL
	case *Unknown:
		if e.Table != nil {
			return "unknown " + e.Table.Name
		}
		return "unknown"
	}
	return fmt.Sprintf("%T", e)
}

func describeValue(v Value) string {
	switch v.Kind {
	case Integer:
		return fmt.Sprint(v.Int)
	case Bytes:
		if len(v.Bytes) > 20 {
			return fmt.Sprintf("%d bytes", len(v.Bytes))
		}
		return string(v.Bytes)
	case Null:
		return "NULL"
	case Absent:
		return "absent"
	}
	return "other"
}

// everyType has a column of each type that MariaDB writes. Of MySQL's there are all that
// MariaDB has.
const everyType = `CREATE TABLE t (id bigint unsigned NOT NULL PRIMARY KEY, a tinyint, b smallint, c mediumint, d int, e float, f double,
	g decimal(20,7), h bit(11), i date, j time(3), k datetime, l datetime(6), m timestamp NULL, n year, o enum('x','y'), p set('r','s'),
	q char(10), r varchar(300), s tinytext, u text, v mediumtext, w longtext, x json, y geometry, z varbinary(20), aa inet6, ab char(200), last bigint)`

const everyValue = `(%d, -1, -2, -3, -4, 1.5, 2.5, 1234567890123.1234567, b'10101010101', '2026-11-21', '12:00:00.123', '2026-11-21 12:00:00',
	'2026-11-21 12:00:00.123456', '2026-11-21 12:00:00', 2026, 'y', 'r,s', 'char', repeat('v', 300), 'tiny', 'text', 'medium', repeat('l', 70000),
	'{}', POINT(1,1), x'00ff', '::1', repeat('c', 200), 77)`

// everyTypeOf returns everyType as far as the server has the types.
func everyTypeOf(isMySQL bool, version string) string {
	text := everyType
	if isMySQL {
		text = strings.Replace(text, "inet6", "varbinary(16)", 1)
	}
	if strings.HasPrefix(version, "5.6.") {
		text = strings.Replace(text, "json", "text", 1)
	}
	return text
}

// logOptions returns ways in which servers write their log.
func logOptions(isMySQL bool, version string) [][]string {
	plain, metadata := [][]string{nil, {"--binlog-checksum=NONE"}}, []string{"--binlog-row-metadata=FULL"}
	switch {
	case !isMySQL:
		return append(plain, metadata, []string{"--log-bin-compress=ON", "--log-bin-compress-min-len=10"})
	case strings.HasPrefix(version, "5."):
		return plain
	}
	return append(plain, metadata, []string{"--binlog-transaction-compression=ON"})
}

func TestRowsOfAServer(t *testing.T) {
	isMySQL, version := wptest.ServerKind(t)
	for _, options := range logOptions(isMySQL, version) {
		t.Run(strings.Join(options, " "), func(t *testing.T) {
			s := newServer(t, options...)
			s.run(everyTypeOf(isMySQL, version), "CREATE TABLE m (id int PRIMARY KEY) ENGINE=MyISAM", "CREATE TABLE n (id int PRIMARY KEY)")
			ask := []int{0, 1, 2, 3, 4, 17, 18, 19, 20, 21, 22, 28}
			stream := s.open(nil, ask...)
			for _, test := range []struct {
				run  []string
				want string
			}{
				{[]string{"INSERT INTO t VALUES " + fmt.Sprintf(everyValue, 1) + ", " + fmt.Sprintf(everyValue, 2)},
					"insert t [1 -1 -2 -3 -4 char 300 bytes tiny text medium 70000 bytes 77]; insert t [2 -1 -2 -3 -4 char 300 bytes tiny text medium 70000 bytes 77]"},
				{[]string{"UPDATE t SET a = NULL, last = last + 1 WHERE id = 1"},
					"update t [1 -1 -2 -3 -4 char 300 bytes tiny text medium 70000 bytes 77] [1 NULL -2 -3 -4 char 300 bytes tiny text medium 70000 bytes 78]"},
				{[]string{"INSERT INTO t (id) VALUES (3)"}, "insert t [3 NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL]"},
				{[]string{"DELETE FROM t WHERE id = 3"}, "delete t [3 NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL NULL]"},
				{[]string{"DELETE FROM t WHERE id = 2", "TRUNCATE TABLE t"},
					"delete t [2 -1 -2 -3 -4 char 300 bytes tiny text medium 70000 bytes 77]"},
				{nil, "statement TRUNCATE TABLE t"},
			} {
				s.run(test.run...)
				if got, _ := transaction(t, stream); got != test.want {
					t.Errorf("%q:\n got %s\nwant %s", test.run, got, test.want)
				}
			}
		})
	}
}

func TestTransactionsOfAServer(t *testing.T) {
	s := newServer(t)
	s.run("CREATE TABLE t (id int PRIMARY KEY, v varchar(20))", "CREATE TABLE m (id int PRIMARY KEY) ENGINE=MyISAM")
	stream := s.open(nil, 0)
	conn, err := s.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	last, err := ParsePosition(stream.Flavor(), "")
	if err != nil {
		t.Fatal(err)
	}
	createU := "CREATE TABLE u AS SELECT id FROM t"
	if _, version := wptest.ServerKind(t); strings.HasPrefix(version, "5.") {
		createU = "CREATE TABLE u LIKE t" // the other would have no GTID of its own
	}
	for _, test := range []struct {
		run  []string
		want []string
	}{
		{[]string{"BEGIN", "INSERT INTO t VALUES (1,''),(2,'')", "SAVEPOINT s", "DELETE FROM t", "ROLLBACK TO s", "UPDATE t SET v = 'x' WHERE id = 2", "COMMIT"},
			[]string{"insert t [1] [2]; update t [2] [2]"}},
		{[]string{"INSERT INTO m VALUES (1)"}, []string{"insert m [1]"}},
		{[]string{"BEGIN", "INSERT INTO t VALUES (3,'')", "ROLLBACK"}, nil},
		{[]string{"FLUSH BINARY LOGS", "INSERT INTO t VALUES (3,'')"}, []string{"insert t [3]"}},
		{[]string{"ALTER TABLE t ADD c int FIRST"}, []string{"statement ALTER TABLE t ADD c int FIRST"}},
		{[]string{"INSERT INTO t VALUES (9, 4,'')"}, []string{"insert t [9]"}},
		{[]string{createU}, []string{"*"}},
		{[]string{"SET SESSION binlog_format = STATEMENT", "UPDATE t SET v = 'y'", "SET SESSION binlog_format = ROW"}, []string{"statement UPDATE t SET v = 'y'"}},
		{[]string{"SET SESSION binlog_row_image = MINIMAL", "UPDATE t SET v = 'z' WHERE id = 4", "SET SESSION binlog_row_image = FULL"},
			[]string{"update t [absent] [absent]"}},
		{[]string{"XA START 'a'", "INSERT INTO t VALUES (0, 5, '')", "XA END 'a'", "XA PREPARE 'a'", "XA COMMIT 'a'"},
			[]string{"insert t [0]", "statement XA COMMIT X'61',X'',1"}},
		{[]string{"DROP TABLE u"}, []string{"*"}},
	} {
		for _, statement := range test.run {
			if _, err := conn.ExecContext(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		for _, want := range test.want {
			got, end := transaction(t, stream)
			if got != want && want != "*" {
				t.Errorf("%q:\n got %s\nwant %s", test.run, got, want)
			}
			if last.Contains(end.GTID) {
				t.Errorf("%s comes after %s", end.GTID, last)
			}
			last = last.Merge(end.GTID)
		}
	}
	if start, _ := stream.Start(); stream.Flavor() == MySQL { // which has all transactions since the first
		last = start.Merge(last)
	}
	if at := s.text(map[Flavor]string{MariaDB: "SELECT @@gtid_binlog_pos", MySQL: "SELECT @@gtid_executed"}[stream.Flavor()], 0); at != last.String() {
		t.Errorf("at %s, the server at %s", last, at)
	}
	if place, want := s.logAt(0)+" "+s.logAt(1), fmt.Sprint(stream.decoder.place.File, " ", stream.decoder.place.Position); place != want {
		t.Errorf("at %s, the server at %s", want, place)
	}
}

// logAt returns the file (0) that is written, or the position (1) in it.
func (s server) logAt(column int) string {
	s.t.Helper()
	if _, err := s.Exec("SHOW BINARY LOG STATUS"); err == nil { // MySQL since 8.2
		return s.text("SHOW BINARY LOG STATUS", column)
	}
	return s.text("SHOW MASTER STATUS", column)
}

// text returns a value of the first row of a query.
func (s server) text(query string, column int) string {
	s.t.Helper()
	rows, err := s.Query(query)
	if err != nil {
		s.t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil || !rows.Next() {
		s.t.Fatalf("%s: no row, %v, %v", query, err, rows.Err())
	}
	values := make([]sql.NullString, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	if err := rows.Scan(into...); err != nil {
		s.t.Fatalf("%s: %v", query, err)
	}
	return values[column].String
}

func TestResumesWhereItWas(t *testing.T) {
	s := newServer(t)
	s.run("CREATE TABLE t (id int PRIMARY KEY)")
	first := s.open(nil, 0)
	at, _ := first.Start()
	s.run("INSERT INTO t VALUES (1)")
	if got, end := transaction(t, first); got != "insert t [1]" {
		t.Error(got)
	} else {
		at = at.Merge(end.GTID)
	}
	first.Close()
	s.run("INSERT INTO t VALUES (2)", "FLUSH BINARY LOGS", "INSERT INTO t VALUES (3)")
	second := s.open(at, 0)
	for _, want := range []string{"insert t [2]", "insert t [3]"} {
		if got, _ := transaction(t, second); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	second.Close()
	s.run("FLUSH BINARY LOGS")
	newest := s.logAt(0)
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		s.run("PURGE BINARY LOGS TO '" + newest + "'") // has no effect while a connection reads
		file := s.text("SHOW BINARY LOGS", 0)
		if time.Now().After(deadline) {
			t.Fatalf("still there: %s", file)
		}
		if file == newest {
			break
		}
	}
	_, err := Open(t.Context(), Config{MySQL: s.cfg, From: at})
	var refused *mysql.MySQLError
	if !errors.As(err, &refused) || refused.Number != 1236 {
		t.Errorf("a position that is gone: %v", err)
	}
}

func TestLongEvents(t *testing.T) {
	s := newServer(t)
	s.run("CREATE TABLE t (id int PRIMARY KEY, v longtext)")
	stream, err := Open(t.Context(), Config{MySQL: s.cfg, MaxEvent: 20 << 20, Columns: func(*Table) []int { return []int{0, 1} }})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	s.run("SET GLOBAL max_allowed_packet = 64*1024*1024")
	s.run("INSERT INTO t VALUES (1, repeat('x', 17*1024*1024))", "INSERT INTO t VALUES (2, repeat('x', 40*1024*1024))", "INSERT INTO t VALUES (3, '')")
	for _, want := range []string{"insert t [1 17825792 bytes]", "unknown t", "insert t [3 ]"} {
		if got, _ := transaction(t, stream); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if n := reflect.ValueOf(stream.conn.Reader).Elem().FieldByName("long").Cap(); n > 1<<20 {
		t.Errorf("keeps %d bytes", n)
	}
}

func TestHeartbeats(t *testing.T) {
	s := newServer(t)
	for end := time.Now().Add(2 * time.Minute); ; { // the machine may be silent as well, but not each time
		stream := s.open(nil)
		ctx, cancel := context.WithTimeout(t.Context(), silence+time.Second)
		var err error
		for err == nil { // it begins with a file
			_, err = stream.Next(ctx)
		}
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("an idle server: %v", err)
		}
	}
}
