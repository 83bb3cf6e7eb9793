package compat

import (
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"encoding/base64"
	"math"
	"net/url"
	"strconv"
	"strings"
)

// requestFacts is the little of a recorded request that a message may repeat.
type requestFacts struct {
	method string // after an override
	// route is the path below the REST root: "/ns/v1/events/5"; ok is false for a
	// request that did not reach the REST server.
	route string
	ok    bool
	query url.Values
	body  url.Values // JSON members or form fields, scalars only
}

// factsOf reads a request the way WordPress finds its route and parameters:
// rest_route before the path, JSON body before form before query before path.
func factsOf(r recording.Request) requestFacts {
	path, query, _ := strings.Cut(r.Path, "?")
	f := requestFacts{method: strings.ToUpper(r.Method), query: recording.ParsePairs(query)}
	if override := f.query.Get("_method"); override != "" {
		f.method = strings.ToUpper(override)
	} else if override, sent := r.Header("X-HTTP-Method-Override"); sent && override != "" {
		f.method = strings.ToUpper(override)
	}
	if route := f.query.Get("rest_route"); route != "" {
		f.route, f.ok = route, true
	} else if _, route, found := strings.Cut(path, "/wp-json"); found {
		f.route, f.ok = route, true
	}
	f.route = "/" + strings.Trim(f.route, "/")
	if r.Body != nil {
		f.body = bodyFields(r, *r.Body, f.method)
	}
	return f
}

func bodyFields(r recording.Request, body, method string) url.Values {
	contentType, _ := r.Header("Content-Type")
	if strings.Contains(strings.ToLower(contentType), "json") {
		fields := url.Values{}
		root, err := jsontree.Parse(body)
		if err != nil || !root.Is(jsontree.Object) {
			return fields
		}
		for i, name := range root.Names {
			switch item := root.Items[i]; item.Kind {
			case jsontree.String:
				fields.Set(name, item.Text())
			case jsontree.Null:
			default:
				fields.Set(name, item.Raw())
			}
		}
		return fields
	}
	if method == "GET" || method == "HEAD" {
		return nil
	}
	return recording.ParsePairs(body)
}

// id is the id that the request asks for, as PHP makes an integer of it: 0 when
// there is none. A parameter goes before the number in the path.
func (f requestFacts) id() string {
	for _, source := range []url.Values{f.body, f.query} {
		if source.Has("id") {
			return integerText(source.Get("id"))
		}
	}
	previous := ""
	for segment := range strings.SplitSeq(f.route, "/") {
		if segment != "" && strings.Trim(segment, "0123456789") == "" && !strings.EqualFold(previous, "by-slug") {
			return integerText(segment)
		}
		previous = segment
	}
	return "0"
}

// integerText casts a number's text to PHP's integer: fractions cut off, numbers
// out of range saturated, 0 for what is no number.
func integerText(text string) string {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case strings.Trim(text, "+-.0123456789eE") != "" || (err != nil && !math.IsInf(f, 0)):
		return "0"
	case f >= math.MaxInt64:
		return strconv.FormatInt(math.MaxInt64, 10)
	case f <= math.MinInt64:
		return strconv.FormatInt(math.MinInt64, 10)
	}
	return strconv.FormatInt(int64(f), 10)
}

// login is the name that the request tried to log in with by HTTP Basic.
func login(r recording.Request) string {
	header, _ := r.Header("Authorization")
	scheme, coded, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "basic") {
		return ""
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(coded))
	if err != nil {
		return ""
	}
	name, _, _ := strings.Cut(string(decoded), ":")
	return name
}

// languageBase is the home URL that was in force while the request was answered,
// from the answer's Link header: the site's home, or below it the directory of a
// language. A lang argument in the link is kept behind a blank.
func languageBase(response recording.Response) string {
	root := recording.RESTRootOfLink(response.Header("link"))
	base := recording.HomeOfLink(response.Header("link"))
	_, query, _ := strings.Cut(root, "?")
	if lang := recording.ParsePairs(query).Get("lang"); lang != "" {
		return base + " " + lang
	}
	return base
}

// askedMark stands in a base before a language that the request asked for with an
// argument and that the answer does not name.
const askedMark = " ?"

// askedBase adds the language that a request asked for to a base that has none.
func askedBase(base string, facts requestFacts) string {
	for _, name := range languageArgs {
		if code := facts.query.Get(name); languageLike(code) && !strings.Contains(base, " ") {
			return base + askedMark + code
		}
	}
	return base
}

// languageCode names the language of a base: what it has more than home.
func languageCode(base, home string) string {
	if _, lang, found := strings.Cut(base, " "); found {
		return lang
	}
	_, base, _ = strings.Cut(base, "://")
	_, home, _ = strings.Cut(home, "://")
	rest, below := strings.CutPrefix(base, strings.TrimSuffix(home, "/")+"/")
	if !below || rest == "" || strings.Contains(rest, "/") {
		return DefaultLanguage
	}
	return rest
}
