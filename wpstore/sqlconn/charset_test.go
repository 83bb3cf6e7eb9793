package sqlconn

import (
	"testing"

	"calbridge/wpstore/wptest"
)

func TestConnectionCharset(t *testing.T) {
	for _, c := range []struct{ charset, collation, want string }{
		{"", "", "utf8mb4 utf8mb4_unicode_520_ci"},
		{"utf8", "", "utf8mb4 utf8mb4_unicode_520_ci"},
		{"UTF8MB4", "utf8mb4_czech_ci", "utf8mb4 utf8mb4_czech_ci"},
		{"utf8", "utf8_czech_ci", "utf8mb4 utf8mb4_czech_ci"},
		{"", "utf8mb3_bin", "utf8mb4 utf8mb4_bin"},
		{"utf8mb4", "latin1_swedish_ci", "error"},
		{"latin1", "", "latin1 "},
		{"latin1", "latin1_general_ci", "latin1 latin1_general_ci"},
		{"latin1", "utf8mb4_czech_ci", "latin1 "},
		{"binary", "", "binary "},
		{"utf8mb3", "", "utf8mb3 "},
		{"cp1250", "", "cp1250 "},
		{"gbk", "", "error"},
		{"sjis", "", "error"},
		{"utf16", "", "error"},
		{"latin1; DROP", "", "error"},
		{"utf8 ", "", "error"},
	} {
		charset, collation, err := connectionCharset(c.charset, c.collation)
		got := charset + " " + collation
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%q, %q: %s, want %s", c.charset, c.collation, got, c.want)
		}
	}
}

func TestFit(t *testing.T) {
	const ascii, western, czech, emoji = "plain", "café – “ü” €", "Žluťoučký", "🎉"
	for _, c := range []struct {
		connection, column string
		known              bool
		// want are the outcomes of western, czech and emoji.
		want [3]Fit
	}{
		{"utf8mb4", "utf8mb4", false, [3]Fit{Fits, Fits, Fits}},
		{"utf8mb4", "utf8mb3", true, [3]Fit{Fits, Fits, Narrow}},
		{"utf8mb4", "utf8", true, [3]Fit{Fits, Fits, Narrow}},
		{"utf8mb3", "utf8mb4", true, [3]Fit{Fits, Fits, Narrow}},
		{"utf8mb3", "utf8", true, [3]Fit{Fits, Fits, Narrow}},
		{"utf8mb4", "latin1", false, [3]Fit{Lossy, Lossy, Lossy}},
		{"utf8mb4", "latin1", true, [3]Fit{Fits, Lossy, Lossy}},
		{"latin1", "latin1", true, [3]Fit{Fits, Fits, Fits}},
		{"latin1", "utf8mb4", true, [3]Fit{Fits, Fits, Fits}},
		{"latin1", "utf8mb3", true, [3]Fit{Fits, Fits, Narrow}},
		{"cp1250", "cp1250", true, [3]Fit{Fits, Fits, Fits}},
		{"cp1250", "utf8mb4", true, [3]Fit{Lossy, Lossy, Lossy}},
		{"latin1", "cp1250", true, [3]Fit{Lossy, Lossy, Lossy}},
		{"utf8mb4", "cp1251", true, [3]Fit{Lossy, Lossy, Lossy}},
		{"binary", "latin1", true, [3]Fit{Fits, Fits, Fits}},
		{"binary", "utf8mb3", true, [3]Fit{Fits, Fits, Narrow}},
		{"", "latin1", false, [3]Fit{Fits, Fits, Fits}}, // the embedded engine
	} {
		for i, text := range []string{western, czech, emoji} {
			if got := fit(c.connection, c.column, c.known, text); got != c.want[i] {
				t.Errorf("%+v: %q: %d", c, text, got)
			}
		}
		servers := Servers{dialect: mysqlDialect{}, cfg: Config{Charset: c.connection}}
		if servers.Fit(c.column, ascii) != Fits || servers.Fit("", emoji) != Fits {
			t.Errorf("%+v: ASCII, or no text column", c)
		}
	}
	if inLatin1("\u0081") || inLatin1("ж") || !inLatin1("ÿŸ") {
		t.Error("latin1")
	}
}

// TestTextsOfNoColumn: columns of another character set can't be compared with every text.
// A result that was read before into the same memory doesn't show through.
func TestTextsOfNoColumn(t *testing.T) {
	s := mustOpen(t, Config{DSN: wptest.MariaDB(t)})
	run := NewRunner(s, nil)
	for _, statement := range []string{"CREATE TABLE t (a VARCHAR(20) CHARACTER SET latin1)", "INSERT INTO t VALUES ('x'), ('y')"} {
		if _, err := s.SQL().Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		text string
		want int
	}{{"x", 1}, {"Ž", 0}, {"🎉", 0}} {
		three, err := run.Rows(t.Context(), "test.three", Statement{Text: "SELECT a, a, a FROM t"})
		if err != nil || three.Len() != 2 {
			t.Fatal(three, err)
		}
		rows, err := run.Rows(t.Context(), "test.equal", Statement{Text: "SELECT a FROM t WHERE a = ?", Args: []any{c.text}})
		if err != nil || rows.Len() != c.want || rows.Columns() > 1 {
			t.Errorf("%s: %+v %v", c.text, rows, err)
		}
	}
}
