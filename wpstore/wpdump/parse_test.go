package wpdump

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func statements(t testing.TB, dump string) []string {
	t.Helper()
	s := newSplitter(strings.NewReader(dump))
	var out []string
	for {
		statement, err := s.next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%q: %v", dump, err)
		}
		out = append(out, string(statement))
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		dump string
		want []string
	}{
		{"", nil},
		{"\n-- only a comment\n", nil},
		{"A;B ;\nC", []string{"A", "B", "C"}},
		{";;A;;", []string{"A"}},
		{"-- x; y\nA;--\nB", []string{"A", "B"}},
		{"# x; y\nA", []string{"A"}},
		{"/* x; y */ A;", []string{"A"}},
		{"/*!40101 SET x=1 */;\nA", []string{"/*!40101 SET x=1 */", "A"}},
		{"/*M!999999\\- enable the sandbox mode */ \n-- Server 10\n/*!40101 SET x=1 */;", []string{"/*M!999999\\- enable the sandbox mode */ \n\n/*!40101 SET x=1 */"}},
		{"I ('a;b','c\\';d','e'';f',\"g;h\",`i;j`);K", []string{"I ('a;b','c\\';d','e'';f',\"g;h\",`i;j`)", "K"}},
		{`I ('a\\');J`, []string{`I ('a\\')`, "J"}},
		{"I ('-- no comment', '# none', '/* none */');", []string{"I ('-- no comment', '# none', '/* none */')"}},
		{"SELECT 1-1, 2/2;", []string{"SELECT 1-1, 2/2"}},
		{"DELIMITER ;;\nCREATE TRIGGER t BEGIN a; b; END ;;\nDELIMITER ;\nA;", []string{"CREATE TRIGGER t BEGIN a; b; END", "A"}},
		{"DROP TABLE a;", []string{"DROP TABLE a"}},
		{"A -- x\n, B;", []string{"A \n, B"}},
	} {
		if diff := cmp.Diff(c.want, statements(t, c.dump)); diff != "" {
			t.Errorf("%q: %s", c.dump, diff)
		}
	}
}

func TestSplitReportsTruncation(t *testing.T) {
	for _, dump := range []string{"I ('abc", "I (`abc", "/* abc", "A;\nI ('a\\'"} {
		s := newSplitter(strings.NewReader(dump))
		var err error
		for err == nil {
			_, err = s.next()
		}
		if !errors.Is(err, errUnended) {
			t.Errorf("%q: %v", dump, err)
		}
	}
}

func TestInsert(t *testing.T) {
	in, err := parseInsert("INSERT IGNORE INTO `db`.`t``x` (`a`, b) VALUES (1,-2.5e-3),\n('it''s \\'\\\"\\\\ \\n\\r\\t\\0\\Z\\%', \"x\"), (NULL, TRUE),(0x4A4b,x'6C'),(_binary 'é', _utf8mb4'č') ")
	if err != nil {
		t.Fatal(err)
	}
	if in.verb != "INSERT OR IGNORE INTO" || in.table != "t`x" || !cmp.Equal(in.columns, []string{"a", "b"}) {
		t.Errorf("head: %+v", in)
	}
	var got [][]any
	if err := in.eachRow(func(row []any) error {
		got = append(got, append([]any{}, row...))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := [][]any{
		{"1", "-2.5e-3"},
		{"it's '\"\\ \n\r\t\x00\x1a%", "x"},
		{nil, "1"},
		{[]byte("JK"), []byte("l")},
		{[]byte("é"), "č"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestInsertRefuses(t *testing.T) {
	for _, text := range []string{
		"UPDATE t", "INSERT", "INSERT INTO", "INSERT INTO t", "INSERT INTO t SELECT 1", "INSERT INTO t (a VALUES (1)", "INSERT INTO `t VALUES (1)",
		"INSERT INTO t VALUES", "INSERT INTO t VALUES (", "INSERT INTO t VALUES (1", "INSERT INTO t VALUES (1) x", "INSERT INTO t VALUES (1),",
		"INSERT INTO t VALUES (NOW())", "INSERT INTO t VALUES ('a)", "INSERT INTO t VALUES ('a\\", "INSERT INTO t VALUES (0xzz)", "INSERT INTO t VALUES (x'abc",
	} {
		in, err := parseInsert(text)
		if err == nil {
			err = in.eachRow(func([]any) error { return nil })
		}
		if err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// FuzzSplit wants every dump to end, in statements or in an error.
func FuzzSplit(f *testing.F) {
	f.Add("-- x\n/*!40101 SET a='b' */;\nINSERT INTO t VALUES ('a\\'b;',`c`);\nDELIMITER //\nx//")
	f.Add("'\\")
	f.Fuzz(func(t *testing.T, dump string) {
		s := newSplitter(strings.NewReader(dump))
		for {
			statement, err := s.next()
			if err != nil {
				return
			}
			if len(statement) == 0 {
				t.Fatal("an empty statement")
			}
		}
	})
}

// FuzzInsert wants every statement to end, in rows or in an error.
func FuzzInsert(f *testing.F) {
	f.Add("INSERT INTO t (a) VALUES (1,'x\\n',0xAB,NULL),(x'00')")
	f.Add("REPLACE t VALUE (-1.e+5,_binary \"\")")
	f.Fuzz(func(t *testing.T, text string) {
		in, err := parseInsert(text)
		if err == nil {
			_ = in.eachRow(func([]any) error { return nil })
		}
	})
}
