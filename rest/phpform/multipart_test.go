package phpform

import (
	"bytes"
	"errors"
	"mime/multipart"
	"strings"
	"testing"

	"calbridge/wpstore/php"
)

func TestBoundary(t *testing.T) {
	tests := []struct{ in, want string }{
		{"multipart/form-data; boundary=abc", "abc"},
		{`multipart/form-data; boundary="a b;c"; charset=x`, "a b;c"},
		{"multipart/form-data; boundary=abc; charset=utf-8", "abc"},
		{"multipart/form-data; Boundary=abc,x", "abc"},
		{"multipart/form-data", ""},
		{"multipart/form-data; boundary", ""},
		{`multipart/form-data; boundary="abc`, ""},
		{"multipart/form-data; boundary=", ""},
		{"\u0130 boundary=x", "x"},
	}
	for _, test := range tests {
		if got := Boundary(test.in); got != test.want {
			t.Errorf("%s: got %q, want %q", test.in, got, test.want)
		}
	}
}

func TestParseMultipart(t *testing.T) {
	tests := []struct {
		name, body, want string
		err              error
	}{
		{"empty", "", `[]`, nil},
		{"fields", "--B\nContent-Disposition: form-data; name=\"a\"\n\n1\n--B\nContent-Disposition: form-data; name=\"b[]\"\n\nx\ny\n--B--\n", `{"a":"1","b":["x\ny"]}`, nil},
		{"mangled, not decoded", "--B\nContent-Disposition: form-data; name=\"a.b%41+c\"\n\n%41+\n--B--\n", `{"a_b%41+c":"%41+"}`, nil},
		{"empty value", "--B\nContent-Disposition: form-data; name=\"a\"\n\n\n--B--\n", `{"a":""}`, nil},
		{"preamble and epilogue", "hello\n--B\nContent-Disposition: form-data; name=\"a\"\n\n1\n--B--\nbye\n", `{"a":"1"}`, nil},
		{"file", "--B\nContent-Disposition: form-data; name=\"f\"; filename=\"x.txt\"\nContent-Type: text/plain\n\ndata\n--B\nContent-Disposition: form-data; name=\"a\"\n\n1\n--B--\n", `{"a":"1"}`, nil},
		{"file without a name", "--B\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\n\n\n--B\nContent-Disposition: form-data; name=a b\n\n1\n--B--\n", `{"a":"1"}`, nil},
		{"other headers and case", "--B\nX: y\ncontent-disposition:form-data;NAME=\"a\"\nContent-Type: text/plain\n\n1\n--B--\n", `{"a":"1"}`, nil},
		{"folded header", "--B\nContent-Disposition: form-data;\n name=\"a\"\n\n1\n--B--\n", `{"a":"1"}`, nil},
		{"quotes in the name", "--B\nContent-Disposition: form-data; name=\"a\\\"b;c\\\\\"x; y='z'\n\n1\n--B--\n", `{"a\"b;c\\":"1"}`, nil},
		{"single quotes", "--B\nContent-Disposition: form-data; name='a;b'\n\n1\n--B--\n", `{"a;b":"1"}`, nil},
		{"no disposition", "--B\nX: y\n\n1\n--B\nContent-Disposition: form-data; name=\"a\"\n\n1\n--B--\n", `{"a":"1"}`, nil},
		{"garbled", "--B\nContent-Disposition: form-data; name=\"a\"\n\n1\n--B\nContent-Disposition: form-data\n\n2\n--B\nContent-Disposition: form-data; name=\"c\"\n\n3\n--B--\n", `{"a":"1"}`, ErrGarbled},
		{"cut off", "--B\nContent-Disposition: form-data; name=\"a\"\n\n12", `{"a":"12"}`, nil},
		{"cut off in the boundary", "--B\nContent-Disposition: form-data; name=\"a\"\n\n12\n-", `{"a":"12"}`, nil},
		{"longer boundary ends a value", "--B\nContent-Disposition: form-data; name=\"a\"\n\n12\n--Bx\n3\n--B--\n", `{"a":"12"}`, nil},
		{"boundary not at the line's beginning", "--B\nContent-Disposition: form-data; name=\"a\"\n\n1--B\n2\n--B--\n", `{"a":"1--B\n2"}`, nil},
		{"no end of headers", "--B\nContent-Disposition: form-data; name=\"a\"", `[]`, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, newline := range []string{"\n", "\r\n"} {
				body := strings.ReplaceAll(test.body, "\n", newline)
				want := test.want
				if newline == "\r\n" {
					want = strings.ReplaceAll(want, `\n`, `\r\n`)
				}
				got, err := ParseMultipart([]byte(body), "B", Limits{})
				if show(got) != want || !errors.Is(err, test.err) {
					t.Errorf("%q: got %s, %v, want %s", body, show(got), err, want)
				}
			}
		})
	}
	if got, err := ParseMultipart([]byte("x"), "", Limits{}); got == nil || !errors.Is(err, ErrNoBoundary) {
		t.Errorf("no boundary: %v, %v", got, err)
	}
}

// What Go's own writer makes of fields must be read as they were.
func TestParseMultipartFromStandardWriter(t *testing.T) {
	values := []string{"", "x", "line\r\nline", "\r", "\r\n", "--", "é\x00\xff", strings.Repeat("long\r\n", 5000)}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	want := &php.Array{}
	for _, v := range values {
		w.WriteField("list[]", v)
		want.Append(v)
	}
	file, _ := w.CreateFormFile("upload", "a.txt")
	file.Write([]byte("content"))
	w.Close()
	got, err := ParseMultipart(body.Bytes(), Boundary(w.FormDataContentType()), Limits{})
	if err != nil || got.Len() != 1 || !php.Identical(got.At("list"), want) {
		t.Errorf("got %s, %v", show(got), err)
	}
}

func TestParseMultipartLimits(t *testing.T) {
	part := "--B\nContent-Disposition: form-data; name=\"a[]\"\n\n1\n"
	got, err := ParseMultipart([]byte(strings.Repeat(part, 1015)+"--B--\n"), "B", Limits{})
	if err != nil || got.At("a").(*php.Array).Len() != 1000 {
		t.Errorf("%d values, %v", got.At("a").(*php.Array).Len(), err)
	}
	if _, err := ParseMultipart([]byte(strings.Repeat(part, 1500)), "B", Limits{}); !errors.Is(err, ErrParts) {
		t.Error(err)
	}
	folded := "--B\nContent-Disposition: form-data; name=a\n" + strings.Repeat(" x\n", 1<<20)
	if _, err := ParseMultipart([]byte(folded), "B", Limits{}); err != nil {
		t.Error(err)
	}
}

func FuzzParseMultipart(f *testing.F) {
	f.Add([]byte("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B--\r\n"), "B")
	f.Add([]byte("--B\nContent-Disposition: form-data;\n name='a;\\'b'; filename=x\n\n1\n--B\nX\n\n"), "B")
	f.Add([]byte("--\nContent-Disposition: name=\n\n\n-"), "-")
	f.Fuzz(func(t *testing.T, body []byte, boundary string) {
		fields, _ := ParseMultipart(body, boundary, Limits{})
		if fields == nil || fields.Len() > 1000 {
			t.Fatal("bad result")
		}
		if len(buildQuery(fields)) > 3*len(body)+64*1000 {
			t.Fatal("more out than in")
		}
		Boundary(string(body))
	})
}
