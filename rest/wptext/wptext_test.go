package wptext

import (
	"fmt"
	"testing"
)

// TestThemes: the facts of spec/rendering-data/block_layout.json.
func TestThemes(t *testing.T) {
	modern := TwentyTwentyFive()
	for block, gap := range map[string]string{"core/buttons": "16px", "core/columns": "var(--wp--preset--spacing--50)", "core/quote": "var(--wp--preset--spacing--30)"} {
		if modern.Gaps[block] != gap {
			t.Errorf("gap of %s: %s", block, modern.Gaps[block])
		}
	}
	if len(modern.Gaps) != 3 || modern.Gap != "1.2rem" || !modern.HTML5Captions || !modern.HTML5Galleries || !modern.Block || !modern.ThemeJSON || !modern.BlockGap || !modern.RootPadding || modern.ContentWidth != 0 {
		t.Errorf("Twenty Twenty-Five: %+v", modern)
	}
	if old := ClassicTheme(false); old.HTML5Captions || old.HTML5Galleries || old.Block || old.ThemeJSON || old.BlockGap || old.RootPadding || len(old.Gaps) > 0 || old.Gap != "24px" || !ClassicTheme(true).HTML5Captions {
		t.Errorf("classic: %+v", old)
	}
}

func TestFileURL(t *testing.T) {
	const uploads = "https://town.example/files"
	for _, tt := range []struct {
		a             Attachment
		uploads, want string
	}{
		{Attachment{File: "2027/a.jpg"}, uploads, uploads + "/2027/a.jpg"},
		{Attachment{File: "/srv/wp-content/uploads/2027/a.jpg"}, uploads, uploads + "/2027/a.jpg"},
		{Attachment{File: "wp-content/uploads2027/a.jpg"}, uploads, uploads + "/2027/a.jpg"},
		{Attachment{GUID: "http://town.example/a.jpg"}, uploads, "https://town.example/a.jpg"},
		{Attachment{GUID: "http://town.example/a.jpg"}, "http://town.example", "http://town.example/a.jpg"},
		{Attachment{}, uploads, ""},
	} {
		if got := tt.a.FileURL(tt.uploads); got != tt.want {
			t.Errorf("%+v: %s", tt.a, got)
		}
	}
	if !(&Attachment{MIMEType: "image/png"}).IsImage() || (&Attachment{MIMEType: "application/pdf"}).IsImage() || (&Attachment{}).IsImage() {
		t.Error("IsImage")
	}
}

func TestRequestState(t *testing.T) {
	var q RequestState
	if q.Unknown() != nil || q.UniqueID() != "1" || q.UniqueID() != "2" {
		t.Errorf("a new request: %+v", q)
	}
	q.NotRendered("a")
	q.NotRendered("a")
	for i := range 100 {
		q.NotRendered(fmt.Sprint(i))
	}
	q.NotRendered("a")
	if n := q.Unknown(); n["a"] != 3 || n["0"] != 1 || n["99"] != 0 || len(n) != 64 {
		t.Errorf("%d names, a %d times", len(n), n["a"])
	}
}
