package wptext_test

import (
	"encoding/json"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blocks"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/images"
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
	if err := json.Unmarshal(sharedFile(t, "vectors", "json_ld.json"), &list); err != nil {
		t.Fatal(err)
	}
	site, res := defaultSite(vectorHome), fixtures(t)
	check := func(name string, in linkedPost, want *linkedOutput) {
		t.Helper()
		if got := content.LDDescription(in.Excerpt, in.Description, site, res, &wptext.RequestState{}); got != *want.Description {
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

func TestExcerptVectorsOfBlocks(t *testing.T) {
	site, res := defaultSite(vectorHome), fixtures(t)
	for _, v := range vectors(t, "excerpt.json") {
		var got string
		req := &wptext.RequestState{}
		switch v.Fn {
		case "tribe_events_get_the_excerpt":
			got = content.TECExcerpt(v.PostExcerpt, v.Input, site, res, req)
		case "excerpt_remove_blocks":
			got = blocks.RenderExcerpt(v.Input, site, res, req)
		case "the_excerpt":
			got = content.Excerpt(v.Input, content.ExcerptOptions{
				Locale: typography.LocaleFor(v.Locale), UseSmilies: true, SiteURL: site.SiteURL,
				TagFilter: func(s string) string { return images.CompleteTags(s, site, res, req) },
			})
		default:
			continue
		}
		if got != v.Output {
			t.Errorf("%s\n in   %q\n got  %q\n want %q", v.Name, v.Input, got, v.Output)
		}
	}
}
