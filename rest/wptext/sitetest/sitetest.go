// Package sitetest has a site, its media library and what was recorded of one, for the
// tests of wptext's packages that need a site. Only tests import it.
package sitetest

import (
	"strings"
	"testing"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/texttest"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// Site returns the settings of a site at home (without trailing slash) with WordPress's
// defaults, the theme Twenty Twenty-Five, pretty links and English texts.
func Site(home string) *wptext.Site {
	https := strings.HasPrefix(home, "https://")
	return &wptext.Site{
		Home: home, SiteURL: home, HTTPS: https,
		UploadsURL:         (&wptext.Uploads{SiteURL: home}).URL(https),
		Locale:             typography.LocaleFor(""),
		UseSmilies:         true,
		PermalinkStructure: "/%postname%/",
		Theme:              wptext.TwentyTwentyFive(),
		TECBlocks:          true,
	}
}

// File returns the metadata of one size of an image.
func File(name string, width, height int64) *php.Array {
	return php.Pairs("file", name, "width", width, "height", height, "mime-type", "image/jpeg")
}

// Resources returns one photo (7) with the usual sizes, a small picture (8) without, a
// stored video and a reusable block that contains itself.
func Resources() *wptext.Resources {
	hall := &wptext.Attachment{
		ID: 7, Title: "Hall", Caption: `The "hall"`, Name: "hall", Status: "inherit", MIMEType: "image/jpeg",
		File: "2027/05/hall.jpg", Alt: " A <b>hall</b> ",
		Metadata: php.Pairs("width", int64(1600), "height", int64(1200), "file", "2027/05/hall.jpg", "sizes", php.Pairs(
			"thumbnail", File("hall-150x150.jpg", 150, 150),
			"medium", File("hall-300x225.jpg", 300, 225),
			"large", File("hall-1024x768.jpg", 1024, 768),
		), "image_meta", &php.Array{}),
	}
	sign := &wptext.Attachment{
		ID: 8, Title: "Sign", Name: "sign", Status: "inherit", MIMEType: "image/png", File: "sign.png",
		Metadata: php.Pairs("width", int64(40), "height", int64(60), "file", "sign.png"),
		Parent:   3, ParentURL: "https://town.example/event/fair/", MenuOrder: 2,
	}
	// md5 of https://clips.example/1a:2:{s:5:"width";i:500;s:6:"height";i:750;}
	const clip = "69b63c0f04762caae25e8b2a2a1b8aa8"
	return &wptext.Resources{
		Attachments: map[int64]*wptext.Attachment{7: hall, 8: sign},
		Children:    map[int64][]*wptext.Attachment{0: {hall}, 3: {sign}},
		Embeds:      map[string]string{clip: `<iframe src="https://clips.example/e/1" width="4" height="3"></iframe>`},
		Blocks: map[int64]string{
			5: "<!-- wp:paragraph --><p>Again</p><!-- /wp:paragraph --><!-- wp:block {\"ref\":5} /-->",
		},
		Organizers: map[int64]*wptext.Organizer{9: {Title: "The \"Club\""}},
	}
}

// RecordedHome is the address of the site of the recorded vectors.
const RecordedHome = "https://cal.example.test"

// RecordedResources returns the rows that the recorded vectors refer to.
func RecordedResources(t testing.TB) *wptext.Resources {
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
	texttest.ReadJSON(t, &rows, "vectors", "fixtures.json")
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

// Traits returns those of a version of WordPress.
func Traits(wordpress string) trait.Set {
	return trait.SetOf(trait.Versions{trait.WordPressCore: wordpress})
}
