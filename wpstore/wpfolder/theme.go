package wpfolder

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strconv"

	"calbridge/wpstore/phptoken"
)

const maxFunctions = 512 << 10

// theme reads a theme and completes it from its parent.
func (r *reader) theme(themes place, stylesheet, template string) Theme {
	if stylesheet == "" {
		return Theme{}
	}
	t := r.oneTheme(themes, stylesheet)
	t.Stylesheet = stylesheet
	t.Template = cmp.Or(template, t.Template, stylesheet)
	if t.Template == stylesheet {
		return t
	}
	parent := r.oneTheme(themes, t.Template)
	t.JSON = t.JSON || parent.JSON
	t.Block = t.Block || parent.Block
	t.ContentSize = cmp.Or(t.ContentSize, parent.ContentSize)
	t.ContentWidth = cmp.Or(t.ContentWidth, parent.ContentWidth)
	t.Layout = t.Layout.over(parent.Layout)
	t.HTML5 = union(t.HTML5, parent.HTML5)
	return t
}

// union returns the elements of both lists, sorted, without duplicates.
func union(a, b []string) []string {
	all := slices.Sorted(slices.Values(slices.Concat(a, b)))
	return slices.Compact(all)
}

// oneTheme reads the files of one theme. Its Template comes from style.css.
func (r *reader) oneTheme(themes place, name string) Theme {
	folder := r.folder(themes, name)
	if errors.Is(folder.err, fs.ErrNotExist) {
		r.warn(r.label(themes, name), "the folder of the theme does not exist")
	}
	if folder.err != nil {
		return Theme{}
	}
	var t Theme
	style, err := r.head(folder, "style.css", headerSize)
	if errors.Is(err, fs.ErrNotExist) {
		r.warn(r.label(folder, "style.css"), problem(err))
	}
	t.Name, t.Version, t.Template = header(style, "Theme Name"), header(style, "Version"), header(style, "Template")
	r.themeJSON(folder, &t)
	for _, file := range []string{"templates/index.html", "block-templates/index.html"} {
		if _, _, err := r.locate(folder, file); err == nil {
			t.Block = true
		}
	}
	if functions, err := r.whole(folder, "functions.php", maxFunctions); err == nil {
		tokens := slices.Collect(phptoken.All(string(functions)))
		t.HTML5, t.ContentWidth = html5(tokens), contentWidth(tokens)
	}
	return t
}

// html5 returns the features of every add_theme_support('html5', …) whose list is a
// literal.
func html5(tokens []phptoken.Token) []string {
	var features []string
	for i := range max(len(tokens)-callLength, 0) {
		call := callIn(tokens[i : i+callLength])
		if call.function == "add_theme_support" && call.argument == "html5" {
			features = append(features, texts(tokens[i+callLength:])...)
		}
	}
	return union(features, nil)
}

// texts returns the elements of the array literal at the start of tokens; none unless all
// of them are plain texts.
func texts(tokens []phptoken.Token) []string {
	opening, closing := "[", "]"
	if tokens[0].Is("array") {
		opening, closing = "(", ")"
		tokens = tokens[1:]
	}
	if !tokens[0].Is(opening) {
		return nil
	}
	var list []string
	for i := 1; ; i += 2 {
		if tokens[i].Is(closing) { // the array is empty or ends with a comma
			return list
		}
		text, ok := tokens[i].Quoted()
		if !ok || !tokens[i+1].Is(",", closing) {
			return nil
		}
		list = append(list, text)
		if tokens[i+1].Is(closing) {
			return list
		}
	}
}

// contentWidth returns the number on which all assignments to $content_width, or to its
// element in $GLOBALS, agree; 0 if there is none.
func contentWidth(tokens []phptoken.Token) int {
	width := 0
	for i, t := range tokens {
		if t.Kind != phptoken.Variable || i > 0 && tokens[i-1].Is("::") {
			continue
		}
		value := tokens[i+1:]
		if t.Text == "GLOBALS" && value[0].Is("[") {
			if name, ok := value[1].Quoted(); !ok || name != "content_width" || !value[2].Is("]") {
				continue
			}
			value = value[3:]
		} else if t.Text != "content_width" {
			continue
		}
		if value[0].Kind == phptoken.Compound {
			return 0
		}
		if !value[0].Is("=") {
			continue
		}
		n, err := strconv.Atoi(value[1].Text)
		if err != nil || value[1].Kind != phptoken.Number || !value[2].Is(";") || width != 0 && n != width {
			return 0
		}
		width = n
	}
	return width
}
