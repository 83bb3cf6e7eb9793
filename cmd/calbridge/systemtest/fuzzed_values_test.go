package systemtest

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
)

// fuzzedArg is an argument as the index describes it.
type fuzzedArg struct {
	name     string
	typ      string // "" where the index says nothing
	array    bool
	required bool
	enum     []string
}

// fuzzedValues generates values for arguments. The same seed gives the same values.
type fuzzedValues struct {
	*rand.Rand
	// things holds the objects of the site by collection, such as "events".
	things map[string][]fuzzedThing
}

// fuzzedThing is an event, a venue, a term and so on, as a list shows it.
type fuzzedThing struct {
	id   int64
	slug string
}

func (v *fuzzedValues) one(of ...any) any { return of[v.IntN(len(of))] }

func (v *fuzzedValues) word(of ...string) string { return of[v.IntN(len(of))] }

func (v *fuzzedValues) chance(percent int) bool { return v.IntN(100) < percent }

// thing returns an object of a collection, or of any collection if it is empty.
func (v *fuzzedValues) thing(collection string) fuzzedThing {
	things := v.things[collection]
	if len(things) == 0 {
		return fuzzedThing{id: v.Int64N(100), slug: "nothing"}
	}
	return things[v.IntN(len(things))]
}

// plausible returns a value that the argument probably accepts.
func (v *fuzzedValues) plausible(a fuzzedArg) any {
	if len(a.enum) > 0 && v.chance(90) {
		return v.word(a.enum...)
	}
	switch name := a.name; {
	case strings.Contains(name, "date") && name != "strict_dates", strings.HasPrefix(name, "starts"), strings.HasPrefix(name, "ends"):
		return v.date()
	case name == "id":
		return v.thing(v.word("events", "venues", "organizers", "categories", "tags")).id
	case name == "event", name == "post", name == "post_parent":
		return v.thing("events").id
	case name == "categories", name == "tags", name == "exclude", name == "include", name == "parent":
		return v.terms(name)
	case name == "venue", name == "organizer":
		return v.linked(name)
	case name == "slug":
		return v.word(v.thing("tags").slug, "new-slug", "Nový slug", "a%20b", fmt.Sprintf("slug-%d", v.IntN(500)))
	case name == "status":
		return v.word("publish", "publish", "draft", "pending", "private", "future", "publish,draft", "trash")
	case name == "author":
		return v.IntN(6)
	case name == "timezone":
		return v.word("Europe/Prague", "America/New_York", "UTC", "UTC+2", "UTC-3.5", "UTC+13.75", "Asia/Kathmandu", "Antarctica/Troll")
	case name == "website":
		return v.word("https://example.org/", "http://a.example/?x=1&y=2#z", "https://example.org/%C3%A9")
	case name == "image":
		return v.word(fmt.Sprint(v.IntN(200)), "http://127.0.0.1:9/picture.png")
	case name == "page", name == "per_page":
		return v.IntN(60)
	case name == "order":
		return v.word("ASC", "desc")
	case name == "orderby":
		return v.word("name", "slug", "count", "id", "term_group", "description", "include", "none", "parent")
	case name == "password":
		return v.word("sesame", "heslo", "x")
	case strings.HasPrefix(name, "geoloc_"):
		return v.Float64()*360 - 180
	case a.typ == "boolean":
		return v.one(true, false, "1", "0", "true", "false", 1, 0)
	case a.typ == "integer":
		return v.IntN(300)
	}
	return v.text()
}

func (v *fuzzedValues) date() any {
	return v.one("2026-11-21", "2026-12-24 18:00:00", "2027-06-05T19:00:00+02:00", "now", "tomorrow", "+1 week", "last day of february 9pm",
		"first monday of january 2027", "@1800000000", "2026-W50-3", "12/31/2026", "31.12.2026", "2028-02-29 23:59:59", "1999-01-01", "noon next friday",
		fmt.Sprintf("2027-%02d-%02d %02d:%02d:00", 1+v.IntN(12), 1+v.IntN(28), v.IntN(24), v.IntN(60)), "9999-12-31", "2027-03-28 02:30")
}

func (v *fuzzedValues) terms(name string) any {
	collection := "categories"
	if name == "tags" || v.chance(30) {
		collection = "tags"
	}
	t := v.thing(collection)
	return v.one(t.id, t.slug, fmt.Sprint(t.id, ",", v.thing(collection).id), []any{t.id, v.thing(collection).slug}, []any{fmt.Sprintf("New %d", v.IntN(50))}, "a,b")
}

func (v *fuzzedValues) linked(kind string) any {
	t := v.thing(kind + "s")
	made := map[string]any{kind: v.text(), "website": "https://example.org", "phone": v.text()}
	return v.one(t.id, t.id, fmt.Sprint(t.id), []any{t.id, v.thing(kind + "s").id}, made, []any{made}, map[string]any{"id": t.id}, t.slug)
}

// text returns a text such as people write.
func (v *fuzzedValues) text() string {
	return v.word("Koncert", "Přednáška o ptácích", "A \"quoted\" title -- with 1/2 & more...", "<p>Hello <b>world</b></p>\n\n<a href='x' onclick=y>z</a>", "[gallery ids=\"1,2\"]",
		"[caption width=\"300\"]<img src=x /> y[/caption]", "<!-- wp:paragraph {\"dropCap\":true} --><p>x</p><!-- /wp:paragraph -->", "日本語 🎉 ß", "120 Kč", "$5 - $10",
		"https://www.youtube.com/watch?v=x", "o'neil\\path", strings.Repeat("long ", 60), "x", "50", fmt.Sprintf("Name %d", v.IntN(1000)))
}

// nasty returns a value that hardly any argument accepts.
func (v *fuzzedValues) nasty() any {
	switch v.IntN(12) {
	case 0:
		return v.one(nil, true, false, 0, -1, 1.5, 1e300, -0.5, 9007199254740993, "1e3", "0x1A", "1_000", "٣", " 7", "7 ", "+7", "007", "-0", "NaN", "INF", ".5", "5.")
	case 1:
		return v.one("", " ", "0", "null", "undefined", "[]", "{}", "Array", "\x00", "a\x00b", "\t\r\n", "\u00a0", "\u202e", "\ufeff", "%", "_", "\\", "'", "\"", "`", "%s%n", "../../etc/passwd")
	case 2:
		return v.one("\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\xaf", "e\u0301", "İ", "ſ", "ﬁ", "ǅ", "\U0010ffff", "👩‍👩‍👧‍👦", "مرحبا", "ｆｕｌｌ")
	case 3:
		return v.one("' OR '1'='1", "1) UNION SELECT 1--", "/* x */", "1;DROP TABLE wp_posts", "\\' OR 1=1 #", "a%' AND '1' LIKE '1")
	case 4:
		return v.one("<script>alert(1)</script>", "</script><!--", "javascript:alert(1)", "<![CDATA[x]]>", "<img src=x onerror=y>", "&#0;&#xd800;&bogus;", "<a href=\"&#106;avascript:x\">", "<<<>>>", "<!--", "[[[x]]]", "<!-- wp:", "[gallery")
	case 5:
		return v.one("2027-13-01 10:00", "0000-00-00 00:00:00", "@99999999999999", "-1 year ago ago", "next next week", "2027-02-30T25:61", "@0", "@-1", "24:00 24:00", "Mars/Phobos", "+99999999999 days", "12 parsecs", "1e9", "January")
	case 6:
		return v.one([]any{}, []any{[]any{[]any{}}}, map[string]any{}, []any{nil, true, 1.5}, map[string]any{"0": 1, "1": 2}, map[string]any{"id": map[string]any{"id": 1}}, []any{"1", map[string]any{"a": "b"}}, map[string]any{"": ""})
	case 7:
		return strings.Repeat(v.word("x", "a,", "1,", "é", "%", "<b>", "[x]", "\"", "&amp;", "a-b "), 1<<v.IntN(11))
	case 8:
		return v.one("18446744073709551616", "-9223372036854775809", "9223372036854775807", "2147483648", "99999999999999999999999999", "1.7976931348623157e309", "0.1e-400")
	case 9:
		deep := any("x")
		for range v.IntN(90) {
			deep = v.one([]any{deep}, map[string]any{"a": deep})
		}
		return deep
	case 10:
		list := make([]any, v.IntN(60))
		for i := range list {
			list[i] = v.one(i, fmt.Sprint(i), v.text())
		}
		return list
	}
	raw := make([]byte, v.IntN(24))
	for i := range raw {
		raw[i] = byte(v.IntN(256))
	}
	return string(raw)
}

// argument returns a value for an argument. It is plausible except for a share of nasty ones.
func (v *fuzzedValues) argument(a fuzzedArg, nastyPercent int) any {
	if v.chance(nastyPercent) {
		return v.nasty()
	}
	value := v.plausible(a)
	if a.array && v.chance(20) {
		return []any{value, v.plausible(a)}
	}
	return value
}

// escape escapes text for a URL in one of the ways that clients use, correct or not.
func (v *fuzzedValues) escape(text string) string {
	switch n := v.IntN(100); {
	case n < 60:
		return url.QueryEscape(text)
	case n < 75:
		return url.PathEscape(text)
	case n < 80: // every byte
		var b strings.Builder
		format := v.word("%%%02X", "%%%02x")
		for i := range len(text) {
			fmt.Fprintf(&b, format, text[i])
		}
		return b.String()
	case n < 90: // unescaped, except for characters that end a target
		return strings.NewReplacer(" ", "+", "\r", "%0D", "\n", "%0A", "#", "%23", "&", "%26").Replace(text)
	case n < 95: // twice
		return url.QueryEscape(url.QueryEscape(text))
	}
	return url.QueryEscape(text) + v.word("%", "%4", "%zz", "%u0041", "%00", "%c3", "\xff", "+", ";", "#x")
}

// flat returns a value as form fields: pairs of names with brackets and texts.
func (v *fuzzedValues) flat(name string, value any) [][2]string {
	var out [][2]string
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			key := name + "[]"
			if v.chance(20) {
				key = fmt.Sprintf("%s[%d]", name, i)
			}
			out = append(out, v.flat(key, item)...)
		}
	case map[string]any:
		for _, key := range sortedKeys(value) {
			out = append(out, v.flat(name+"["+key+"]", value[key])...)
		}
	case nil:
		out = append(out, [2]string{name, ""})
	default:
		out = append(out, [2]string{name, fmt.Sprint(value)})
	}
	return out
}
