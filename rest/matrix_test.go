package rest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/wpstore/php"
)

// The authorization matrix asks every route with every method as every role, of
// own and others' posts in every status, and compares with the tables below,
// which were written by hand from what WordPress and The Events Calendar grant,
// not from this package's own. `go test -run Matrix -v ./rest` prints it.

// The roles, in the order of the columns, by their login on the test site.
var matrixRoles = []struct{ name, login string }{
	{"administrator", "adela"}, {"editor", "edita"}, {"author", "alois"}, {"contributor", "karel"}, {"subscriber", "sona"}, {"anonymous", ""},
}

// The letters of the tables: y allowed, n forbidden to a known user, - forbidden
// to an anonymous one.
var verdicts = map[byte]string{'y': "allowed", 'n': "403 rest_forbidden", '-': "401 rest_forbidden"}

// itemRights are the expectations of one status: who may read a post of that
// status by GET, and who may edit or delete it. Columns: administrator, editor,
// author, contributor, subscriber, anonymous. Anonymous users own no posts.
var itemRights = []struct {
	status                                 string // trash is followed by what it was
	readOwn, readOther, editOwn, editOther string
}{
	{"publish", "yyyyyy", "yyyyyy", "yyynn-", "yynnn-"},
	{"future", "yyyyy-", "yynnn-", "yyynn-", "yynnn-"},
	{"draft", "yyyyy-", "yynnn-", "yyyyn-", "yynnn-"},
	{"pending", "yyyyy-", "yynnn-", "yyyyn-", "yynnn-"},
	{"private", "yyyyy-", "yynnn-", "yyyyn-", "yynnn-"},
	{"trash publish", "yyyyy-", "yynnn-", "yyynn-", "yynnn-"},
	{"trash draft", "yyyyy-", "yynnn-", "yyyyn-", "yynnn-"},
}

// collectionRights are the rights on routes that name no post. A user who may create
// may also use the by-slug routes on any post, which is a hole of the reference.
var collectionRights = map[string]string{
	"events": "yyyyn-", "venues": "yyyyn-", "organizers": "yyyyn-", "by-slug": "yyyyn-", "categories": "yyynn-", "tags": "yynnn-",
}

const matrixOwner = 6 // owns the posts that are others' to everybody in the table

var matrixKinds = []*api.PostKind{api.Events, api.Venues, api.Organizers}

// matrixID returns the post of a kind and status that user owns.
func matrixID(kind, status int, user int64) int64 {
	return 10_000 + int64(kind)*1000 + int64(status)*100 + user
}

func matrixSite(t *testing.T) *testSite {
	s := newTestSite(t, func(c *Config) { c.SiteRefresh = 1 << 40 })
	for k, kind := range matrixKinds {
		for i, r := range itemRights {
			status, was, _ := strings.Cut(r.status, " ")
			for user := int64(1); user <= matrixOwner; user++ {
				id := matrixID(k, i, user)
				s.insert("posts", row{"ID": id, "post_type": kind.PostType, "post_status": status, "post_author": user, "post_name": fmt.Sprint("post-", id), "post_title": "x"})
				if was != "" {
					s.addMeta(id, "_wp_trash_meta_status", was)
				}
			}
		}
	}
	return s
}

// permission is what a response shows about the right to the request: anything but a
// refusal means that it was granted.
func permissionOf(a answer) string {
	if a.status == http.StatusUnauthorized || a.status == http.StatusForbidden {
		return a.outcome()
	}
	return "allowed"
}

// try asks for the right to a request. Reads, and writes that are forbidden, are
// sent; of a write that is allowed only the permission is asked for, as the server
// does before its handler, so that the posts stay as they are.
func (s *testSite) try(a ask) answer {
	s.t.Helper()
	if a.method == "GET" || a.method == "HEAD" {
		return s.do(a)
	}
	x := s.exchange(a.as)
	_, route, name, value := matchRoute([]*wprest.Table{x.req.Table}, "/"+s.cfg.Namespace+"/"+a.target)
	x.req.Captures = &php.Array{}
	if name != "" {
		x.req.Captures.SetString(name, value)
	}
	ok, err := route.Endpoint(a.method).Allowed(s.t.Context(), &x.req)
	if err != nil {
		s.t.Fatal(err)
	}
	if !ok {
		return s.do(a)
	}
	return answer{t: s.t, status: notSent}
}

// notSent is the status of a write that would be allowed.
const notSent = 1

// matrixLine is a row of the printed table.
type matrixLine struct {
	t      *testing.T
	what   string
	letter []byte
}

func (l *matrixLine) check(column int, expected byte, got string, want string) {
	l.t.Helper()
	letter := byte('?')
	for k, v := range verdicts {
		if got == v {
			letter = k
		}
	}
	if got == want && letter == '?' {
		letter = expected
	}
	l.letter = append(l.letter, letter)
	if got != want {
		l.t.Errorf("%s as %s: %s, want %s", l.what, matrixRoles[column].name, got, want)
	}
}

func (l *matrixLine) print() {
	var out strings.Builder
	for i, r := range matrixRoles {
		fmt.Fprintf(&out, "  %s %c", r.name, l.letter[i])
	}
	l.t.Logf("%-44s%s", l.what, out.String())
}

// body passes the checks that come before permission.
var createBodies = map[string]string{
	"events": `{"title":"x","start_date":"2027-01-01","end_date":"2027-01-02"}`, "venues": `{"venue":"x"}`, "organizers": `{"organizer":"x"}`,
	"categories": `{"name":"x"}`, "tags": `{"name":"x"}`,
}

func TestMatrixCollections(t *testing.T) {
	s := matrixSite(t)
	for _, collection := range []string{"events", "venues", "organizers", "categories", "tags"} {
		rights := collectionRights[collection]
		for _, method := range []string{"GET", "HEAD", "POST"} {
			l := &matrixLine{t: t, what: method + " /" + collection}
			for column, role := range matrixRoles {
				letter := byte('y')
				a := ask{method: method, target: collection, as: role.login}
				if method == "POST" {
					letter, a.body, a.contentType = rights[column], createBodies[collection], jsonType
				}
				got := s.try(a)
				l.check(column, letter, permissionOf(got), verdicts[letter])
				allow := "GET"
				if rights[column] == 'y' {
					allow = "GET, POST"
				}
				checkAllow(t, l.what, role.name, got, allow)
			}
			l.print()
		}
		for _, method := range []string{"PUT", "PATCH", "DELETE"} {
			for _, role := range matrixRoles {
				if got := s.do(ask{method: method, target: collection, as: role.login}).outcome(); got != "404 rest_no_route" {
					t.Errorf("%s /%s as %s: %s", method, collection, role.name, got)
				}
			}
		}
	}
	for _, open := range []string{"", "doc"} {
		for _, role := range matrixRoles {
			if got := s.do(ask{target: open, as: role.login}); got.status != 200 || got.header.Get("Allow") != "GET" {
				t.Errorf("GET /%s as %s: %s, Allow %s", open, role.name, got.outcome(), got.header.Get("Allow"))
			}
			if got := s.do(ask{method: "POST", target: open, as: role.login}).outcome(); got != "404 rest_no_route" {
				t.Errorf("POST /%s as %s: %s", open, role.name, got)
			}
		}
	}
}

func checkAllow(t *testing.T, what, role string, a answer, want string) {
	t.Helper()
	if got := a.header.Get("Allow"); got != want && a.status != notSent {
		t.Errorf("%s as %s: Allow %q, want %q", what, role, got, want)
	}
}

func TestMatrixTerms(t *testing.T) {
	s := matrixSite(t)
	for path, collection := range map[string]string{"categories/31": "categories", "tags/41": "tags"} {
		rights := collectionRights[collection]
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			l := &matrixLine{t: t, what: method + " /" + collection + "/{id}"}
			for column, role := range matrixRoles {
				letter := byte('y')
				if method != "GET" {
					letter = rights[column]
				}
				got := s.try(ask{method: method, target: path, as: role.login})
				l.check(column, letter, permissionOf(got), verdicts[letter])
				allow := "GET"
				if rights[column] == 'y' {
					allow = "GET, POST, PUT, PATCH, DELETE"
				}
				checkAllow(t, l.what, role.name, got, allow)
			}
			l.print()
		}
	}
}

// readOutcome returns what GET of a single answers to somebody who may read it, y, or
// may not. Trashed events are never shown.
func readOutcome(kind *api.PostKind, status string, letter byte) string {
	switch {
	case kind == api.Events && strings.HasPrefix(status, "trash"):
		return "403 event-no-longer-available"
	case letter != 'y':
		return "403 " + tribev1.Singular(kind) + "-not-accessible"
	}
	return "allowed"
}

func TestMatrixItems(t *testing.T) {
	oneAtATime(t)
	s := matrixSite(t)
	for k, kind := range matrixKinds {
		for i, r := range itemRights {
			for _, whose := range []string{"own", "other's"} {
				read, edit := r.readOwn, r.editOwn
				if whose != "own" {
					read, edit = r.readOther, r.editOther
				}
				item := func(column int) (int64, bool) {
					if whose != "own" {
						return matrixID(k, i, matrixOwner), true
					}
					return matrixID(k, i, int64(column+1)), column < 5
				}
				for _, by := range []string{"{id}", "by-slug/{slug}"} {
					for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
						l := &matrixLine{t: t, what: fmt.Sprintf("%s /%s/%s %s %s", method, tribev1.Collection(kind), by, whose, r.status)}
						for column, role := range matrixRoles {
							id, exists := item(column)
							if !exists {
								l.letter = append(l.letter, ' ')
								continue
							}
							target := fmt.Sprint(tribev1.Collection(kind), "/", id)
							if by != "{id}" {
								target = fmt.Sprint(tribev1.Collection(kind), "/by-slug/post-", id)
							}
							got := s.try(ask{method: method, target: target, as: role.login})
							allowed := edit[column] // what Allow shows
							if method == "GET" {
								l.check(column, read[column], permissionOf(got), readOutcome(kind, r.status, read[column]))
							} else {
								letter := edit[column]
								if by != "{id}" {
									letter = collectionRights["by-slug"][column]
									allowed = letter
								}
								l.check(column, letter, permissionOf(got), verdicts[letter])
							}
							allow := "GET"
							if allowed == 'y' {
								allow = "GET, DELETE, POST, PUT, PATCH"
							}
							checkAllow(t, l.what, role.name, got, allow)
							if method == "GET" && by == "{id}" {
								checkAllow(t, "OPTIONS "+target, role.name, s.do(ask{method: "OPTIONS", target: target, as: role.login}), allow)
							}
						}
						l.print()
					}
				}
			}
		}
	}
}

// TestMatrixOddPosts: posts that do not exist, or are of another type.
func TestMatrixOddPosts(t *testing.T) {
	s := matrixSite(t)
	for _, c := range []struct{ method, target, rights, refused string }{
		// Only users who may edit events learn that one does not exist.
		{"PUT", "events/999999", "yyyyn-", ""},
		{"DELETE", "events/999999", "yyyyn-", ""},
		// A blog post of the author alois: judged by the rights on blog posts.
		{"PUT", "events/402", "yyynn-", ""},
		{"DELETE", "events/402", "yyynn-", ""},
		// Unknown venues and slugs are refused before rights are checked.
		{"PUT", "venues/999999", "yyyyyy", "400 rest_invalid_param"},
		{"DELETE", "organizers/101", "yyyyyy", "400 rest_invalid_param"},
		{"DELETE", "events/by-slug/nothing", "yyyyyy", "400 rest_invalid_param"},
		{"DELETE", "categories/41", "yyyyyy", "400 rest_invalid_param"},
	} {
		l := &matrixLine{t: t, what: c.method + " /" + c.target}
		for column, role := range matrixRoles {
			got := s.do(ask{method: c.method, target: c.target, as: role.login})
			l.check(column, c.rights[column], permissionOf(got), verdicts[c.rights[column]])
			if c.refused != "" && got.outcome() != c.refused {
				t.Errorf("%s as %s: %s, want %s", l.what, role.name, got.outcome(), c.refused)
			}
		}
		l.print()
	}
}

// TestMatrixLists: which statuses a list shows to whom, without any asked for.
func TestMatrixLists(t *testing.T) {
	s := matrixSite(t)
	all := len(itemRights) - 2 // all but the trash
	for _, kind := range matrixKinds {
		for column, role := range matrixRoles {
			a := s.do(ask{target: tribev1.Collection(kind) + "?per_page=50", as: role.login})
			want := "publish"
			if collectionRights[tribev1.Collection(kind)][column] == 'y' {
				want = "any"
			}
			if !strings.HasSuffix(a.json("rest_url"), "status="+want) {
				t.Errorf("/%s as %s: %s", tribev1.Collection(kind), role.name, a.json("rest_url"))
			}
			if kind == api.Events {
				continue // the matrix's events have no dates, and are not listed
			}
			least := int64(matrixOwner)
			if want == "any" {
				least *= int64(all)
			}
			if total := php.ToInt(a.json("total")); total < least || want == "publish" && total > least+3 {
				t.Errorf("/%s as %s: %d entries", tribev1.Collection(kind), role.name, total)
			}
		}
	}
}
