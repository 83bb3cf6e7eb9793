package wpfolder_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore/wpfolder"
)

// TestThemeJSON: what a theme.json says about gaps, and a child's over its parent's.
func TestThemeJSON(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		child, parent string
		want          wpfolder.Layout
	}{
		{`{}`, "", wpfolder.Layout{}},
		{`{"settings":{"appearanceTools":true}}`, "", wpfolder.Layout{BlockGap: &yes}},
		{`{"settings":{"appearanceTools":false,"spacing":{"blockGap":null}}}`, "", wpfolder.Layout{}},
		{`{"settings":{"spacing":{"blockGap":false},"useRootPaddingAwareAlignments":false}}`, "", wpfolder.Layout{BlockGap: &yes, RootPadding: &no}},
		{`{"styles":{"spacing":{"blockGap":"var:preset|spacing|40"},"blocks":{"core/quote":{"spacing":{"blockGap":"1px"}},"core/code":{"spacing":{"blockGap":{"top":"1px"}}}}}}`, "",
			wpfolder.Layout{Gap: "var(--wp--preset--spacing--40)", Gaps: map[string]string{"core/quote": "1px"}}},
		{`{"styles":{"blocks":{"core/quote":{"spacing":{"blockGap":"1px"}}}}}`,
			`{"settings":{"useRootPaddingAwareAlignments":true},"styles":{"spacing":{"blockGap":"2px"},"blocks":{"core/quote":{"spacing":{"blockGap":"3px"}},"core/list":{"spacing":{"blockGap":"4px"}}}}}`,
			wpfolder.Layout{RootPadding: &yes, Gap: "2px", Gaps: map[string]string{"core/quote": "1px", "core/list": "4px"}}},
	} {
		files := map[string]string{"wp-content/themes/own/style.css": "Theme Name: Own", "wp-content/themes/own/theme.json": c.child}
		template := "own"
		if c.parent != "" {
			template = "parent"
			files["wp-content/themes/parent/style.css"], files["wp-content/themes/parent/theme.json"] = "Theme Name: Parent", c.parent
		}
		f := read(t, site(t, files), wpfolder.Query{Stylesheet: "own", Template: template})
		if diff := cmp.Diff(c.want, f.Theme.Layout); diff != "" {
			t.Errorf("%s over %s:\n%s", c.child, c.parent, diff)
		}
	}
}
