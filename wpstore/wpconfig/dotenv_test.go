package wpconfig

import (
	"strings"
	"testing"
)

// processVariables returns a variable of the process, and reports whether it is set, in tests of .env files.
func processVariables(name string) (string, bool) {
	v, ok := map[string]string{"OUTSIDE": "process", "EMPTY": ""}[name]
	return v, ok
}

func TestDotenv(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"plain", "X=abc", "abc"},
		{"blanks around", "  X = abc  ", "abc"},
		{"carriage returns", "A=b\r\nX=abc\r\n", "abc"},
		{"double quotes", `X="a b"`, "a b"},
		{"single quotes", `X='a b'`, "a b"},
		{"escapes", `X="a\"b\\c\$d\ne"`, "a\"b\\c$d\ne"},
		{"no escapes in single quotes", `X='a\nb"$c'`, `a\nb"$c`},
		{"quotes inside", `X=a"b'c\d`, `a"b'c\d`},
		{"signs of passwords", `X=p@:/w?&=%40!`, "p@:/w?&=%40!"},
		{"dollar without braces", `X=a$OUTSIDE`, "a$OUTSIDE"},
		{"comment", "X=abc # comment", "abc"},
		{"comment without a blank", "X=abc#comment", "abc"},
		{"hash in quotes", `X="a#b" # comment`, "a#b"},
		{"comment alone", "X=# comment", ""},
		{"lines of comments", "# X=1\n  # X=2\nX=3\n#X=4", "3"},
		{"empty", "X=", ""},
		{"empty quotes", `X=''`, ""},
		{"export", "export LONG=abc\nX=${LONG}", "abc"},
		{"name in quotes", `"X"=abc`, "abc"},
		{"last one counts", "X=a\nX=b", "b"},
		{"several lines", "X=\"a\nb # no comment\n c\"\nY=1", "a\nb # no comment\n c"},
		{"reference", "A=b\nX=${A}c", "bc"},
		{"reference in double quotes", "A=b\nX=\"${A} ${A}/\"", "b b/"},
		{"no reference in single quotes", "A=b\nX='${A}'", "${A}"},
		{"escaped reference", "A=b\nX=\"\\${A}\"", "${A}"},
		{"unset reference", "X=${NONE}c", "${NONE}c"},
		{"later reference", "X=${A}\nA=b", "${A}"},
		{"reference to the process", "X=${OUTSIDE}", "process"},
		{"value with a reference in it", "A='${B}'\nB=c\nX=${A}", "${B}"},
		{"nested reference", "A=B\nB=c\nX=${${A}}", "c"},
		{"dots in names", "A.b=c\nX=${A.b}", "c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDotenv(processVariables)
			if err := d.add(c.src); err != nil {
				t.Fatal(err)
			}
			if got, ok := d.lookup("X"); !ok || got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestDotenvPrecedence checks that the process's variables win, and later files over earlier
// ones.
func TestDotenvPrecedence(t *testing.T) {
	d := newDotenv(processVariables)
	for _, text := range []string{"OUTSIDE=file\nEMPTY=file\nA=1\nB=1\nWITHOUT", "B=2"} {
		if err := d.add(text); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"OUTSIDE": "process", "EMPTY": "", "A": "1", "B": "2"} {
		if got, ok := d.lookup(name); !ok || got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if _, ok := d.lookup("WITHOUT"); ok {
		t.Error("a name without an equals sign is set")
	}
}

// TestDotenvErrors checks that errors name the line, and no value.
func TestDotenvErrors(t *testing.T) {
	for src, want := range map[string]string{
		"A=1\nX=se cret":        "line 2: the value of X has a blank",
		`X="secret" secret`:     "line 1: the value of X has a blank",
		"\n\nX='secret":         "line 3: the value of X lacks its closing quote",
		`X="secret\q"`:          "line 1: the value of X has a backslash",
		"se-cret=1":             "line 1: the name of a variable is expected",
		"=secret":               "line 1: the name of a variable is expected",
		"A=\"1\n2\"\nX='secret": "line 3: the value of X lacks",
	} {
		t.Run(src, func(t *testing.T) {
			if err := newDotenv(processVariables).add(src); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "cret") {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// FuzzDotenv checks that any text is read, and that texts in single quotes stay as they are.
func FuzzDotenv(f *testing.F) {
	for _, src := range []string{"X=1", "X=\"a\\\nb\"", "export X='${A}' # c", "X=\"", "=", "X=${A}${", "X=\"\\", "A=\"${A}${A}\"\nA=\"${A}${A}\""} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_ = newDotenv(processVariables).add(text)
		d := newDotenv(processVariables)
		if strings.ContainsAny(text, "'\r\n\"") || strings.Trim(text, phpSpace) != text {
			return // written otherwise
		}
		if err := d.add("X='" + text + "'"); err != nil || d.values["X"] != text {
			t.Errorf("%q, %v", d.values["X"], err)
		}
	})
}
