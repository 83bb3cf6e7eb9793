package systemtest

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
)

// fuzzedRoute is a route as the server's index describes it.
type fuzzedRoute struct {
	pattern    string // below the namespace, such as /events/(?P<id>\d+)
	collection string // what its ids and slugs are of, "" for none
	endpoints  []fuzzedEndpoint
}

type fuzzedEndpoint struct {
	methods []string
	args    []fuzzedArg
}

// fuzzedLogin holds the credentials of a user. cookie and nonce may be empty.
type fuzzedLogin struct{ name, password, cookie, nonce string }

// fuzzedRequests generates requests to a site.
type fuzzedRequests struct {
	fuzzedValues
	namespace string
	host      string
	routes    []fuzzedRoute
	logins    []fuzzedLogin // the more a user may do, the earlier in the list
	roots     []string      // before the REST prefix: "", "/en"
	asked     string        // a target that is requested repeatedly
}

func newFuzzedRequests(seed, shard uint64) *fuzzedRequests {
	return &fuzzedRequests{fuzzedValues: fuzzedValues{Rand: rand.New(rand.NewPCG(seed, shard)), things: map[string][]fuzzedThing{}}}
}

// wordpressParams lists the parameters that WordPress accepts on every route, with values.
var wordpressParams = map[string][]string{
	"_fields": {"id,title", "id.x", "events.id", "_links", "", ",", "title,", "*"}, "_embed": {"", "1", "up", "true", "up,wp:term", "x"},
	"_envelope": {"", "1", "0"}, "_pretty": {"", "1"}, "_jsonp": {"show", "a.b", "", "alert(1)", "f\u00e9", "_"},
	"_method": {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get", "", "FOO", "TRACE"}, "context": {"view", "edit", "embed", "x"},
	"_wpnonce": {"", "abc", "0123456789"}, "_locale": {"user", "site"}, "language_code": {"cs", "en", "de", "all", "xx", ""}, "lang": {"cs", "en", "de", "all", "xx", ""},
	"wpml_language": {"en", "all"}, "rest_route": {"/", "/wp/v2/posts", ""}, "unknown": {"1"}, "id": {"1", "x", "0"}, "slug": {"x", "a/b"}, "page": {"2", "0"}, "post_password": {"x"},
}

var capturing = regexp.MustCompile(`\(\?P<(\w+)>[^)]*\)`)

// next returns a request as it is sent over the network. Sometimes it returns the same
// anonymous request several times.
func (g *fuzzedRequests) next() string {
	if g.asked != "" && g.chance(12) {
		h := map[string]string{"X-Forwarded-Proto": "https"}
		g.addHeaders(h)
		return g.request("GET", g.asked, h, "")
	}
	route := g.routes[g.IntN(len(g.routes))]
	endpoint := route.endpoints[g.IntN(len(route.endpoints))]
	if endpoint.methods[0] == "DELETE" && g.chance(70) { // a site without events would have little to test
		endpoint = route.endpoints[0]
	}
	method := endpoint.methods[g.IntN(len(endpoint.methods))]
	nastyPercent := []int{0, 0, 0, 3, 20, 70}[g.IntN(6)]
	var query, body map[string]any
	args := g.arguments(endpoint, method, nastyPercent)
	switch writing := method != "GET"; {
	case writing && g.chance(80), g.chance(4):
		body = args
	default:
		query = args
	}
	header := g.headers()
	method = g.disguise(method, &query, header)
	contentType, text := "", ""
	if body != nil {
		contentType, text = g.body(body)
	}
	if contentType != "" {
		header["Content-Type"] = contentType
	}
	target := g.target(route, query)
	if endpoint.methods[0] == "GET" && g.chance(30) {
		g.asked = target
	}
	return g.request(method, target, header, text)
}

// request formats a request.
func (g *fuzzedRequests) request(method, target string, header map[string]string, text string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.%d\r\nHost: %s\r\n", method, target, min(1, g.IntN(50)), g.host)
	for _, name := range sortedKeys(header) {
		fmt.Fprintf(&b, "%s: %s\r\n", name, strings.NewReplacer("\r", "", "\n", "").Replace(header[name]))
	}
	switch n := g.IntN(100); {
	case text == "":
		b.WriteString("\r\n")
	case n < 4:
		half := len(text) / 2
		fmt.Fprintf(&b, "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%x;x=y\r\n%s\r\n0\r\n\r\n", max(half, 1), text[:max(half, 1)], len(text)-max(half, 1), text[max(half, 1):])
	case n < 6: // the body ends too early
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(text)+g.IntN(9), text)
	default:
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(text), text)
	}
	if g.chance(2) {
		return g.damage(b.String())
	}
	return b.String()
}

// arguments returns arguments for an endpoint: the required ones, except in a few requests,
// and some of the others.
func (g *fuzzedRequests) arguments(e fuzzedEndpoint, method string, nastyPercent int) map[string]any {
	out := map[string]any{}
	most := g.IntN(5)
	for _, at := range g.Perm(len(e.args)) {
		a := e.args[at]
		if a.name == "id" || a.name == "slug" && method == "GET" {
			continue // the argument is in the path
		}
		if a.required && g.chance(97) || most > 0 && g.chance(40) {
			most--
			out[a.name] = g.argument(a, nastyPercent)
		}
	}
	if nastyPercent > 0 && g.chance(20) {
		names := sortedKeys(wordpressParams)
		name := names[g.IntN(len(names))]
		out[name] = g.one(g.word(wordpressParams[name]...), g.nasty())
	}
	return out
}

// disguise puts the method, or another one, where WordPress also looks for it.
func (g *fuzzedRequests) disguise(method string, query *map[string]any, header map[string]string) string {
	switch n := g.IntN(100); {
	case n < 5:
		if *query == nil {
			*query = map[string]any{}
		}
		(*query)["_method"] = method
		return g.word("GET", "POST")
	case n < 10:
		header["X-HTTP-Method-Override"] = method
		return "POST"
	case n < 14:
		return g.word("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "X")
	case n < 18 && method == "GET":
		return g.word("HEAD", "OPTIONS")
	}
	return method
}

// target spells the URL of a route.
func (g *fuzzedRequests) target(route fuzzedRoute, query map[string]any) string {
	thing := g.thing(route.collection)
	if g.chance(15) {
		thing = g.thing(g.word(sortedKeys(g.things)...))
	}
	path := capturing.ReplaceAllStringFunc(route.pattern, func(group string) string {
		if capturing.FindStringSubmatch(group)[1] == "id" {
			if g.chance(3) {
				return g.word("0", "007", "99999999999999999999", "1e1", "-1", "x", "%31")
			}
			return fmt.Sprint(thing.id)
		}
		if g.chance(6) {
			return g.escape(fmt.Sprint(g.nasty()))
		}
		return url.PathEscape(thing.slug)
	})
	rest := "/" + g.namespace + path
	switch n := g.IntN(100); {
	case n < 2:
		rest = strings.ToUpper(rest)
	case n < 4:
		rest = strings.Replace(rest, "/", g.word("//", "/./", "/../", "%2F", `\`), 1+g.IntN(4))
	case n < 6:
		rest += g.word("/", "//", "/x", ".json", "%20", "/%00", "?", ";x")
	case n < 8:
		rest = g.word("/", "", "/wp/v2/posts", "/"+g.namespace[:5], "/"+g.namespace+"x", "/batch/v1", "/oembed/1.0/embed?url=x")
	}
	root := ""
	switch n := g.IntN(100); {
	case n < 40:
		root = g.word(g.roots...)
	case n < 44:
		root = g.word("/cs", "/xx", "/en/index.php", "/EN", "/en/de", "/%65n", "/wp")
	}
	var parts []string
	for _, name := range sortedKeys(query) {
		for _, pair := range g.flat(name, query[name]) {
			parts = append(parts, g.name(pair[0])+"="+g.escape(pair[1]))
		}
	}
	for g.chance(12) {
		names := sortedKeys(wordpressParams)
		name := names[g.IntN(len(names))]
		parts = append(parts, g.name(name)+"="+g.escape(g.word(wordpressParams[name]...)))
	}
	var target string
	if g.chance(12) {
		parts = append(parts, "rest_route="+g.word(rest, url.QueryEscape(rest), g.escape(rest)))
		target = root + g.word("/", "/", "/index.php", "/any/page/")
	} else {
		target = root + "/wp-json" + rest
		if g.chance(8) {
			target = root + g.word("/index.php/wp-json", "//wp-json", "/WP-JSON", "/wp%2Djson", "/wp-json/", "/wp-json?") + rest
		}
	}
	if len(parts) > 0 || g.chance(2) {
		g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		target += g.word("?", "?", "?", "?", "?&", "??") + strings.Join(parts, "&")
	}
	if g.chance(1) {
		return g.word("*", "https://"+g.host+target, "http://other.example"+target, target[1:]+"x")
	}
	return target
}

// name spells the name of a parameter.
func (g *fuzzedRequests) name(name string) string {
	switch g.IntN(40) {
	case 0:
		return name + g.word("[]", "[0]", "[x]", "[a][b]", "[][]", "[", "]", "%5B%5D", "%00", ".x", "[%00]")
	case 1:
		return g.word("%20", "+", ".", "[", "") + strings.ToUpper(name)
	}
	return strings.NewReplacer("[", g.word("[", "[", "%5B"), " ", "%20", "&", "%26", "\x00", "%00").Replace(name)
}

// headers returns the headers of a client with or without credentials.
func (g *fuzzedRequests) headers() map[string]string {
	h := map[string]string{"X-Forwarded-Proto": g.word("https", "https", "https", "https", "https", "https", "https", "http", "HTTPS, http", "")}
	// Users with more rights are chosen more often.
	login := g.logins[min(g.IntN(len(g.logins)), g.IntN(len(g.logins)))]
	switch n := g.IntN(100); {
	case n < 55:
		h["Authorization"] = basicHeader(login.name, login.password)
	case n < 62:
		h["Authorization"] = g.word(basicHeader(login.name, "wrong"), basicHeader("nobody", "x"), basicHeader("a@b.example", "x"), basicHeader(login.name, ""), "Basic", "Basic !!!", "Basic Og==",
			"Bearer x", basicHeader(login.name, strings.Repeat("x", 5000)), "basic "+base64.StdEncoding.EncodeToString([]byte("\xff\x00:\xff")), "Digest username=\"x\"", basicHeader("<b>"+login.name+"</b>", login.password))
	case n < 75 && login.cookie != "":
		h["Cookie"] = g.word("", "a=b; ", "=; ;; ") + login.cookie
		if nonce := g.word(login.nonce, login.nonce, login.nonce, "", "bad", "-"); nonce != "-" {
			h["X-WP-Nonce"] = nonce
		}
	case n >= 75 && n < 78:
		h["Cookie"] = g.word(g.damage(login.cookie), "wordpress_logged_in_x=a|1|b|c", "wp-postpass_x=y", "a", strings.Repeat("a=b; ", 200), "_icl_current_language=en", "pll_language=de", "wp-wpml_current_language=en")
		h["X-WP-Nonce"] = g.word("x", login.nonce)
	}
	g.addHeaders(h)
	return h
}

// addHeaders adds some headers that are unrelated to credentials.
func (g *fuzzedRequests) addHeaders(h map[string]string) {
	for g.chance(15) {
		name := g.word(sortedKeys(fuzzedHeaders)...)
		h[name] = g.word(fuzzedHeaders[name]...)
	}
}

var fuzzedHeaders = map[string][]string{
	"Origin": {"https://a.example", "null", "x", "javascript:alert(1)", "https://a.example/\x00", "\xff"}, "Accept": {"*/*", "text/html", "application/json", "image/*;q=x"},
	"Accept-Encoding": {"gzip", "zstd, gzip", "br, gzip;q=0", "identity;q=0", "*", "gzip;q=x"}, "Accept-Language": {"de", "en-US,en;q=0.5", "*", "x"}, "X-HTTP-Method-Override": {"DELETE", "get", "", "FOO", "HEAD"},
	"X-Forwarded-For": {"203.0.113.9", "1.2.3.4, 10.0.0.1", "unknown", "::1", "\xff", ",,,"}, "X-Forwarded-Host": {"evil.example"}, "If-None-Match": {`"x"`, "*", "W/", "W/*, x"}, "If-Modified-Since": {"Sat, 21 Nov 2026 12:00:00 GMT", "x"},
	"Range": {"bytes=0-1", "bytes=-", "x"}, "Expect": {"100-continue", "x"}, "Content-Encoding": {"gzip", "x"}, "Access-Control-Request-Method": {"PUT", "x"}, "Referer": {"https://x.example/en/?lang=de", "\x01"},
	"Traceparent": {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "x"}, "User-Agent": {"", "Mozilla/5.0", "\xff"}, "Content-Length": {"0", "7"}, "Connection": {"close", "upgrade"}, "Upgrade": {"h2c"},
}

func basicHeader(name, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+password))
}
