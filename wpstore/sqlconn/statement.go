package sqlconn

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn/server"
)

// Statement is the text of a query and its arguments, ready to run.
type Statement struct {
	Text string
	Args []any
}

// Build makes the statement of a named query.
func Build(name string, b sq.Sqlizer) (Statement, error) {
	if s, ok := b.(Statement); ok {
		return s, nil
	}
	text, args, err := server.Named(name, b)
	return Statement{Text: text, Args: args}, err
}

// idsMarker stands for the condition on ids while a statement is built. It occurs in no
// SQL and in no name.
const idsMarker = "\x00"

// template is a statement without its condition on ids.
type template struct {
	before, after string
	args          []any
}

// with inserts the ids.
func (t *template) with(column string, ids []int64) Statement {
	var room [1 << 10]byte // enough for the ids of most pages
	list := appendIDList(room[:0], column, ids)
	var text strings.Builder
	text.Grow(len(t.before) + len(list) + len(t.after))
	text.WriteString(t.before)
	text.Write(list)
	text.WriteString(t.after)
	return Statement{Text: text.String(), Args: t.args}
}

// Templates caches statements that squirrel has built: building takes longer than running
// a small query. It is safe for concurrent use.
type Templates struct {
	// templates is replaced, never changed: reading it takes neither a lock nor memory, as
	// the keys of a sync.Map would.
	templates atomic.Pointer[map[templateKey]*template]

	mu      sync.Mutex // of what follows, and of replacing templates
	queries map[templateKey]Statement
}

// maxQueries and maxQueryKey bound the statements of Once, which excludes those with long
// lists of ids.
const (
	maxQueries  = 500
	maxQueryKey = 2 << 10
)

// Once returns the statement of a named query from the cache, or builds it by make. key
// has everything that it depends on.
func (k *Templates) Once(name, key string, make func() sq.Sqlizer) (Statement, error) {
	if s, ok := k.Find(name, key); ok {
		return s, nil
	}
	at := templateKey{name, key}
	s, err := Build(name, make())
	if err != nil {
		return s, err
	}
	if s = inlined(s); len(key) > maxQueryKey {
		return s, nil
	}
	k.keep(at, s)
	return s, nil
}

func (k *Templates) keep(at templateKey, s Statement) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.queries == nil || len(k.queries) >= maxQueries {
		k.queries = map[templateKey]Statement{}
	}
	k.queries[at] = s
}

// Find returns a statement of Once from the cache.
func (k *Templates) Find(name, key string) (Statement, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.queries[templateKey{name, key}]
	return s, ok
}

// templateKey is a named query and what its text depends on.
type templateKey struct{ name, variant string }

// ByIDs returns the statement of a named query for some ids. make builds it around the
// condition onIDs, once for each variant. A site has few variants: they must not depend
// on what a client sends.
func (k *Templates) ByIDs(name, variant, column string, ids []int64, make func(onIDs sq.Sqlizer) sq.Sqlizer) (Statement, error) {
	key := templateKey{name, variant}
	if known := k.templates.Load(); known != nil {
		if t := (*known)[key]; t != nil {
			return t.with(column, ids), nil
		}
	}
	s, err := Build(name, make(sq.Expr(idsMarker)))
	if err != nil {
		return Statement{}, err
	}
	s = inlined(s)
	before, after, ok := strings.Cut(s.Text, idsMarker)
	if !ok {
		return Statement{}, fmt.Errorf("build query %s: no place for the ids", name)
	}
	t := &template{before, after, s.Args}
	k.add(key, t)
	return t.with(column, ids), nil
}

// add keeps a template.
func (k *Templates) add(key templateKey, t *template) {
	k.mu.Lock()
	defer k.mu.Unlock()
	more := map[templateKey]*template{key: t}
	if known := k.templates.Load(); known != nil {
		maps.Copy(more, *known)
	}
	k.templates.Store(&more)
}

// inlined writes the arguments into the text if all are numbers, or texts of characters
// that mean nothing within quotes. Without arguments a statement can be read past the
// driver.
func inlined(s Statement) Statement {
	if strings.Count(s.Text, "?") != len(s.Args) {
		return s
	}
	text := make([]byte, 0, len(s.Text)+16*len(s.Args))
	rest := s.Text
	for _, arg := range s.Args {
		before, after, _ := strings.Cut(rest, "?")
		text = append(text, before...)
		switch v := arg.(type) {
		case int64:
			text = strconv.AppendInt(text, v, 10)
		case string:
			if strings.Trim(v, harmless) != "" {
				return s
			}
			text = append(append(append(text, '\''), v...), '\'')
		default:
			return s
		}
		rest = after
	}
	return Statement{Text: string(append(text, rest...))}
}

// harmless are the characters of names, statuses and dates.
const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-: "
