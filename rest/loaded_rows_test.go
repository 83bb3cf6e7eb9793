package rest

import (
	"context"
	"database/sql/driver"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/cachetag"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// loadWatch records the rows that the statements of a site return. It wraps the connector to the
// embedded engine, so nothing that a store reads can escape it.
type loadWatch struct {
	driver.Connector
	mu   sync.Mutex
	rows []loadedRow
}

// loadedRow is a row of a result.
type loadedRow struct {
	statement string
	columns   []string
	values    []driver.Value
}

// Connect implements driver.Connector.
func (w *loadWatch) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := w.Connector.Connect(ctx)
	return &watchedConn{c, w}, err
}

// take returns the rows since the last call.
func (w *loadWatch) take() []loadedRow {
	w.mu.Lock()
	defer w.mu.Unlock()
	rows := w.rows
	w.rows = nil
	return rows
}

type watchedConn struct {
	driver.Conn
	watch *loadWatch
}

func (c *watchedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return &watchedRows{rows, c.watch, query}, nil
}

func (c *watchedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
}

func (c *watchedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	return c.Conn.(driver.ConnBeginTx).BeginTx(ctx, opts)
}

// PrepareContext fails, since what a prepared statement returns is not recorded.
func (c *watchedConn) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	return nil, fmt.Errorf("prepared: %s", query)
}

type watchedRows struct {
	driver.Rows
	watch     *loadWatch
	statement string
}

func (r *watchedRows) Next(values []driver.Value) error {
	if err := r.Rows.Next(values); err != nil {
		return err
	}
	r.watch.mu.Lock()
	defer r.watch.mu.Unlock()
	r.watch.rows = append(r.watch.rows, loadedRow{r.statement, r.Columns(), slices.Clone(values)})
	return nil
}

// tags returns the posts, terms and users that a row belongs to, by the names of its columns.
func (r *loadedRow) tags() (tags []invalidation.Tag) {
	for i, column := range r.columns {
		kind := map[string]invalidation.Kind{"post_id": invalidation.Post, "object_id": invalidation.Post, "element_id": invalidation.Post, "term_id": invalidation.Term, "user_id": invalidation.User}[column]
		if column == "ID" {
			if kind = invalidation.Post; strings.Contains(r.statement, "FROM `wp_users`") {
				kind = invalidation.User
			}
		}
		if id, ok := r.values[i].(int64); ok && kind != 0 {
			tags = append(tags, invalidation.Tag{Kind: kind, ID: id})
		}
	}
	return tags
}

// coveredBy reports whether a response with these names is purged when the row of a tag changes. What
// a row says must be covered by its own name. A set covers the choice of rows: which ids a list has.
func (r *loadedRow) coveredBy(tag invalidation.Tag, names []string, policy *cachetag.Policy) bool {
	tags := []invalidation.Tag{tag}
	chosen := !slices.ContainsFunc(r.columns, func(column string) bool { return slices.Contains(saying, column) })
	switch {
	case strings.Contains(r.statement, "calbridge:tickets."): // a change of a ticket changes the set of all
		tags = append(tags, invalidation.Tag{Kind: invalidation.Tickets})
	case tag.Kind == invalidation.Term:
		tags = append(tags, invalidation.Tag{Kind: invalidation.Terms})
	case tag.Kind == invalidation.Post && chosen:
		tags = append(tags, invalidation.Tag{Kind: invalidation.Posts}, invalidation.Tag{Kind: invalidation.Events}, invalidation.Tag{Kind: invalidation.Translations})
	}
	return slices.ContainsFunc(policy.Purged(tags), func(name string) bool { return slices.Contains(names, name) })
}

// saying are the columns of results whose rows clients may see, or that decide what they see.
var saying = []string{"meta_value", "post_title", "post_content", "post_status", "post_password", "name", "display_name", "user_login"}

// argumentValues returns values of the arguments of read routes, by name: some that choose, some that exclude.
func argumentValues() map[string][]string {
	dates := []string{"2020-01-01", "2027-06-01"}
	list := map[string][]string{
		"categories": {"31", "music,34"}, "tags": {"41", "outdoors"}, "venue": {"201", "202,205"}, "organizer": {"301", "302"}, "search": {"a", "mill"}, "slug": {"music", "outdoors"},
		"id": {}, "event": {"101", "102"}, "post": {"101"}, "include": {"101", "34,41"}, "exclude": {"31", "41"}, "parent": {"0", "31"}, "post_parent": {"0", "101"}, "page": {"1", "2"}, "per_page": {"1", "50"},
		"order": {"asc", "desc"}, "orderby": {"name", "count", "slug"}, "status": {"publish", "draft"}, "geoloc_lat": {"50"}, "geoloc_lng": {"14"}, "password": {"sesame"},
		"context": {"view"}, "namespace": {"calendar/events/v1"}, "language_code": {"en", "cs"}, "page_token": {"x"}, "sync_token": {"x"},
	}
	for _, name := range []string{"start_date", "end_date", "starts_after", "starts_before", "ends_after", "ends_before"} {
		list[name] = dates
	}
	for _, name := range []string{"featured", "strict_dates", "ticketed", "hide_empty", "has_events", "only_with_upcoming", "geoloc"} {
		list[name] = []string{"true", "false"}
	}
	return list
}

var capturedPart = regexp.MustCompile(`\(\?P<(\w+)>.*?\)`)

// readTargets returns every read route of the index, without arguments and with each value of each
// argument, on its own and with the dates of all events.
func (s *testSite) readTargets() []string {
	s.t.Helper()
	ids := map[string]string{"events": "101", "venues": "201", "organizers": "301", "categories": "34", "tags": "41"}
	slugs := map[string]string{"events": "dance", "venues": "old-mill", "organizers": "friends", "categories": "music", "tags": "outdoors"}
	values := argumentValues()
	targets := slices.Clone(cachedTargets)
	for pattern, endpoints := range s.indexRoutes() {
		path := strings.TrimPrefix(strings.TrimPrefix(pattern, "/calendar/events/v1"), "/")
		collection, _, _ := strings.Cut(path, "/")
		target := capturedPart.ReplaceAllStringFunc(path, func(parameter string) string {
			if strings.Contains(parameter, "<slug>") {
				return slugs[collection]
			}
			return ids[collection]
		})
		target = strings.ReplaceAll(target, `\.`, ".")
		for _, endpoint := range endpoints {
			if !slices.Contains(endpoint.Methods, http.MethodGet) || strings.HasSuffix(target, "/stream") {
				continue
			}
			targets = append(targets, target, target+"?start_date=2020-01-01&end_date=2030-01-01")
			for name := range endpoint.arguments() {
				known, ok := values[name]
				if !ok {
					s.t.Errorf("/%s has the argument %s, for which this test has no values", target, name)
				}
				for _, value := range known {
					query := url.Values{name: {value}}.Encode()
					targets = append(targets, target+"?"+query, target+"?"+query+"&start_date=2020-01-01&end_date=2030-01-01")
				}
			}
		}
	}
	slices.Sort(targets)
	return slices.Compact(targets)
}

// TestEveryRowReadIsTagged records the rows that the database returns while a response is made, on
// each read route with each of its arguments. The response must have a tag of each post, term and user
// among them, in each format: on its own, or collapsed. So must the same response from a server whose
// caches have what earlier responses loaded.
func TestEveryRowReadIsTagged(t *testing.T) {
	oneAtATime(t)
	for name, prepare := range map[string]func(*testSite){
		"one language": func(*testSite) {},
		"WPML":         func(s *testSite) { s.useWPML(); s.fileTermsUnderWPML() },
		"tickets":      func(s *testSite) { s.withTickets() },
	} {
		t.Run(name, func(t *testing.T) {
			policy := &cachetag.Policy{Formats: cachetag.Formats()}
			tracker := invalidation.NewTracker()
			tracker.Resume(true)
			watch := &loadWatch{}
			database := sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:"), Wrap: func(c driver.Connector) driver.Connector {
				watch.Connector = c
				return watch
			}}
			s := testSiteOn(t, sitedb.Config{Config: database}, func(c *Config) {
				c.Tracker, c.CacheBytes, c.Complete = tracker, 32<<20, true
				c.Compat, c.CacheTags, c.Extensions = api.Safe, policy, true
			})
			s.fill()
			prepare(s)
			warm := s.srv
			responses, loaded := 0, map[invalidation.Kind]int{}
			for _, target := range s.readTargets() {
				s.srv = New(s.DB, s.cfg) // without anything cached
				watch.take()
				cold := s.get(target)
				rows := watch.take()
				s.srv.Close()
				s.srv = warm
				if cold.header.Get("Xkey") == "" {
					continue // it is never stored
				}
				responses++
				reused := s.get(target)
				for _, header := range []string{"Surrogate-Key", "Cache-Tag", "Xkey", "Cache-Groups"} {
					if got, want := reused.header.Get(header), cold.header.Get(header); got != want {
						t.Errorf("%s: a server with caches has %s: %q, one without %q", target, header, got, want)
					}
					names := strings.FieldsFunc(cold.header.Get(header), func(r rune) bool { return strings.ContainsRune(` ,"`, r) })
					missing := map[string]bool{}
					for i := range rows {
						for _, tag := range rows[i].tags() {
							loaded[tag.Kind]++
							if !rows[i].coveredBy(tag, names, policy) {
								missing[fmt.Sprintf("%v by %.60s", tag, rows[i].statement)] = true
							}
						}
					}
					for what := range missing {
						t.Errorf("%s reads %s, and has %s: %q", target, what, header, names)
					}
				}
			}
			if responses < 200 || loaded[invalidation.Post] < 5000 || loaded[invalidation.Term] < 1000 {
				t.Errorf("hardly anything was read: %d responses, %v", responses, loaded)
			}
			t.Logf("%d responses, rows by kind and format: %v", responses, loaded)
		})
	}
}
