package dbaddr

import (
	"fmt"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"u:secret@tcp(db:3307)/cal", "u@tcp(db:3307)/cal"},
		{"u:secret@tcp(db)/cal", "u@tcp(db:3306)/cal"},
		{"u:sec/re@t:@unix(/run/x.sock)/cal", "u@unix(/run/x.sock)/cal"},
		{"u:secret@tcp(db)/", "u@tcp(db:3306)/"}, // the name may be known from elsewhere
		{"sqlite::memory:", "sqlite::memory:"},
		{"sqlite:a b.db", "sqlite:a b.db"},
	} {
		t.Run(c.text, func(t *testing.T) {
			a, err := Parse(c.text)
			if err != nil || a.String() != c.want || a.IsZero() != (c.want == "") {
				t.Errorf("%v, %v, want %s", a, err, c.want)
			}
		})
	}
}

// TestParseErrors checks that errors name what is wrong, without the password.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"nonsense", "expected user:password@tcp(host:3306)/database"},
		{"mysql://u:secret@127.0.0.1/wp", "this is a URL; write user:password@tcp(host:3306)/database"},
		{"mariadb://u:secret@tcp(127.0.0.1:1)/wp", "this is a URL"},
		{"u:secret@tcp(127.0.0.1:1", "invalid DSN"},
		{"u:secret@tcp(127.0.0.1:1)/x?strict=true", "strict"},
		{"u:secret@udp(127.0.0.1:1)/x", "neither tcp nor unix"},
		{"u:secret/x", "neither tcp nor unix"},
		{"u:secret(db)/x", "neither tcp nor unix"},
		{"u:secret@tcp(127.0.0.1:1)/x?timeout=soon", "soon"},
		{"u:secret@tcp(db)/?serverPubKey=/x", "serverPubKey: open /x"},
		{"sqlite:", "the file is missing"},
	} {
		t.Run(c.text, func(t *testing.T) {
			a, err := Parse(c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") || !a.IsZero() {
				t.Errorf("%v, %v, want %s", a, err, c.want)
			}
		})
	}
}

// TestAddressHidesThePassword prints an address as a part of something else.
func TestAddressHidesThePassword(t *testing.T) {
	a, err := Parse("u:secret@tcp(db)/cal")
	if err != nil {
		t.Fatal(err)
	}
	type settings struct{ Database Address }
	if text := fmt.Sprintf("%v %+v", a, settings{a}); strings.Contains(text, "secret") || !strings.Contains(text, "db:3306") {
		t.Error(text)
	}
}

// FuzzParse checks that no text makes the parser panic, and that what it accepts is an address.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "u:p@tcp(db:1)/x?tls=skip-verify", "u@unix(/s)/x", "sqlite:x", "mysql://u@h/x", "u:p@tcp([::1]:1)/x?timeout=1s&collation=utf8mb4_bin"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "serverPubKey") {
			t.Skip("it names a file")
		}
		a, err := Parse(text)
		if (err == nil && text != "") == a.IsZero() {
			t.Errorf("%q: %v, %v", text, a, err)
		}
		if a.MySQL != nil && a.MySQL.Net != "tcp" && a.MySQL.Net != "unix" {
			t.Errorf("%q: %v", text, a)
		}
	})
}
