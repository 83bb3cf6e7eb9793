package charset

import "testing"

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
		{"utf8mb4", "utf8mb4_uca1400_ai_ci", "utf8mb4 utf8mb4_uca1400_ai_ci"},
		{"utf8mb4", "utf8mb4_bin, x = 1", "error"},
	} {
		charset, collation, err := OfConnection(c.charset, c.collation)
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
			if got := (Connection{c.connection, c.known}).Fit(c.column, text); got != c.want[i] {
				t.Errorf("%+v: %q: %d", c, text, got)
			}
		}
		connection := Connection{Name: c.connection}
		if connection.Fit(c.column, ascii) != Fits || connection.Fit("", emoji) != Fits {
			t.Errorf("%+v: ASCII, or no text column", c)
		}
	}
	if inLatin1("\u0081") || inLatin1("ж") || !inLatin1("ÿŸ") {
		t.Error("latin1")
	}
}
