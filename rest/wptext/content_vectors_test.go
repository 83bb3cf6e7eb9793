package wptext_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore/phpserial"
)

const vectorHome = "https://cal.example.test"

// sharedFile reads a file of the reference material, which is not part of this
// repository; it skips the test when it is missing.
func sharedFile(t testing.TB, path ...string) []byte {
	t.Helper()
	shared := os.Getenv("CALBRIDGE_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(append([]string{shared}, path...)...))
	if err != nil {
		t.Skipf("no reference material (set CALBRIDGE_SHARED to its folder): %v", err)
	}
	return data
}

// fixtures returns the rows that the recorded vectors refer to.
func fixtures(t testing.TB) *wptext.Resources {
	var rows struct {
		Attachments []struct {
			Post struct {
				ID           int64
				Post_title   string
				Post_excerpt string
				Post_status  string
				Post_name    string
				Post_parent  int64
				Guid         string
				MIME         string `json:"post_mime_type"`
			}
			Meta map[string]string
		}
		Embeds []struct {
			Post struct {
				Name    string `json:"post_name"`
				Content string `json:"post_content"`
			}
		} `json:"oembed_cache"`
	}
	if err := json.Unmarshal(sharedFile(t, "vectors", "fixtures.json"), &rows); err != nil {
		t.Fatal(err)
	}
	res := &wptext.Resources{Attachments: map[int64]*wptext.Attachment{}, Children: map[int64][]*wptext.Attachment{}, Embeds: map[string]string{}}
	for _, row := range rows.Attachments {
		p := row.Post
		meta, err := phpserial.Unserialize(row.Meta["_wp_attachment_metadata"])
		if err != nil {
			t.Fatal(err)
		}
		a := &wptext.Attachment{
			ID: p.ID, Title: p.Post_title, Caption: p.Post_excerpt, Name: p.Post_name, Status: p.Post_status,
			Parent: p.Post_parent, MIMEType: p.MIME, GUID: p.Guid, File: row.Meta["_wp_attached_file"],
			Metadata: meta, Alt: row.Meta["_wp_attachment_image_alt"],
		}
		res.Attachments[a.ID] = a
		if a.IsImage() {
			res.Children[a.Parent] = append(res.Children[a.Parent], a)
		}
	}
	for _, row := range rows.Embeds {
		res.Embeds[row.Post.Name] = row.Post.Content
	}
	return res
}

// contentVector is one recorded description.
type contentVector struct {
	Name, Locale, Input, Output string

	WP69    *string `json:"output_wp_6_9_4"`
	Classic *string `json:"output_classic_theme"`
}

func contentVectors(t testing.TB) (list []contentVector) {
	if err := json.Unmarshal(sharedFile(t, "vectors", "the_content.json"), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// vectorSite is the site of the vectors, with what only the site itself can tell
// taken from the vectors too.
func vectorSite(t testing.TB, list []contentVector) *wptext.Site {
	var profile struct{ HTML map[string]string }
	if err := json.Unmarshal(sharedFile(t, "vectors", "profile-blocks.json"), &profile); err != nil {
		t.Fatal(err)
	}
	site := defaultSite(vectorHome)
	site.ProfileBlocks = maps.Clone(profile.HTML)
	for _, v := range list {
		switch v.Name {
		case "blk-social":
			_, rest, _ := strings.Cut(v.Output, "<svg")
			icon, _, _ := strings.Cut(rest, "</svg>")
			site.ProfileBlocks["core/social-link/facebook"] = "<svg" + icon + "</svg>"
		case "blk-tec-organizer":
			site.ProfileBlocks["tribe/event-organizer#box"] = v.Output
		case "gallery-ids":
			style, _, _ := strings.Cut(*v.Classic, "<div id=")
			style = strings.Replace(style, "width: 33%", "width: {width}%", 1)
			style = strings.ReplaceAll(style, "gallery-1", "gallery-{number}")
			site.GalleryStyle = "\n\t\t" + strings.Replace(style, "float: left", "float: {float}", 1)
		}
	}
	return site
}

func TestContentVectors(t *testing.T) {
	list := contentVectors(t)
	res := fixtures(t)
	base := vectorSite(t, list)
	check := func(t *testing.T, v contentVector, site wptext.Site, want string) {
		t.Helper()
		site.Locale = typography.LocaleFor(v.Locale)
		if got := content.Render(v.Input, &site, res, &wptext.RequestState{}); got != want {
			t.Errorf("%s\n in   %q\n got  %q\n want %q", v.Name, v.Input, got, want)
		}
	}
	t.Run("7.0", func(t *testing.T) {
		for _, v := range list {
			check(t, v, *base, v.Output)
		}
	})
	t.Run("6.9", func(t *testing.T) {
		old := *base
		old.WPVersion = wptext.ParseWPVersion("6.9.4")
		for _, v := range list {
			want := v.Output
			if v.WP69 != nil {
				want = *v.WP69
			}
			check(t, v, old, want)
		}
	})
	t.Run("classic theme", func(t *testing.T) {
		classic := *base
		classic.Theme = wptext.ClassicTheme(false)
		classic.TECBlocks = false
		for _, v := range list {
			want := v.Output
			if v.Classic != nil {
				want = *v.Classic
			}
			check(t, v, classic, want)
		}
	})
}
