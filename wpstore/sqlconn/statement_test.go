package sqlconn

import "testing"

// TestInlined: arguments stand in the text only where nothing has to be quoted.
func TestInlined(t *testing.T) {
	for _, c := range []struct {
		text string
		args []any
		want string // "" for unchanged
	}{
		{"SELECT ? FROM t WHERE x IN (?,?)", []any{int64(-5), "publish", "_tribe modified-fields:1"}, "SELECT -5 FROM t WHERE x IN ('publish','_tribe modified-fields:1')"},
		{"SELECT ?", []any{"it's"}, ""},
		{"SELECT ?", []any{`a\b`}, ""},
		{"SELECT ?", []any{"ě"}, ""},
		{"SELECT ?, '?'", []any{"a"}, ""},
		{"SELECT ?", []any{1.5}, ""},
		{"SELECT 1", nil, "SELECT 1"},
	} {
		got := inlined(Statement{Text: c.text, Args: c.args})
		if c.want == "" && (got.Text != c.text || len(got.Args) != len(c.args)) || c.want != "" && (got.Text != c.want || got.Args != nil) {
			t.Errorf("%s %v: %s %v", c.text, c.args, got.Text, got.Args)
		}
	}
}
