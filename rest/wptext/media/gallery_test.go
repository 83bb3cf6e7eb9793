package media

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
)

// album returns a post with images 1 to 4 at post 5 in an order of their own by id, menu order, title
// and name, a draft (6), a film (7) and images 11 and 12 at no post.
func album() *wptext.Resources {
	res := &wptext.Resources{Attachments: map[int64]*wptext.Attachment{}, Children: map[int64][]*wptext.Attachment{}}
	for _, a := range []wptext.Attachment{
		{ID: 3, MenuOrder: 1, Title: "b", Name: "z"}, {ID: 1, MenuOrder: 2, Title: "D", Name: "y"}, {ID: 4, MenuOrder: 1, Title: "A", Name: "x"}, {ID: 2, MenuOrder: 0, Title: "c", Name: "w"},
	} {
		a.Parent, a.MIMEType, a.Status, a.GUID = 5, "image/png", "inherit", "/"+strconv.FormatInt(a.ID, 10)+".png"
		res.Attachments[a.ID] = &a
		res.Children[5] = append(res.Children[5], &a)
	}
	for _, a := range []wptext.Attachment{{ID: 12, MIMEType: "image/png"}, {ID: 11, MIMEType: "image/png"}} {
		a.GUID = "/" + strconv.FormatInt(a.ID, 10) + ".png"
		res.Attachments[a.ID] = &a
		res.Children[0] = append(res.Children[0], &a)
	}
	res.Attachments[6] = &wptext.Attachment{ID: 6, MIMEType: "image/png", Status: "draft", GUID: "/6.png"}
	res.Attachments[7] = &wptext.Attachment{ID: 7, MIMEType: "video/mp4", Status: "inherit", GUID: "/7.mp4"}
	return res
}

var imageNumber = regexp.MustCompile(`src="/(\d+)`)

// TestGalleryOrder: which images a gallery shows, and in which order.
func TestGalleryOrder(t *testing.T) {
	site, req := sitetest.Site("https://town.example"), &wptext.RequestState{}
	for in, want := range map[string]string{
		`[gallery]`: "11 12", `[gallery id=5]`: "2 3 4 1", `[gallery id=9]`: "", `[gallery id=5 order=desc]`: "1 4 3 2",
		`[gallery id=5 orderby=ID]`: "1 2 3 4", `[gallery id=5 orderby=title]`: "4 3 2 1", `[gallery id=5 orderby=post_title order=DESC]`: "1 2 3 4",
		`[gallery id=5 orderby=name]`: "2 4 1 3", `[gallery id=5 orderby=post_name]`: "2 4 1 3", `[gallery id=5 orderby="menu_order title"]`: "2 4 3 1",
		`[gallery id=5 orderby=none]`: "2 3 4 1", `[gallery id=5 orderby=menu_order]`: "2 3 4 1",
		`[gallery id=5 exclude="3, 1"]`: "2 4", `[gallery ids="4,2 4,-1,x,99,6,7"]`: "4 2 1", `[gallery ids="4,2,1" orderby=ID]`: "1 2 4",
		`[gallery ids="4,2" orderby=post__in order=DESC]`: "4 2", `[gallery include="4,2,1"]`: "2 4 1", `[gallery include="1" ids="3"]`: "3",
	} {
		var ids []string
		for _, m := range imageNumber.FindAllStringSubmatch(Shortcodes(in, site, album(), req), -1) {
			ids = append(ids, m[1])
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if len(req.Unknown()) > 0 {
		t.Errorf("not rendered: %v", req.Unknown())
	}
	Shortcodes("[gallery id=5 orderby=rand]", site, album(), req)
	if req.Unknown()["[gallery] orderby"] != 1 {
		t.Errorf("at random: %v", req.Unknown())
	}
}

// TestGalleryHTML: the markup of a gallery, by theme and attributes.
func TestGalleryHTML(t *testing.T) {
	site, res, req := sitetest.Site("https://town.example"), sitetest.Resources(), &wptext.RequestState{}
	res.Attachments[9] = &wptext.Attachment{ID: 9, MIMEType: "image/png", File: "x.png"}
	img := func(src, size, rest string) string {
		return `<img ` + rest + `src="https://town.example/wp-content/uploads/` + src + `" class="attachment-` + size + " size-" + size + `" alt="" />`
	}
	check := func(in, want string) {
		t.Helper()
		if got := Shortcodes(in, site, res, req); got != want {
			t.Errorf("%s\n got  %q\n want %q", in, got, want)
		}
	}
	check(`[gallery ids="9" columns=2 size="a b" link=none itemtag=LI icontag=b!r captiontag=script]`,
		"<div id='gallery-1' class='gallery galleryid-0 gallery-columns-2 gallery-size-ab'><li class='gallery-item'>\n\t\t\t<br class='gallery-icon '>\n\t\t\t\t"+
			img("x.png", "a b", "")+"\n\t\t\t</br></li>\n\t\t</div>\n")
	check(`[gallery ids="8" link=file id=4]`, "<div id='gallery-2' class='gallery galleryid-4 gallery-columns-3 gallery-size-thumbnail'>"+
		"<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon portrait'>\n\t\t\t\t<a href='https://town.example/wp-content/uploads/sign.png'>"+
		img("sign.png", "thumbnail", `width="40" height="60" `)+"</a>\n\t\t\t</div></figure>\n\t\t</div>\n")

	site.Theme = wptext.ClassicTheme(false)
	site.GalleryStyle = "<style>#gallery-{number}{width}%</style>"
	item := func(src string) string {
		return "<dl class='gallery-item'>\n\t\t\t<dt class='gallery-icon '>\n\t\t\t\t" + img(src, "thumbnail", "") + "\n\t\t\t</dt></dl>"
	}
	for _, id := range []int64{20, 21, 22} {
		res.Attachments[id] = &wptext.Attachment{ID: id, MIMEType: "image/png", File: fmt.Sprint(id, ".png")}
	}
	check(`[gallery ids="20,21,22" columns=2 link=none]`, "<style>#gallery-350%</style>"+
		"<div id='gallery-3' class='gallery galleryid-0 gallery-columns-2 gallery-size-thumbnail'>"+item("20.png")+item("21.png")+
		`<br style="clear: both" />`+item("22.png")+"\n\t\t\t<br style='clear: both' />\n\t\t</div>\n")
	site.GalleryStyle, site.Theme.NoGalleryStyle = "", true
	check(`[gallery ids="20" link=none]`, "<div id='gallery-4' class='gallery galleryid-0 gallery-columns-3 gallery-size-thumbnail'>"+item("20.png")+"\n\t\t\t<br style='clear: both' />\n\t\t</div>\n")
	site.Theme.NoGalleryStyle = false
	check(`[gallery ids="20" columns=0 link=none]`, "<div id='gallery-5' class='gallery galleryid-0 gallery-columns-0 gallery-size-thumbnail'>"+item("20.png")+"\n\t\t</div>\n")
	if got := fmt.Sprint(req.Unknown()); got != "map[[gallery] style:1]" {
		t.Errorf("not rendered: %s", got)
	}
	req.GalleryItems = 20000
	check(`[gallery ids="20"]`, "")
	req.GalleryItems = 19999
	if Shortcodes(`[gallery ids="20"]`, site, res, req) == "" {
		t.Error("the last image of an answer isn't shown")
	}
}

func TestGalleryRefs(t *testing.T) {
	for in, want := range map[string]string{
		"plain [gal]": "[] []", "[gallery]": "[] [0]", "[gallery id=5] [gallery id=6 /]": "[] [5 6]", "[gallery ids='1,2' include=3][playlist ids=4][playlist]": "[1 2 3 4] []",
		"<a b='[gallery ids=1]'>[caption][gallery ids=2][/caption]": "[1 2] []", "[gallery ids=1": "[] []", "[galleryx ids=1] [gallery ids=2]": "[2] []",
		"[gallery [gallery ids=2]": "[2] []",
	} {
		files, parents := GalleryRefs(in)
		if got := fmt.Sprint(files, parents); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if files, _ := GalleryRefs("[gallery ids='" + strings.Repeat("1,", 600) + "']"); len(files) != 500 {
		t.Errorf("%d images of one gallery", len(files))
	}
}
