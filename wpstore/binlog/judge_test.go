package binlog

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// judged is a value as the second decoder reads it.
type judged struct {
	Number, Text, Bytes *string
	Other               bool
}

// judgedRow is an image of a row.
type judgedRow struct {
	Action string
	Values []*judged // nil for NULL
}

// TestSecondDecoder reads the same log with @vlasky/zongji, and compares every value of
// every row of a table with all types. It needs node and that package in NODE_PATH. Without
// them it is skipped, or fails with CALBRIDGE_REQUIRE_ZONGJI=1:
//
//	npm install --prefix /tmp/npm @vlasky/zongji
//	NODE_PATH=/tmp/npm/node_modules go test -run TestSecondDecoder -v ./wpstore/binlog
func TestSecondDecoder(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the race detector finds nothing in a single goroutine")
	}
	if out, err := exec.Command("node", "-e", "require.resolve('@vlasky/zongji')").CombinedOutput(); err != nil {
		if os.Getenv("CALBRIDGE_REQUIRE_ZONGJI") == "1" {
			t.Fatalf("%v: %s", err, out)
		}
		t.Skip("@vlasky/zongji is not installed where NODE_PATH leads")
	}
	isMySQL, version := wptest.ServerKind(t)
	for _, options := range logOptions(isMySQL, version) {
		if len(options) > 0 && strings.Contains(options[0], "compress") {
			continue // zongji can't read these
		}
		t.Run(strings.Join(options, " "), func(t *testing.T) {
			s := newServer(t, options...)
			create := everyTypeOf(isMySQL, version)
			s.run(create, "CREATE TABLE done (id int PRIMARY KEY)")
			columns := strings.Split(s.text("SELECT GROUP_CONCAT(column_name ORDER BY ordinal_position) FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 't'", 0), ",")
			all := make([]int, len(columns))
			for i := range all {
				all[i] = i
			}
			file := s.logAt(0)
			stream := s.open(nil, all...)
			s.fill(rand.New(rand.NewPCG(1, 2)), columns)
			s.run("INSERT INTO done VALUES (1)")
			var ours []judgedImage
			for done := false; !done; {
				ours, done = s.images(ours, stream)
			}
			cmd := exec.CommandContext(t.Context(), "node", "testdata/zongji/rows.js", s.cfg.Addr, s.cfg.DBName, file)
			said, err := os.Create(filepath.Join(t.TempDir(), "rows.jsonl")) // node would leave a pipe before it is written
			if err != nil {
				t.Fatal(err)
			}
			defer said.Close()
			var failed bytes.Buffer
			cmd.Stdout, cmd.Stderr = said, &failed
			timer := time.AfterFunc(5*time.Minute, func() { _ = cmd.Process.Kill() })
			defer timer.Stop()
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s", err, failed.String())
			}
			text, err := os.ReadFile(said.Name())
			if err != nil {
				t.Fatal(err)
			}
			compareImages(t, columns, ours, string(text))
		})
	}
}

// judgedImage is an image of a row as we read it.
type judgedImage struct {
	action string
	image  []Value
}

// images adds those of the next transaction.
func (s server) images(all []judgedImage, stream *Stream) (_ []judgedImage, done bool) {
	s.t.Helper()
	for {
		e, err := stream.Next(s.t.Context())
		if err != nil {
			s.t.Fatal(err)
		}
		switch e := e.(type) {
		case *Commit:
			return all, done
		case *Rows:
			if e.Table.Name == "done" {
				done = true
				continue
			}
			action := [...]string{Insert: "write", Update: "update", Delete: "delete"}[e.Action]
			for _, image := range e.Images {
				own := make([]Value, len(image))
				for i, v := range image {
					own[i] = Value{Kind: v.Kind, Int: v.Int, Bytes: bytes.Clone(v.Bytes)}
				}
				all = append(all, judgedImage{action, own})
			}
		}
	}
}

// fill changes rows of the table with all types.
func (s server) fill(r *rand.Rand, columns []string) {
	s.t.Helper()
	texts := []string{"''", "'Žluťoučký kůň 🎉'", "'x'", "REPEAT('ž', 20)", "'0'", "' '"}
	one := func(column string) string {
		if r.IntN(5) == 0 {
			return "NULL"
		}
		number := func(bits int) string {
			edges := []int64{0, 1, -1, 1<<(bits-1) - 1, -1 << (bits - 1)}
			if n := r.IntN(2 * len(edges)); n < len(edges) {
				return strconv.FormatInt(edges[n], 10)
			}
			return strconv.FormatInt(r.Int64()>>(64-bits), 10)
		}
		switch column {
		case "a":
			return number(8)
		case "b":
			return number(16)
		case "c":
			return number(24)
		case "d":
			return number(32)
		case "last":
			return number(64)
		case "e", "f", "g":
			return fmt.Sprintf("%d.%d", r.IntN(1_000_000)-500_000, r.IntN(100))
		case "h":
			return fmt.Sprintf("b'%b'", r.IntN(1<<11))
		case "i":
			return fmt.Sprintf("'20%02d-%02d-%02d'", r.IntN(60), 1+r.IntN(12), 1+r.IntN(28))
		case "j":
			return fmt.Sprintf("'%d:%02d:%02d.%d'", r.IntN(800)-400, r.IntN(60), r.IntN(60), r.IntN(1000))
		case "k", "l", "m":
			return fmt.Sprintf("'20%02d-%02d-%02d 12:%02d:%02d.%06d'", 10+r.IntN(20), 1+r.IntN(12), 1+r.IntN(28), r.IntN(60), r.IntN(60), r.IntN(1_000_000))
		case "n":
			return strconv.Itoa(1901 + r.IntN(255))
		case "o":
			return []string{"'x'", "'y'"}[r.IntN(2)]
		case "p":
			return []string{"''", "'r'", "'s'", "'r,s'"}[r.IntN(4)]
		case "u", "v", "w":
			return []string{"REPEAT('ab', 300)", "REPEAT('c', 40000)", texts[r.IntN(len(texts))]}[r.IntN(3)]
		case "r":
			return []string{"REPEAT('v', 255)", "REPEAT('v', 256)", "REPEAT('v', 300)", texts[r.IntN(len(texts))]}[r.IntN(4)]
		case "q":
			return []string{"'char'", "'ž'", "''"}[r.IntN(3)]
		case "x":
			return []string{"'{}'", `'[1, "ž", null]'`, `'{"a": {"b": 1.5}}'`}[r.IntN(3)]
		case "y":
			return fmt.Sprintf("POINT(%d, %d)", r.IntN(9), r.IntN(9))
		case "z":
			return fmt.Sprintf("UNHEX('%02X00FF')", r.IntN(256))
		case "aa":
			return "'::1'"
		}
		return texts[r.IntN(len(texts))]
	}
	const rows = 120
	for id := 1; id <= rows; id++ {
		values := []string{strconv.Itoa(id)}
		if id == rows {
			values[0] = strconv.FormatInt(1<<62, 10)
		}
		for _, column := range columns[1:] {
			values = append(values, one(column))
		}
		s.run("INSERT INTO t VALUES (" + strings.Join(values, ", ") + ")")
	}
	for range rows {
		column := columns[1+r.IntN(len(columns)-1)]
		s.run(fmt.Sprintf("UPDATE t SET `%s` = %s WHERE id BETWEEN %d AND %d", column, one(column), r.IntN(rows), r.IntN(rows)))
	}
	s.run("DELETE FROM t WHERE id % 3 = 0", "UPDATE t SET id = id + 1000 WHERE id < 20", "DELETE FROM t")
}

// compareImages compares with the lines of the second decoder. For types that are not
// decoded it compares only whether there is a value. The columns after them agree only if
// their lengths are right.
func compareImages(t *testing.T, columns []string, ours []judgedImage, said string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if len(lines) != len(ours) || len(ours) < 500 {
		t.Fatalf("%d images of rows, the second decoder has %d: %.300s", len(ours), len(lines), said)
	}
	cells, passed := 0, 0
	for n, line := range lines {
		var theirs judgedRow
		if err := json.Unmarshal([]byte(line), &theirs); err != nil {
			t.Fatalf("%v: %.200s", err, line)
		}
		if theirs.Action != ours[n].action || len(theirs.Values) != len(columns) {
			t.Fatalf("row %d: %s of %d columns, %s of %d", n, ours[n].action, len(columns), theirs.Action, len(theirs.Values))
		}
		for i, v := range ours[n].image {
			cells++
			if v.Kind == Other {
				passed++
			}
			if !agrees(v, theirs.Values[i]) {
				t.Errorf("row %d, column %s: %s, the second decoder has %.300s", n, columns[i], describeValue(v), mustJSON(theirs.Values[i]))
			}
		}
	}
	t.Logf("%d values of %d images of rows agree; %d of them are of types that are passed over", cells, len(ours), passed)
}

func agrees(v Value, theirs *judged) bool {
	switch {
	case v.Kind == Null || theirs == nil:
		return v.Kind == Null && theirs == nil
	case v.Kind == Other:
		return true
	case v.Kind == Integer:
		text := theirs.Number
		if text == nil {
			text = theirs.Text
		}
		return text != nil && *text == strconv.FormatInt(v.Int, 10)
	case theirs.Text != nil:
		address, err := netip.ParseAddr(*theirs.Text) // inet6, which the log has as bytes
		if raw := address.As16(); err == nil && len(v.Bytes) == len(raw) {
			return string(raw[:]) == string(v.Bytes)
		}
		return *theirs.Text == string(v.Bytes)
	case theirs.Bytes != nil:
		raw, err := hex.DecodeString(*theirs.Bytes)
		// After an inet6 zongji takes a CHAR for a BINARY with MariaDB's full metadata.
		return err == nil && bytes.Equal(bytes.TrimRight(raw, "\x00"), bytes.TrimRight(v.Bytes, "\x00"))
	}
	return false
}

func mustJSON(v *judged) []byte {
	text, _ := json.Marshal(v)
	return text
}
