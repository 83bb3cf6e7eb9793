package changefeed

import (
	"strings"
	"testing"

	"calbridge/wpstore/binlog"
)

// TestLayoutByNames: where the log has names, a layout of other names doesn't fit.
func TestLayoutByNames(t *testing.T) {
	l := newLayout([]string{"ID", "post_type"}, []string{"id", "title", "post_type"})
	for _, test := range []struct {
		names string
		want  bool
	}{{"", true}, {"ID x Post_Type", true}, {"ID post_type x", false}, {"x id post_type", false}} {
		if got := l.fits(&binlog.Table{Columns: 3, Names: strings.Fields(test.names)}); got != test.want {
			t.Errorf("%s: %v", test.names, got)
		}
	}
	if l.fits(&binlog.Table{Columns: 4}) || (*layout)(nil).fits(&binlog.Table{}) {
		t.Error("fits another table")
	}
}
