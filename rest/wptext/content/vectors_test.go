package content

import (
	"maps"
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blocks"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
	"calbridge/rest/wptext/typography"
)

// linkedPost is a venue or organizer in a recorded input.
type linkedPost struct{ Description, Excerpt string }

func TestJSONLDVectors(t *testing.T) {
	type linkedOutput struct{ Description *string }
	var list []struct {
		Name  string
		Input struct {
			linkedPost
			Venue     *linkedPost
			Organizer []linkedPost
		}
		Output struct {
			linkedOutput
			Location, Organizer *linkedOutput
		}
	}
	texttest.ReadJSON(t, &list, "vectors", "json_ld.json")
	site, res := sitetest.Site(sitetest.RecordedHome), sitetest.RecordedResources(t)
	check := func(name string, in linkedPost, want *linkedOutput) {
		t.Helper()
		if got := LDDescription(in.Excerpt, in.Description, usualMore, site, res, &wptext.RequestState{}); got != *want.Description {
			t.Errorf("%s\n got  %q\n want %q", name, got, *want.Description)
		}
	}
	for _, v := range list {
		check(v.Name, v.Input.linkedPost, &v.Output.linkedOutput)
		if v.Input.Venue != nil {
			check(v.Name+" venue", *v.Input.Venue, v.Output.Location)
		}
		if len(v.Input.Organizer) > 0 {
			check(v.Name+" organizer", v.Input.Organizer[0], v.Output.Organizer)
		}
	}
}

func TestExcerptVectors(t *testing.T) {
	site, res := sitetest.Site(sitetest.RecordedHome), sitetest.RecordedResources(t)
	texttest.Check(t, "excerpt.json", func(v texttest.Vector) (string, bool) {
		req := &wptext.RequestState{}
		switch v.Fn {
		case "tribe_events_get_the_excerpt":
			return TECExcerpt(v.PostExcerpt, v.Input, usualMore, site, res, req), true
		case "excerpt_remove_blocks":
			return blocks.RenderExcerpt(v.Input, site, res, req), true
		case "the_excerpt":
			local := *site
			local.Locale = typography.LocaleFor(v.Locale)
			return Excerpt(v.Input, &local, res, req), true
		}
		return "", false // of package sanitize
	})
}

// contentVector is one recorded description.
type contentVector struct {
	Name, Locale, Input, Output string

	WP69    *string `json:"output_wp_6_9_4"`
	Classic *string `json:"output_classic_theme"`
}

func contentVectors(t testing.TB) []contentVector {
	return texttest.Vectors[contentVector](t, "the_content.json")
}

// vectorSite returns the site of the vectors, with what only the site itself can tell
// taken from the vectors too.
func vectorSite(t testing.TB, list []contentVector) *wptext.Site {
	var profile struct{ HTML map[string]string }
	texttest.ReadJSON(t, &profile, "vectors", "profile-blocks.json")
	site := sitetest.Site(sitetest.RecordedHome)
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
			site.GalleryStyle = "\n\t\t" + style
		}
	}
	return site
}

func TestContentVectors(t *testing.T) {
	list := contentVectors(t)
	res := sitetest.RecordedResources(t)
	base := vectorSite(t, list)
	check := func(t *testing.T, v contentVector, site wptext.Site, want string) {
		t.Helper()
		site.Locale = typography.LocaleFor(v.Locale)
		if got := Render(v.Input, &site, res, &wptext.RequestState{}); got != want {
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
		old.Traits = sitetest.Traits("6.9.4")
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
