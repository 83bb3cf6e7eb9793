package sqlconn

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	sq "github.com/Masterminds/squirrel"
)

// Statement is the text of a query and its arguments, ready to run.
type Statement struct {
	Text string
	Args []any
}

// Build makes the statement of a named query.
func Build(name string, b sq.Sqlizer) (Statement, error) {
	text, args, err := b.ToSql()
	if err != nil {
		return Statement{}, fmt.Errorf("build query %s: %w", name, err)
	}
	return Statement{"/* calbridge:" + name + " */ " + text, args}, nil
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
	text := make([]byte, 0, len(t.before)+len(column)+len(t.after)+8*len(ids)+8)
	text = append(text, t.before...)
	text = appendIDList(text, column, ids)
	return Statement{string(append(text, t.after...)), t.args}
}

// Templates caches statements that squirrel has built: building takes longer than running
// a small query. It is safe for concurrent use.
type Templates struct {
	templates sync.Map // *template by templateKey

	mu      sync.Mutex
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
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.queries == nil || len(k.queries) >= maxQueries {
		k.queries = map[templateKey]Statement{}
	}
	k.queries[at] = s
	return s, nil
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
	if t, ok := k.templates.Load(key); ok {
		return t.(*template).with(column, ids), nil
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
	k.templates.Store(key, t)
	return t.with(column, ids), nil
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
	return Statement{string(append(text, rest...)), nil}
}

// harmless are the characters of names, statuses and dates.
const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-: "
