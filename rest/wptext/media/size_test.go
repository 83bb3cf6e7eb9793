package media

import (
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
	"calbridge/wpstore/php"
)

// TestDefaultSizes: the largest boxes of WordPress's named sizes, for an image of twice
// that size and more.
func TestDefaultSizes(t *testing.T) {
	site := sitetest.Site("https://town.example")
	site.ImageSizes = map[string][2]int64{"large": {800, 0}, "square": {50, 50}}
	for size, want := range map[string][2]int64{
		"thumb": {150, 113}, "thumbnail": {150, 113}, "medium": {300, 225}, "medium_large": {768, 576}, "1536x1536": {1536, 1152},
		"2048x2048": {2048, 1536}, "full": {4000, 3000}, "large": {800, 600}, "square": {50, 38},
	} {
		a := &wptext.Attachment{File: "a.jpg", Metadata: php.Pairs("width", int64(4000), "height", int64(3000))}
		if got := sourceFor(a, size, site); [2]int64{got.width, got.height} != want {
			t.Errorf("%s: %dx%d, want %v", size, got.width, got.height, want)
		}
	}
	tall := &wptext.Attachment{File: "a.jpg", Metadata: php.Pairs("width", int64(3000), "height", int64(4000))}
	site.ImageSizes = nil
	for size, want := range map[string][2]int64{
		"thumb": {113, 150}, "thumbnail": {113, 150}, "medium": {225, 300}, "medium_large": {768, 1024}, "large": {768, 1024},
		"1536x1536": {1152, 1536}, "2048x2048": {1536, 2048},
	} {
		if got := sourceFor(tall, size, site); [2]int64{got.width, got.height} != want {
			t.Errorf("%s of a tall image: %dx%d, want %v", size, got.width, got.height, want)
		}
	}
	wide := &wptext.Attachment{File: "a.jpg", Metadata: php.Pairs("width", int64(4000), "height", int64(1000))}
	if got := sourceFor(wide, "large", site); got.width != 1024 || got.height != 256 {
		t.Errorf("large: %+v", got)
	}
	// The content width of the theme limits all but the two small sizes.
	site.Theme.ContentWidth = 200
	for size, want := range map[string]int64{"thumbnail": 150, "medium": 300, "medium_large": 200, "full": 200} {
		a := &wptext.Attachment{File: "a.jpg", Metadata: php.Pairs("width", int64(4000), "height", int64(3000))}
		if got := sourceFor(a, size, site); got.width != want {
			t.Errorf("%s in a narrow theme: %d, want %d", size, got.width, want)
		}
	}
	stored := sitetest.Resources().Attachments[7]
	if got, want := sourceFor(stored, "medium", site), (source{"https://town.example/wp-content/uploads/2027/05/hall-300x225.jpg", 300, 225}); got != want {
		t.Errorf("stored size: %+v", got)
	}
	if got := sourceFor(&wptext.Attachment{GUID: "https://a.example/x"}, "medium", site); got != (source{url: "https://a.example/x"}) {
		t.Errorf("without file and metadata: %+v", got)
	}
}

// TestThemeSizes: a theme replaces the attribute sizes of images in galleries, and scales them.
func TestThemeSizes(t *testing.T) {
	site := sitetest.Site("https://town.example")
	stored := sitetest.Resources().Attachments[7]
	small := &wptext.Attachment{ID: 1, File: "a.jpg", Metadata: php.Pairs("width", int64(300), "height", int64(200))}
	for name, c := range map[string]struct {
		of    *wptext.Attachment
		theme wptext.Theme
		want  string
	}{
		"no theme":            {stored, wptext.Theme{}, `sizes="(max-width: 300px) 100vw, 300px" />`},
		"by width":            {stored, wptext.Theme{Sizes: []wptext.SizesFrom{{Width: 400, Sizes: "x"}, {Width: 300, Sizes: "{width}px"}}}, `sizes="300px" />`},
		"galleries":           {stored, wptext.Theme{AttachmentSizes: "50vw"}, `w" sizes="50vw" />`},
		"without other files": {small, wptext.Theme{AttachmentSizes: "50vw"}, `alt="" sizes="50vw" />`},
		"scaled":              {small, wptext.Theme{ScaledAttachments: true}, `alt="" style="width:100%;height:66.67%;max-width:300px;" />`},
		"of unknown size":     {&wptext.Attachment{ID: 1, File: "a.jpg"}, wptext.Theme{ScaledAttachments: true}, `alt="" />`},
	} {
		site.Theme = c.theme
		if got := ImageTag(c.of, "medium", "", site); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestConstrain(t *testing.T) {
	for _, tt := range [][6]int64{
		// width, height, limits, result: the shape stays, no side becomes 0
		{100, 50, 0, 0, 100, 50}, {100, 50, 50, 0, 50, 25}, {100, 50, 0, 10, 20, 10}, {100, 50, 200, 200, 100, 50}, {100, 50, 50, 10, 20, 10},
		{1000, 1, 10, 0, 10, 1}, {1, 1000, 0, 10, 1, 10}, {101, 67, 50, 33, 50, 33}, {3, 1000, 2, 1000, 2, 667}, {640, 427, 300, 200, 300, 200},
	} {
		if w, h := constrain(tt[0], tt[1], tt[2], tt[3]); w != tt[4] || h != tt[5] {
			t.Errorf("%v: %dx%d", tt, w, h)
		}
	}
	for in, want := range map[float64]int64{0.5: 1, 0.49: 0, 2.5: 3, 1e17: 0, 7: 7, 112.49999999999999: 113} {
		if got := roundHalfUp(in); got != want {
			t.Errorf("%v rounds to %d", in, got)
		}
	}
	if ScaledHeight(1600, 1200, 100) != 75 || ScaledHeight(0, 5, 10) != 0 {
		t.Error("ScaledHeight")
	}
}

func TestTag(t *testing.T) {
	site, res := sitetest.Site("https://town.example"), sitetest.Resources()
	const uploads = "https://town.example/wp-content/uploads/"
	if got, want := ImageTag(res.Attachments[7], "medium", "cap<1", site), `<img width="300" height="225" src="`+uploads+`2027/05/hall-300x225.jpg" `+
		`class="attachment-medium size-medium" alt="A hall" aria-describedby="cap&lt;1" srcset="`+uploads+`2027/05/hall-300x225.jpg 300w, `+
		uploads+`2027/05/hall-1024x768.jpg 1024w, `+uploads+`2027/05/hall.jpg 1600w" sizes="(max-width: 300px) 100vw, 300px" />`; got != want {
		t.Errorf("photo\n got  %s\n want %s", got, want)
	}
	if got, want := ImageTag(&wptext.Attachment{GUID: "/x.jpg"}, "a b", "", site), `<img src="/x.jpg" class="attachment-a b size-a b" alt="" />`; got != want {
		t.Errorf("no file\n got  %s\n want %s", got, want)
	}
	if got := ImageTag(&wptext.Attachment{}, "full", "", site); got != "" {
		t.Errorf("nothing: %s", got)
	}
}

// TestPermalink: the address of an attachment with each kind of permalink.
func TestPermalink(t *testing.T) {
	const home = "https://town.example"
	for _, tt := range []struct {
		structure string
		a         wptext.Attachment
		want      string
	}{
		{"", wptext.Attachment{ID: 7, Name: "hall"}, "/?attachment_id=7"},
		{"/%postname%/", wptext.Attachment{ID: 7, Name: "hall"}, "/hall/"},
		{"/blog/%postname%", wptext.Attachment{ID: 7, Name: "hall"}, "/hall"},
		{"/%postname%/", wptext.Attachment{ID: 7, Name: "hall", Parent: 3}, "/?attachment_id=7"},
		{"/%postname%/", wptext.Attachment{ID: 7, Name: "hall", Parent: 3, ParentURL: home + "/?p=3"}, "/?attachment_id=7"},
		{"/%postname%/", wptext.Attachment{ID: 7, Name: "hall", Parent: 3, ParentURL: home + "/event/fair/"}, "/event/fair/hall/"},
		{"/%postname%", wptext.Attachment{ID: 7, Name: "12", Parent: 3, ParentURL: home + "/event/fair"}, "/event/fair/attachment/12"},
		{"/%category%/%postname%/", wptext.Attachment{ID: 7, Name: "hall", Parent: 3, ParentURL: home + "/event/fair/"}, "/event/fair/attachment/hall/"},
	} {
		site := sitetest.Site(home)
		site.PermalinkStructure = tt.structure
		if got := Permalink(&tt.a, site); got != home+tt.want {
			t.Errorf("%s %+v: %s", tt.structure, tt.a, got)
		}
	}
}

// TestSrcset: which files of an attachment are offered.
func TestSrcset(t *testing.T) {
	const uploads, edit = "https://town.example/wp-content/uploads/", "-e1234567890123"
	photo := func(file string, width, height int64, sizes ...any) *wptext.Attachment {
		return &wptext.Attachment{ID: 1, Metadata: php.Pairs("width", width, "height", height, "file", file, "sizes", php.Pairs(sizes...))}
	}
	file := sitetest.File
	gif := file("a-150x150.gif", 150, 150)
	gif.SetString("mime-type", "image/gif")
	for _, tt := range []struct {
		name  string
		a     *wptext.Attachment
		shown source
		want  string
	}{
		{"another shape", photo("d/a.jpg", 400, 400, "m", file("a-200x100.jpg", 200, 100)), source{uploads + "d/a.jpg", 400, 400}, ""},
		{"a pixel off", photo("d/a.jpg", 401, 300, "m", file("a-200x151.jpg", 200, 151)), source{uploads + "d/a.jpg", 401, 300},
			uploads + "d/a.jpg 401w, " + uploads + "d/a-200x151.jpg 200w"},
		{"too large", photo("d/a b.jpg", 4000, 4000, "m", file("m.jpg", 2048, 2048), "n", file("n.jpg", 2049, 2049)), source{uploads + "d/a b.jpg", 4000, 4000},
			uploads + "d/a%20b.jpg 4000w, " + uploads + "d/m.jpg 2048w"},
		{"equal widths", photo("d/a.jpg", 400, 400, "m", file("m.jpg", 200, 200), "n", file("n.jpg", 200, 200)), source{uploads + "d/a.jpg", 400, 400},
			uploads + "d/a.jpg 400w, " + uploads + "d/n.jpg 200w"},
		{"equal to the shown one", photo("d/a.jpg", 200, 200, "m", file("m.jpg", 200, 200), "n", file("n.jpg", 100, 100)), source{uploads + "d/a.jpg", 200, 200},
			uploads + "d/a.jpg 200w, " + uploads + "d/n.jpg 100w"},
		{"not among the files", photo("d/a.jpg", 400, 400, "m", file("m.jpg", 200, 200)), source{uploads + "x.jpg", 400, 400}, ""},
		{"no sizes", photo("d/a.jpg", 400, 400), source{uploads + "d/a.jpg", 400, 400}, ""},
		{"size unknown", photo("d/a.jpg", 400, 400, "m", file("m.jpg", 200, 200)), source{url: uploads + "d/a.jpg"}, ""},
		{"no array", photo("d/a.jpg", 400, 400, "m", "m.jpg", "n", file("n.jpg", 200, 200)), source{uploads + "d/a.jpg", 400, 400},
			uploads + "d/a.jpg 400w, " + uploads + "d/n.jpg 200w"},
		{"edited", photo("d/a"+edit+".jpg", 400, 400, "m", file("a"+edit+"-200x200.jpg", 200, 200), "n", file("a-100x100.jpg", 100, 100)),
			source{uploads + "d/a" + edit + ".jpg", 400, 400}, uploads + "d/a" + edit + ".jpg 400w, " + uploads + "d/a" + edit + "-200x200.jpg 200w"},
		{"before the edit", photo("d/a"+edit+".jpg", 400, 400, "m", file("m.jpg", 200, 200)), source{uploads + "d/a.jpg", 400, 400}, ""},
		{"whole GIF", photo("d/a.gif", 400, 400, "thumbnail", gif, "m", file("m.gif", 200, 200)), source{uploads + "d/a.gif", 400, 400}, ""},
		{"size of a GIF", photo("d/a.gif", 400, 400, "thumbnail", gif, "m", file("m.gif", 200, 200)), source{uploads + "d/m.gif", 200, 200},
			uploads + "d/m.gif 200w, " + uploads + "d/a-150x150.gif 150w"},
	} {
		if got := srcset(tt.a, tt.shown, sitetest.Site("https://town.example")); got != tt.want {
			t.Errorf("%s\n got  %s\n want %s", tt.name, got, tt.want)
		}
	}
	site := sitetest.Site("https://town.example")
	for in, want := range map[string]string{"http://town.example/u": "https://town.example/u", "http://cdn.example/u": "http://cdn.example/u", "https://cdn.example": "https://cdn.example"} {
		if got := sameScheme(in, site); got != want {
			t.Errorf("%s over https: %s", in, got)
		}
	}
	if got := sameScheme("http://town.example/u", sitetest.Site("http://town.example")); got != "http://town.example/u" {
		t.Errorf("over http: %s", got)
	}
}
