package wpcap

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"calbridge/testdata"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// The tests of this file check against the reference's databases and recordings,
// which are not part of the repository.

type referenceSite struct {
	roles  Roles
	caps   map[int64]php.Value // user meta by user
	trash  map[int64]string    // status before the trash, by post
	posts  map[int64]*Post
	parent map[int64]int64
	logins map[string]int64
}

func eachLine(t *testing.T, path string, do func(line string)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		do(lines.Text())
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

var (
	insertInto = regexp.MustCompile("^INSERT INTO `([^`]+)` VALUES")
	sqlValue   = regexp.MustCompile(`'(?:[^'\\]|\\.)*'|[^,()']+`)
	unescape   = strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\\`, `\`, `\n`, "\n", `\r`, "\r", `\0`, "\x00")
)

// sqlRow splits one line of an extended INSERT into its values.
func sqlRow(line string) []string {
	if !strings.HasPrefix(line, "(") {
		return nil
	}
	values := sqlValue.FindAllString(line[1:], -1)
	for i, v := range values {
		if strings.HasPrefix(v, "'") {
			values[i] = unescape.Replace(v[1 : len(v)-1])
		}
	}
	return values
}

func readSite(t *testing.T, name, prefix string) *referenceSite {
	s := &referenceSite{
		caps: map[int64]php.Value{}, trash: map[int64]string{},
		posts: map[int64]*Post{}, parent: map[int64]int64{}, logins: map[string]int64{},
	}
	table := ""
	eachLine(t, testdata.Shared(t, "sites", name+".sql.gz"), func(line string) {
		if m := insertInto.FindStringSubmatch(line); m != nil {
			table = strings.TrimPrefix(m[1], prefix)
			return
		}
		row := sqlRow(line)
		switch {
		case len(row) < 4:
		case table == "options" && row[1] == prefix+"user_roles":
			s.roles = ParseRoles(phpserial.Maybe(row[2]))
		case table == "usermeta" && row[2] == prefix+"capabilities":
			s.caps[php.ToInt(row[1])] = phpserial.Maybe(row[3])
		case table == "users":
			s.logins[row[1]] = php.ToInt(row[0])
		case table == "postmeta" && row[2] == "_wp_trash_meta_status":
			s.trash[php.ToInt(row[1])] = row[3]
		case table == "posts" && len(row) == 23:
			id := php.ToInt(row[0])
			s.posts[id] = &Post{ID: id, Author: php.ToInt(row[1]), Status: row[7], Type: row[20]}
			s.parent[id] = php.ToInt(row[17])
		}
	})
	for id, p := range s.posts {
		p.TrashStatus, p.Parent = s.trash[id], s.posts[s.parent[id]]
	}
	if len(s.posts) < 50 || len(s.logins) == 0 || len(s.roles) == 0 {
		t.Fatalf("dump not understood: %d posts, %d users, %q", len(s.posts), len(s.logins), slices.Sorted(maps.Keys(s.roles)))
	}
	return s
}

func (s *referenceSite) user(login string) *User {
	id := s.logins[login]
	return NewUser(id, login, s.roles, s.caps[id], false)
}

func eachSite(t *testing.T, test func(t *testing.T, name string, s *referenceSite)) {
	for name, prefix := range map[string]string{"mono": "wp_", "poly": "pl_", "wpml": "wp_"} {
		t.Run(name, func(t *testing.T) { test(t, name, readSite(t, name, prefix)) })
	}
}

// The stored roles of the reference grant what the hand-written ones grant.
func TestReferenceRoles(t *testing.T) {
	eachSite(t, func(t *testing.T, _ string, s *referenceSite) {
		ours := defaultRoles()
		for key, grants := range ours {
			role, ok := s.roles[key]
			if !ok {
				t.Errorf("no role %s", key)
				continue
			}
			for cap := range grants {
				if !role[cap] {
					t.Errorf("%s lacks %s", key, cap)
				}
			}
			for cap, granted := range role {
				if _, known := ours["administrator"][cap]; known && granted && !grants[cap] {
					t.Errorf("%s has %s", key, cap)
				}
			}
		}
		for _, login := range []string{"admin", "editor1", "author1", "contributor1", "subscriber1"} {
			if u := s.user(login); len(u.roles) != 1 || !u.Can("read") {
				t.Errorf("%s: %+v", login, u)
			}
		}
	})
}

type request struct {
	Method, Path string
	Headers      map[string]string
}

type response struct {
	Status int
	Body   string
}

func (r response) code() string {
	var answer struct{ Code string }
	_ = json.Unmarshal([]byte(r.Body), &answer)
	return answer.Code
}

var singlePath = regexp.MustCompile(`/tribe/events/v1/(events|venues|organizers)/(\d{1,9})/?(?:\?.*)?$`)

func hasCredentials(r request) bool {
	return r.Headers["Authorization"] != "" || r.Headers["Cookie"] != "" || r.Headers["X-WP-Nonce"] != ""
}

func TestReferenceReads(t *testing.T) {
	eachSite(t, func(t *testing.T, name string, s *referenceSite) {
		files, _ := filepath.Glob(filepath.Join(testdata.Shared(t, "recordings", name), "reads-*.jsonl.gz"))
		checked := 0
		for _, path := range files {
			eachLine(t, path, func(line string) {
				var e struct {
					ID, As   string
					Request  request
					Response response
				}
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Fatal(err)
				}
				m := singlePath.FindStringSubmatch(e.Request.Path)
				if m == nil || e.Request.Method != "GET" || hasCredentials(e.Request) {
					return
				}
				id, _ := strconv.ParseInt(m[2], 10, 64)
				p := s.posts[id]
				code := e.Response.code()
				refused := strings.HasSuffix(code, "-not-accessible")
				if p == nil || !refused && e.Response.Status != 200 {
					return
				}
				checked++
				may := p.Status == "publish" || ReadPost(s.user(e.As), p, Site{})
				if may == refused {
					t.Errorf("%s: %s reads %+v: %v, recorded %d %s", e.ID, e.As, *p, may, e.Response.Status, code)
				}
			})
		}
		t.Logf("%d reads", checked)
	})
}

func TestReferenceWrites(t *testing.T) {
	eachSite(t, func(t *testing.T, name string, s *referenceSite) {
		checked := 0
		eachLine(t, testdata.Shared(t, "recordings", name, "writes.jsonl.gz"), func(line string) {
			var e struct {
				ID, As string
				Steps  []struct {
					As       string
					Request  request
					Response response
				}
			}
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			step := e.Steps[0]
			if step.As == "" {
				step.As = e.As
			}
			m := singlePath.FindStringSubmatch(step.Request.Path)
			if m == nil || hasCredentials(step.Request) || step.Response.Status == 400 || step.Response.Status == 404 || strings.Contains(step.Request.Path, "_method") {
				return
			}
			id, _ := strconv.ParseInt(m[2], 10, 64)
			p := s.posts[id]
			if p == nil {
				return
			}
			check := EditPost
			switch step.Request.Method {
			case "GET", "HEAD", "OPTIONS":
				return
			case "DELETE":
				check = DeletePost
			}
			if step.Request.Headers["X-HTTP-Method-Override"] != "" {
				return
			}
			checked++
			may := check(s.user(step.As), p, Site{})
			if refused := step.Response.code() == "rest_forbidden"; may == refused {
				t.Errorf("%s: %s %s %+v: %v, recorded %d %s", e.ID, step.As, step.Request.Method, *p, may, step.Response.Status, step.Response.code())
			}
		})
		t.Logf("%d writes", checked)
	})
}
