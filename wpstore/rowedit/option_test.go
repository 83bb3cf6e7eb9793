package rowedit_test

import (
	"testing"

	"calbridge/wpstore/wptest/rowtest"
)

func TestOptions(t *testing.T) {
	rows := rowtest.Rows(t)
	o := rows.Options
	stored := func() string {
		return rowtest.Texts(t, rows, "SELECT option_id, option_name, option_value, autoload FROM wp_options ORDER BY option_id")
	}
	check := func(step, want string, err error) {
		t.Helper()
		if err != nil || stored() != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", step, err, stored(), want)
		}
	}
	check("new", "1 town Lipa auto", o.Set(t.Context(), "town", "Lipa"))
	check("the same text", "1 town Lipa auto", o.Set(t.Context(), "town", "Lipa"))
	check("another text", "1 town Zittau auto", o.Set(t.Context(), "town", "Zittau"))
	check("a new row", "2 town Lipa auto", o.Replace(t.Context(), "town", "Lipa"))
	// The collation finds TÓWN as well, whose name is another one for WordPress.
	rowtest.Exec(t, rows, "DELETE FROM wp_options")
	rowtest.Exec(t, rows, "INSERT INTO wp_options (option_name, option_value) VALUES ('tówn', 'x')")
	if got, err := o.Locked(t.Context(), "TOWN"); got != "" || err != nil {
		t.Errorf("read %q of another option, %v", got, err)
	}
	if got, err := o.Locked(t.Context(), "TÓWN"); got != "x" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	changes, err := rows.Changed.Changes(t.Context(), rows.Runner, rows.Tables)
	if err != nil || len(changes.Options) != 1 || changes.Options[0] != "town" {
		t.Errorf("changes %+v, %v", changes, err)
	}
}
