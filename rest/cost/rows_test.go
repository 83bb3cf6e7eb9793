package cost

import (
	"slices"
	"testing"
)

// TestRowForms reads rows of the cost in each form that PHP stores.
func TestRowForms(t *testing.T) {
	for name, c := range map[string]struct {
		rows []string
		want []string
	}{
		"no row":      {nil, nil},
		"empty, NULL": {[]string{""}, nil},
		"zero":        {[]string{"0"}, []string{"0"}},
		"text":        {[]string{"5"}, []string{"5"}},
		"null":        {[]string{"N;"}, nil},
		"false":       {[]string{"b:0;"}, nil},
		"integer":     {[]string{"i:10;"}, []string{"10"}},
		"float":       {[]string{"d:2.5;"}, []string{"2.5"}},
		"string":      {[]string{`s:1:"5";`}, []string{"5"}},
		"empty array": {[]string{"a:0:{}"}, nil},
		"array":       {[]string{`a:2:{i:0;s:1:"5";i:1;i:7;}`}, []string{"5", "7"}},
		"nested":      {[]string{"a:1:{i:0;a:1:{i:0;i:1;}}"}, []string{"Array"}},
		"broken":      {[]string{`s:9:"5";`}, nil},
		"two rows":    {[]string{"5", `s:1:"7";`}, []string{"5", "7"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, e := range Of(c.rows, "en_US") {
				got = append(got, e.Text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
