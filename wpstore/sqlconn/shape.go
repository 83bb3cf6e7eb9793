package sqlconn

import (
	"fmt"
	"reflect"

	sq "github.com/Masterminds/squirrel"
)

// ToSql implements squirrel.Sqlizer: a Statement that is built already runs like a query.
func (s Statement) ToSql() (string, []any, error) { return s.Text, s.Args, nil }

// Shaped returns the statement of a named query whose text depends on a shape alone, and
// not on its arguments: statements that write have other values each time. make builds it
// once for each shape, and args are all of its arguments, in the order of the text. Shapes
// must not depend on what a client sends, but for the number of rows.
func (k *Templates) Shaped(name, shape string, args []any, make func() sq.Sqlizer) (Statement, error) {
	key := "shape\x00" + shape
	if s, ok := k.Find(name, key); ok {
		return Statement{Text: s.Text, Args: args}, nil
	}
	s, err := Build(name, make())
	if err != nil {
		return s, err
	}
	if len(s.Args) != len(args) || len(args) > 0 && !reflect.DeepEqual(s.Args, args) {
		return s, fmt.Errorf("build query %s: its arguments are %v, not %v", name, s.Args, args)
	}
	if len(key) <= maxQueryKey {
		k.keep(templateKey{name, key}, Statement{Text: s.Text})
	}
	return s, nil
}
