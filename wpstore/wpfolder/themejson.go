package wpfolder

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
)

const maxThemeJSON = 1 << 20

// themeFile holds the fields of a theme.json that are read.
type themeFile struct {
	Settings struct {
		AppearanceTools any `json:"appearanceTools"`
		RootPadding     any `json:"useRootPaddingAwareAlignments"`
		Layout          struct {
			ContentSize any `json:"contentSize"`
		} `json:"layout"`
		Spacing spacing `json:"spacing"`
	} `json:"settings"`
	Styles struct {
		Spacing spacing                              `json:"spacing"`
		Blocks  map[string]struct{ Spacing spacing } `json:"blocks"`
	} `json:"styles"`
}

type spacing struct {
	BlockGap any `json:"blockGap"`
}

// themeJSON reads theme.json into t, if the file exists and can be read.
func (r *reader) themeJSON(folder place, t *Theme) {
	data, err := r.whole(folder, "theme.json", maxThemeJSON)
	if err != nil {
		return
	}
	var file themeFile
	if err := json.Unmarshal(data, &file); err != nil {
		r.warn(r.label(folder, "theme.json"), "it is not the JSON of a theme: "+err.Error())
		return
	}
	t.JSON = true
	t.ContentSize, _ = file.Settings.Layout.ContentSize.(string)
	t.Layout = file.layout()
}

func (f *themeFile) layout() Layout {
	var l Layout
	// Any value except null, even false, is support for gaps.
	if f.Settings.Spacing.BlockGap != nil || f.Settings.AppearanceTools == true {
		yes := true
		l.BlockGap = &yes
	}
	if padding, ok := f.Settings.RootPadding.(bool); ok {
		l.RootPadding = &padding
	}
	l.Gap = f.Styles.Spacing.css()
	for name, block := range f.Styles.Blocks {
		if gap := block.Spacing.css(); gap != "" {
			if l.Gaps == nil {
				l.Gaps = map[string]string{}
			}
			l.Gaps[name] = gap
		}
	}
	return l
}

// presets matches references to a value by the name of its variable.
var presets = regexp.MustCompile(`var:([a-z0-9-]+)\|([a-z0-9-]+)\|([a-zA-Z0-9-]+)`)

func (s spacing) css() string {
	gap, _ := s.BlockGap.(string)
	return presets.ReplaceAllString(gap, "var(--wp--$1--$2--$3)")
}

// over completes a child's layout from its parent's.
func (l Layout) over(parent Layout) Layout {
	l.BlockGap = cmp.Or(l.BlockGap, parent.BlockGap)
	l.RootPadding = cmp.Or(l.RootPadding, parent.RootPadding)
	l.Gap = cmp.Or(l.Gap, parent.Gap)
	gaps := maps.Clone(parent.Gaps)
	if gaps == nil {
		gaps = l.Gaps
	} else {
		maps.Copy(gaps, l.Gaps)
	}
	l.Gaps = gaps
	return l
}
