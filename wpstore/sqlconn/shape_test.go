package sqlconn

import (
	"reflect"
	"testing"

	sq "github.com/Masterminds/squirrel"
)

// TestShaped: the text of a shape is built once, with the arguments of each call.
func TestShaped(t *testing.T) {
	var k Templates
	built := 0
	shaped := func(shape string, args ...any) (Statement, error) {
		return k.Shaped("options.update", shape, args, func() sq.Sqlizer {
			built++
			return sq.Update("o").Set("v", "a").Where(sq.Eq{"n": "b"})
		})
	}
	want := "/* calbridge:options.update */ UPDATE o SET v = ? WHERE n = ?"
	for i, args := range [][]any{{"a", "b"}, {"c", "d"}} {
		s, err := shaped("one", args...)
		if err != nil || s.Text != want || !reflect.DeepEqual(s.Args, args) || built != 1 {
			t.Errorf("%d: %q %v, built %d times, %v", i, s.Text, s.Args, built, err)
		}
		if again, err := Build("other", s); err != nil || again.Text != want {
			t.Errorf("%d: built again: %q, %v", i, again.Text, err)
		}
	}
	for _, args := range [][]any{{"b", "a"}, {"a"}, nil} {
		if s, err := shaped("other", args...); err == nil {
			t.Errorf("%v: %v", args, s)
		}
	}
}
