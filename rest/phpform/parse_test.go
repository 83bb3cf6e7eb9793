package phpform

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

func show(a *php.Array) string { return string(phpjson.Append(nil, a)) }

func TestParse(t *testing.T) {
	tests := []struct{ raw, want string }{
		{"", `[]`},
		{"a=1", `{"a":"1"}`},
		{"a=1&b=2&&c&=5&", `{"a":"1","b":"2","c":""}`},
		{"a=1;b=2", `{"a":"1;b=2"}`},
		{"a=b=c", `{"a":"b=c"}`},
		{"a+b=c+d%20e", `{"a_b":"c d e"}`},
		{"a=%zz%4&b=%41%c3%A9%", `{"a":"%zz%4","b":"A\u00e9%"}`},
		{"0=x&1=y", `["x","y"]`},
		// Names outside of brackets are mangled.
		{"a%2Eb=1&c.d=2&e%2Bf=3", `{"a_b":"1","c_d":"2","e+f":"3"}`},
		{"++a=1&%20b=2&c+=3", `{"a":"1","b":"2","c_":"3"}`},
		{"+=1&%00=2&a%00b=3", `{"a":"3"}`},
		{"a[b=1&c[d.e=2&f[=3&g[h[i+j=4", `{"a_b":"1","c_d_e":"2","f_":"3","g_h_i_j":"4"}`},
		{"a]=1&b]c[d]=2", `{"a]":"1","b]c":{"d":"2"}}`},
		{"[a]=1&[]=2&+[b]=3", `[]`},
		// Brackets.
		{"a[]=1&a[]=2", `{"a":["1","2"]}`},
		{"a%5B%5D=1", `{"a":["1"]}`},
		{"a[k]=1&a[l][z]=2", `{"a":{"k":"1","l":{"z":"2"}}}`},
		{"a.b[c.d+e]=1", `{"a_b":{"c.d e":"1"}}`},
		{"a[b][c=1", `{"a":{"b":"1"}}`},
		{"a[][c=1", `{"a":["1"]}`},
		{"a[%20]=1&a[+1]=2&a[%09]=3&a[++]=4", `{"a":{"0":"1"," 1":"2","1":"3","  ":"4"}}`},
		{"a[[b]]=1", `{"a":{"[b":"1"}}`},
		{"a[b]c[d]=1", `{"a":{"b":"1"}}`},
		{"a[b]x=1", `{"a":{"b":"1"}}`},
		{"a[][x]=1&a[][x]=2", `{"a":[{"x":"1"},{"x":"2"}]}`},
		{"a[][]=1&a[0][]=2", `{"a":[["1","2"]]}`},
		{"a[b%00c]=1", `{"a_b":"1"}`},
		// Integer keys and the next free one.
		{"a[0]=x&a[2]=y", `{"a":{"0":"x","2":"y"}}`},
		{"a[5]=x&a[]=y&a[05]=z&a[+1]=w", `{"a":{"5":"x","6":"y","05":"z"," 1":"w"}}`},
		{"a[-5]=1&a[]=2&b[-1]=1&b[]=2", `{"a":{"-5":"1","-4":"2"},"b":{"-1":"1","0":"2"}}`},
		{"a[9223372036854775807]=1&a[]=2&a[][x]=3", `{"a":{"9223372036854775807":"1"}}`},
		// Duplicates.
		{"a=1&b=2&a=3", `{"a":"3","b":"2"}`},
		{"a=2&a[]=1", `{"a":["1"]}`},
		{"a[]=1&a=2", `{"a":"2"}`},
		{"a[x]=1&a[]=2&a[x]=3", `{"a":{"x":"3","0":"2"}}`},
		{"a[x]=1&b=2&a[x][y]=3", `{"a":{"x":{"y":"3"}},"b":"2"}`},
		// Guarded cookie prefixes must not arise from mangling.
		{"..Host-a=1&__Host-b=2&.%5fSecure-c=3&d[__Host-e]=4&d[__f]=5", `{"__Host-b":"2","d":{"__f":"5"}}`},
	}
	for _, test := range tests {
		if got := show(Parse(test.raw, Limits{})); got != test.want {
			t.Errorf("%s: got %s, want %s", test.raw, got, test.want)
		}
	}
}

func TestParseLimits(t *testing.T) {
	var many strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&many, "&v%d=1", i)
	}
	if n := Parse(many.String(), Limits{}).Len(); n != 1000 {
		t.Errorf("%d variables by default", n)
	}
	if n := Parse(many.String(), Limits{MaxVars: 3}).Len(); n != 3 {
		t.Errorf("%d variables of 3", n)
	}
	deep := func(n int) string { return "a" + strings.Repeat("[k]", n) + "=1" }
	if got := Parse("b=2&"+deep(64), Limits{}); got.Len() != 2 {
		t.Errorf("64 levels: %s", show(got))
	}
	if got := show(Parse("b=2&"+deep(65), Limits{})); got != `{"b":"2"}` {
		t.Errorf("65 levels: %s", got)
	}
	// The variable that goes too deep is lost as a whole.
	if got := show(Parse("a[x]=1&b=2&a[k][k]=1", Limits{MaxDepth: 1})); got != `{"b":"2"}` {
		t.Errorf("one level: %s", got)
	}
	if got := Parse("a"+strings.Repeat("[", 10<<20), Limits{}); got.Len() != 1 {
		t.Error("many open brackets")
	}
}

func TestEscapes(t *testing.T) {
	tests := []struct{ in, url, raw string }{
		{"", "", ""},
		{"azAZ09-_.", "azAZ09-_.", "azAZ09-_."},
		{"a b~c", "a+b%7Ec", "a%20b~c"},
		{"2026-11-21 00:00:00", "2026-11-21+00%3A00%3A00", "2026-11-21%2000%3A00%3A00"},
		{"é/\x00\xff+%", "%C3%A9%2F%00%FF%2B%25", "%C3%A9%2F%00%FF%2B%25"},
	}
	for _, test := range tests {
		if got := URLEncode(test.in); got != test.url {
			t.Errorf("URLEncode(%q) = %s, want %s", test.in, got, test.url)
		}
		if got := RawURLEncode(test.in); got != test.raw {
			t.Errorf("RawURLEncode(%q) = %s, want %s", test.in, got, test.raw)
		}
		if got := URLDecode(test.url); got != test.in {
			t.Errorf("URLDecode(%q) = %q", test.url, got)
		}
		if got := RawURLDecode(test.raw); got != test.in {
			t.Errorf("RawURLDecode(%q) = %q", test.raw, got)
		}
	}
	if got := RawURLDecode("a+b%2"); got != "a+b%2" {
		t.Errorf("got %q", got)
	}
	if got := URLDecode("%%41%4g%"); got != "%A%4g%" {
		t.Errorf("got %q", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a=1&b[]=2&b[c][d]=%41", "a[b=1", "a[b][c=1", "a[+]=1&a[-5]=2&a[]=3", "%00=1&..x[ ]=", "a[b]c[d]=1;e=2", "__Host-a=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		vars := Parse(raw, Limits{})
		if n := strings.Count(raw, "&") + 1; vars.Len() > n {
			t.Fatalf("%q: %d variables", raw, vars.Len())
		}
		// What PHP parsed it can write, and parse to the same again.
		query := buildQuery(vars)
		if again := show(Parse(query, Limits{MaxVars: 1 << 20})); again != show(vars) && !lossy(vars) {
			t.Fatalf("%q: %s, as %q %s", raw, show(vars), query, again)
		}
	})
}

// buildQuery reproduces PHP's http_build_query: names and values urlencoded, nested arrays
// with encoded brackets, true and false as 1 and 0, nulls and empty arrays left
// out. Objects are left out too.
func buildQuery(a *php.Array) string {
	var pieces []string
	addPieces(&pieces, "", a)
	return strings.Join(pieces, "&")
}

func addPieces(pieces *[]string, prefix string, a *php.Array) {
	for k, v := range a.All() {
		name := URLEncode(k.String())
		if prefix != "" {
			name = prefix + "%5B" + name + "%5D"
		}
		switch v := v.(type) {
		case nil, *php.Object:
		case *php.Array:
			addPieces(pieces, name, v)
		default:
			*pieces = append(*pieces, name+"="+URLEncode(scalar(v)))
		}
	}
}

// lossy reports whether a written name is not read back as it was: keys with a closing
// bracket or only a blank, names that begin with a space, or numbers out of order.
func lossy(a *php.Array) bool {
	for k, v := range a.All() {
		if k.IsInt || strings.ContainsAny(k.Str, "]\n\t\v\f\r [_") || k.Str == "" {
			return true
		}
		if inner, ok := v.(*php.Array); ok && lossy(inner) {
			return true
		}
	}
	return false
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Parse("page=2&per_page=10&start_date=2026-11-21+00%3A00%3A00&categories[]=3&categories[]=4&search=koncert", Limits{})
	}
}
