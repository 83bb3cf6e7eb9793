package sitedb_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"calbridge/testdata"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// recorded is a list that the reference answered, as far as the store can be
// asked for it: the request, the ids in order and the total.
type recorded struct {
	id, as string
	path   string // of the resource, without the namespace: "/events"
	params url.Values
	echo   url.Values // parameters of rest_url in the answer
	noisy  bool       // the recordings say that the answer varies

	ids   []int64
	total int64
}

// recordedLists reads the lists of a group of recordings.
func recordedLists(t testing.TB, site, group string) []recorded {
	t.Helper()
	file, err := os.Open(testdata.Shared(t, "recordings", site, "reads-"+group+".jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var lists []recorded
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if list, ok := readList(lines.Bytes()); ok {
			lists = append(lists, list)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return lists
}

func readList(line []byte) (recorded, bool) {
	var exchange struct {
		ID, As  string
		Request struct {
			Method, Path string
			Headers      map[string]any
			Body         *string
		}
		Response struct {
			Status int
			Body   string
		}
		Noise []string
	}
	if json.Unmarshal(line, &exchange) != nil || exchange.Request.Method != "GET" ||
		exchange.Response.Status != 200 || exchange.Request.Body != nil || len(exchange.Request.Headers) > 0 {
		return recorded{}, false
	}
	var answer map[string]json.RawMessage
	target, err := url.Parse(exchange.Request.Path)
	if err != nil || json.Unmarshal([]byte(exchange.Response.Body), &answer) != nil {
		return recorded{}, false
	}
	_, path, _ := strings.Cut(target.Path, "/tribe/events/v1")
	path = strings.TrimSuffix(path, "/")
	list := recorded{id: exchange.ID, as: exchange.As, path: path, params: looseQuery(target.RawQuery), noisy: len(exchange.Noise) > 0}
	var items []struct{ ID *int64 }
	var restURL string
	if json.Unmarshal(answer[strings.TrimPrefix(path, "/")], &items) != nil ||
		json.Unmarshal(answer["total"], &list.total) != nil || json.Unmarshal(answer["rest_url"], &restURL) != nil {
		return recorded{}, false
	}
	for _, item := range items {
		if item.ID == nil {
			return recorded{}, false
		}
		list.ids = append(list.ids, *item.ID)
	}
	_, query, _ := strings.Cut(restURL, "?")
	list.echo = looseQuery(query)
	return list, true
}

// looseQuery reads a query as PHP does, which takes a lone percent sign as it is.
func looseQuery(query string) url.Values {
	values := url.Values{}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		if unescaped, err := url.QueryUnescape(value); err == nil {
			value = unescaped
		}
		if unescaped, err := url.QueryUnescape(key); err == nil {
			key = unescaped
		}
		values.Add(key, value)
	}
	return values
}

// only reports whether the request has no other parameters than these.
func (r recorded) only(names ...string) bool {
	for name, values := range r.params {
		if !slices.Contains(names, strings.TrimSuffix(name, "[]")) || len(values) > 1 && !strings.HasSuffix(name, "[]") {
			return false
		}
	}
	return true
}

// list returns the entries of a list parameter, in either notation.
func (r recorded) list(name string) []string {
	entries, ok := r.params[name+"[]"]
	if !ok {
		entries = strings.Split(r.params.Get(name), ",")
	}
	var list []string
	for _, entry := range entries {
		if entry = strings.TrimSpace(entry); entry != "" {
			list = append(list, entry)
		}
	}
	return list
}

// idList returns the entries of a list of ids; nil if the parameter is absent. ok is false
// if an entry is not a number.
func (r recorded) idList(name string) (ids []int64, ok bool) {
	for _, entry := range r.list(name) {
		id, err := strconv.ParseInt(entry, 10, 64)
		if err != nil {
			return nil, false
		}
		ids = append(ids, id)
	}
	return ids, true
}

func (r recorded) has(name string) bool { return r.params.Has(name) || r.params.Has(name+"[]") }

// statuses returns those that the request asks for, given what its user may do, and
// the user whose own private posts are listed besides.
func (r recorded) statuses() (statuses []string, own *wpstore.Own) {
	if r.has("status") && len(r.list("status")) > 0 {
		return r.list("status"), nil
	}
	switch {
	case r.as == "anonymous" || r.as == "subscriber1":
		return []string{"publish"}, nil
	case !r.has("status"):
		return nil, nil
	case r.as == "admin" || r.as == "editor1":
		return []string{"publish", "private"}, nil
	}
	author := map[string]int64{"author1": 3, "contributor1": 4}[r.as]
	return []string{"publish"}, &wpstore.Own{Author: author, Statuses: []string{"publish", "private"}}
}

// page returns the limit and offset of the request, by the echo where there is one.
func (r recorded) page(perPage int64) (limit, offset int64) {
	page := int64(1)
	for _, from := range []url.Values{r.params, r.echo} {
		if n, err := strconv.ParseInt(strings.TrimSpace(from.Get("per_page")), 10, 64); err == nil {
			perPage = min(n, 50)
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(from.Get("page")), 10, 64); err == nil {
			page = n
		}
	}
	return perPage, perPage * (page - 1)
}

func isTrue(text string) bool { return php.Truthy(text) }

// openSite opens the database of a recorded site.
func openSite(t testing.TB, engine, site string) *sitedb.DB {
	t.Helper()
	return open(t, wptest.Site(t, engine, site))
}

func open(t testing.TB, d wptest.Database) *sitedb.DB {
	t.Helper()
	db, err := sitedb.Open(context.Background(), sitedb.Config{
		Config: sqlconn.Config{Database: wptest.Address(t, d.DSN), Now: d.Now, FixedClock: true}, Tables: table.Config{Prefix: d.TablePrefix},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// onEngines runs a test on the dump of a site in each engine.
func onEngines(t *testing.T, site string, test func(*testing.T, *sitedb.DB)) {
	for _, engine := range wptest.Engines() {
		t.Run(engine+"/"+site, func(t *testing.T) { test(t, openSite(t, engine, site)) })
	}
}
