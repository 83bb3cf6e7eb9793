package wpfolder_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore/wpfolder"
)

// functions reads a theme whose functions.php is src.
func functions(t *testing.T, src string) wpfolder.Theme {
	t.Helper()
	dir := site(t, map[string]string{"wp-content/themes/t/style.css": "", "wp-content/themes/t/functions.php": src})
	return read(t, dir, wpfolder.Query{Stylesheet: "t"}).Theme
}

func TestHTML5(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{"<?php\n", nil},
		{"<?php add_theme_support( 'html5', array( 'gallery', 'caption', ) );", []string{"caption", "gallery"}},
		{`<?php function setup() { ADD_THEME_SUPPORT("html5", ["caption"]); \add_theme_support('html5', ['caption', 'style']); }`, []string{"caption", "style"}},
		{"<?php add_theme_support('html5', []); add_theme_support('html5'); add_theme_support('title-tag', ['caption']);", nil},
		{"<?php add_theme_support('html5', ['caption', $x]); add_theme_support('html5', $list);", nil},
		{"<?php add_theme_support('html5', ['caption', FEATURE . 'x']); add_theme_support('html5', ['caption') ;", nil},
		{"<?php // add_theme_support('html5', ['caption']);\n$x = \"add_theme_support('html5', ['caption'])\";", nil},
		{"<?php $this->add_theme_support('html5', ['caption']); Theme::add_theme_support('html5', ['caption']);", nil},
		{"<?php add_theme_support('html5', [", nil},
		{"<?php add_theme_support('html5',", nil},
	} {
		if diff := cmp.Diff(tt.want, functions(t, tt.src).HTML5); diff != "" {
			t.Errorf("%s\n%s", tt.src, diff)
		}
	}
}

func TestContentWidth(t *testing.T) {
	for src, want := range map[string]int{
		"<?php if ( ! isset( $content_width ) ) { $content_width = 640; }":         640,
		"<?php function width() { $GLOBALS['content_width'] = 525; }":              525,
		"<?php $content_width = 640; $GLOBALS[\"content_width\"] = 640;":           640,
		"<?php $content_width = 640; if (wide()) $content_width = 800;":            0,
		"<?php $content_width = apply_filters( 'width', 640 );":                    0,
		"<?php $content_width = 640 * 2;":                                          0,
		"<?php $content_width = 640; $content_width += 20;":                        0,
		"<?php $content_width = '640';":                                            0,
		"<?php $GLOBALS['width'] = 640; self::$content_width = 640; $width = 640;": 0,
		"<?php echo $content_width == 640;":                                        0,
		"<?php $content_width =":                                                   0,
		"<?php $GLOBALS['content_width'":                                           0,
		"<?php // $content_width = 640;":                                           0,
	} {
		if got := functions(t, src).ContentWidth; got != want {
			t.Errorf("%s\nis %d, want %d", src, got, want)
		}
	}
}

// TestChildTheme completes a child from its parent: lists add up, and for the rest the
// child's own word counts first.
func TestChildTheme(t *testing.T) {
	dir := site(t, map[string]string{
		"wp-content/themes/child/style.css":                "/*\nTheme Name: Child\nTemplate: parent\nVersion: 0.1\n*/\n",
		"wp-content/themes/child/functions.php":            "<?php add_theme_support('html5', ['gallery', 'style']);",
		"wp-content/themes/parent/style.css":               "/*\n * Theme Name: Parent\n * Version: 2.0\n */\n",
		"wp-content/themes/parent/functions.php":           "<?php add_theme_support('html5', ['caption', 'gallery']); $content_width = 640; add_filter('excerpt_more', 'more');",
		"wp-content/themes/parent/theme.json":              `{"settings":{"layout":{"contentSize":"620px"}}}`,
		"wp-content/themes/parent/templates/index.html":    "",
		"wp-content/themes/narrow/style.css":               "Theme Name: Narrow\nTemplate: gone",
		"wp-content/themes/narrow/theme.json":              `{"settings":{"layout":{"contentSize":"500px"}}}`,
		"wp-content/themes/narrow/functions.php":           "<?php $content_width = 500;",
		"wp-content/themes/odd/style.css":                  "",
		"wp-content/themes/odd/theme.json":                 `{"settings":{"layout":{"contentSize":7}}}`,
		"wp-content/themes/odd/block-templates/index.html": "",
	})
	for _, tt := range []struct {
		stylesheet, template string
		want                 wpfolder.Theme
		warnings             []string
	}{
		{"child", "parent", wpfolder.Theme{Name: "Child", Version: "0.1", Stylesheet: "child", Template: "parent", JSON: true,
			ContentSize: "620px", HTML5: []string{"caption", "gallery", "style"}, ContentWidth: 640, Block: true}, nil},
		{"child", "", wpfolder.Theme{Name: "Child", Version: "0.1", Stylesheet: "child", Template: "parent", JSON: true,
			ContentSize: "620px", HTML5: []string{"caption", "gallery", "style"}, ContentWidth: 640, Block: true}, nil},
		// The option counts, not the header.
		{"narrow", "parent", wpfolder.Theme{Name: "Narrow", Stylesheet: "narrow", Template: "parent", JSON: true,
			ContentSize: "500px", HTML5: []string{"caption", "gallery"}, ContentWidth: 500, Block: true}, nil},
		{"narrow", "", wpfolder.Theme{Name: "Narrow", Stylesheet: "narrow", Template: "gone", JSON: true,
			ContentSize: "500px", ContentWidth: 500}, []string{"wp-content/themes/gone: does not exist"}},
		{"odd", "odd", wpfolder.Theme{Stylesheet: "odd", Template: "odd", JSON: true, Block: true}, nil},
	} {
		f := read(t, dir, wpfolder.Query{Stylesheet: tt.stylesheet, Template: tt.template, Hooks: []string{"excerpt_more"}})
		if diff := cmp.Diff(tt.want, f.Theme); diff != "" {
			t.Errorf("%s over %s\n%s", tt.stylesheet, tt.template, diff)
		}
		expectWarnings(t, f, tt.warnings...)
		if parent := tt.want.Template == "parent"; parent != (len(f.Hooks) == 1) {
			t.Errorf("%s over %s: hooks %v", tt.stylesheet, tt.template, f.Hooks)
		}
	}
}
