package wptext_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blocks"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/images"
	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/paragraph"
	"calbridge/rest/wptext/sanitize"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/typography"
	"calbridge/testdata"
	"calbridge/wpstore/php"
)

// releaseCase is one input of a text function and its output by release of WordPress.
type releaseCase struct {
	Name, Fn, User, Locale, Theme string
	Input                         string
	Base64                        string            `json:"input_b64"`
	Outputs                       map[string]string // by range of releases, such as 6.5.10-6.8.8
}

var releases = strings.Fields("6.5.10 6.6.6 6.7.7 6.8.8 6.9.7 7.0.4 7.1.0")

// output returns the output of a release, which is an index into releases.
func (c *releaseCase) output(t *testing.T, release int) (string, bool) {
	for span, output := range c.Outputs {
		first, last, many := strings.Cut(span, "-")
		if !many {
			last = first
		}
		if slices.Index(releases, first) <= release && release <= slices.Index(releases, last) {
			return decoded(t, output), true
		}
	}
	return "", false
}

func decoded(t *testing.T, s string) string {
	t.Helper()
	text, ok := strings.CutPrefix(s, "base64:")
	if !ok {
		return s
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func releaseCases(t *testing.T) []releaseCase {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "vectors", "by-version", "text-by-version.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	zipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	data, err = io.ReadAll(zipped)
	if err != nil {
		t.Fatal(err)
	}
	var all []releaseCase
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// releaseSite returns the site of the cases: of a release and a theme.
func releaseSite(release, theme string) *wptext.Site {
	s := sitetest.Site("https://town.example")
	s.Traits = sitetest.Traits(release)
	s.TECBlocks = false
	if theme == "classic" {
		s.Theme = wptext.ClassicTheme(true)
	} else {
		s.Theme.Gaps = nil
	}
	return s
}

// releaseResources returns the rows of the site of the cases.
func releaseResources() *wptext.Resources {
	photo := func(name string, width, height int64) *php.Array { return sitetest.File(name, width, height) }
	attachments := []*wptext.Attachment{
		{
			ID: 701, Title: "Barn", Name: "barn", MIMEType: "image/jpeg", File: "2031/05/barn.jpg", Caption: `The "barn"`, Alt: "A <b>barn</b>",
			Metadata: php.Pairs("width", int64(1600), "height", int64(1200), "file", "2031/05/barn.jpg", "sizes", php.Pairs(
				"thumbnail", photo("barn-150x150.jpg", 150, 150), "medium", photo("barn-300x225.jpg", 300, 225),
				"medium_large", photo("barn-768x576.jpg", 768, 576), "large", photo("barn-1024x768.jpg", 1024, 768),
			), "image_meta", &php.Array{}),
		},
		{ID: 702, Title: "Sign", Name: "sign", MIMEType: "image/png", File: "sign.png", Metadata: php.Pairs("width", int64(40), "height", int64(60), "file", "sign.png")},
		{ID: 703, Title: "Bells", Name: "bells", MIMEType: "audio/mpeg", File: "bells.mp3", Metadata: php.Pairs("length_formatted", "1:05", "length", int64(65))},
		{ID: 704, Title: "Tour", Name: "tour", MIMEType: "video/mp4", File: "tour.mp4", Metadata: php.Pairs("width", int64(1280), "height", int64(720))},
		{ID: 705, Title: "Plan", Name: "plan", MIMEType: "application/pdf", File: "plan.pdf"},
	}
	res := &wptext.Resources{Attachments: map[int64]*wptext.Attachment{}, Children: map[int64][]*wptext.Attachment{}, Blocks: map[int64]string{
		711: "<!-- wp:paragraph -->\n<p>Shared corn</p>\n<!-- /wp:paragraph -->",
		712: "<!-- wp:paragraph -->\n<p>Loop</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:block {\"ref\":712} /-->",
		713: "<!-- wp:paragraph {\"metadata\":{\"name\":\"Spot\",\"bindings\":{\"__default\":{\"source\":\"core/pattern-overrides\"}}}} -->\n<p>Old words</p>\n<!-- /wp:paragraph -->",
	}}
	for _, a := range attachments {
		a.Status = "inherit"
		res.Attachments[a.ID] = a
		if a.IsImage() {
			res.Children[0] = append(res.Children[0], a)
		}
	}
	return res
}

// releaseFunctions are the functions of the cases. Those that the product has no use for
// are missing; see unusedFunctions.
var releaseFunctions = map[string]func(c *releaseCase, in string, s *wptext.Site) string{
	"the_content": func(_ *releaseCase, in string, s *wptext.Site) string {
		return content.Render(in, s, releaseResources(), &wptext.RequestState{})
	},
	"the_content_thrice": func(_ *releaseCase, in string, s *wptext.Site) string {
		req := &wptext.RequestState{}
		var out []string
		for range 3 {
			out = append(out, content.Render(in, s, releaseResources(), req))
		}
		return strings.Join(out, "\n==\n")
	},
	"the_excerpt": func(_ *releaseCase, in string, s *wptext.Site) string {
		return content.Excerpt(in, s, releaseResources(), &wptext.RequestState{})
	},
	"excerpt_remove_blocks": func(_ *releaseCase, in string, s *wptext.Site) string {
		return blocks.RenderExcerpt(in, s, releaseResources(), &wptext.RequestState{})
	},
	"wp_filter_content_tags": func(_ *releaseCase, in string, s *wptext.Site) string {
		return images.CompleteTags(in, s, releaseResources(), &wptext.RequestState{})
	},
	"wp_kses_post": func(_ *releaseCase, in string, s *wptext.Site) string {
		return kses.Filter(in, kses.PostHTML(s.UploadsURL), s.Traits)
	},
	"wp_kses_data":            func(_ *releaseCase, in string, s *wptext.Site) string { return kses.Title(in, s.Traits) },
	"safecss_filter_attr":     func(_ *releaseCase, in string, s *wptext.Site) string { return kses.Style(in, s.Traits) },
	"content_save_pre":        func(c *releaseCase, in string, s *wptext.Site) string { return c.saving(s).Content(in) },
	"excerpt_save_pre":        func(c *releaseCase, in string, s *wptext.Site) string { return c.saving(s).Excerpt(in) },
	"title_save_pre":          func(c *releaseCase, in string, s *wptext.Site) string { return c.saving(s).Title(php.Trim(in)) },
	"pre_term_description":    func(_ *releaseCase, in string, s *wptext.Site) string { return kses.TermDescription(in, s.Traits) },
	"term_insert_description": func(_ *releaseCase, in string, s *wptext.Site) string { return kses.TermDescription(in, s.Traits) },
	"pre_term_name": func(_ *releaseCase, in string, s *wptext.Site) string {
		return kses.Title(sanitize.TextField(in), s.Traits)
	},
	"term_insert_name": func(_ *releaseCase, in string, s *wptext.Site) string {
		return kses.Title(sanitize.TextField(in), s.Traits)
	},
	"sanitize_title":           func(c *releaseCase, in string, s *wptext.Site) string { return c.plain(s).Slug(in) },
	"sanitize_title_for_query": func(_ *releaseCase, in string, _ *wptext.Site) string { return sanitize.SlugQuery(in) },
	"remove_accents":           func(c *releaseCase, in string, s *wptext.Site) string { return c.plain(s).RemoveAccents(in) },
	"esc_html":                 func(_ *releaseCase, in string, s *wptext.Site) string { return s.Escape().HTML(in) },
	"esc_attr":                 func(_ *releaseCase, in string, s *wptext.Site) string { return s.Escape().Attr(in) },
	"esc_js":                   func(_ *releaseCase, in string, s *wptext.Site) string { return s.Escape().JS(in) },
	"esc_url":                  func(_ *releaseCase, in string, s *wptext.Site) string { return s.Escape().URL(in) },
	"esc_url_raw":              func(_ *releaseCase, in string, _ *wptext.Site) string { return escape.RawURL(in) },
	"esc_url_https_first":      func(_ *releaseCase, in string, s *wptext.Site) string { return s.Escape().SecureURL(in) },
	"wptexturize":              func(_ *releaseCase, in string, s *wptext.Site) string { return typography.Texturize(in, s.Locale) },
	"the_title":                func(_ *releaseCase, in string, s *wptext.Site) string { return typography.Title(in, s.Locale) },
	"wpautop":                  func(_ *releaseCase, in string, _ *wptext.Site) string { return paragraph.Autop(in) },
	"sanitize_text_field":      func(_ *releaseCase, in string, _ *wptext.Site) string { return sanitize.TextField(in) },
	"sanitize_email":           func(_ *releaseCase, in string, _ *wptext.Site) string { return sanitize.Email(in) },
	"is_email": func(_ *releaseCase, in string, _ *wptext.Site) string {
		return strconv.FormatBool(sanitize.IsEmail(in))
	},
	"wp_strip_all_tags": func(_ *releaseCase, in string, _ *wptext.Site) string { return sanitize.StripAllTags(in) },
	"wp_trim_words":     func(_ *releaseCase, in string, _ *wptext.Site) string { return sanitize.TrimWords(in, 30, "&hellip;") },
	"convert_smilies": func(_ *releaseCase, in string, s *wptext.Site) string {
		return typography.Smilies(in, s.SiteURL, s.Traits.Has(trait.SmiliesEndAtLineBreaks))
	},
}

// saving is how the user of the case saves posts.
func (c *releaseCase) saving(s *wptext.Site) kses.Saving {
	return kses.Saving{Unfiltered: c.User == "admin", UploadsURL: s.UploadsURL, Traits: s.Traits}
}

// plain is how the site of the case simplifies text.
func (c *releaseCase) plain(s *wptext.Site) sanitize.Rules {
	return sanitize.Rules{Locale: c.Locale, Traits: s.Traits}
}

// unusedFunctions are the functions of the cases that no answer and no write uses.
var unusedFunctions = map[string]string{
	"sanitize_file_name":      "",
	"sanitize_textarea_field": "",
	"make_clickable":          "",
	"get_the_excerpt":         "",
	"wp_strip_all_tags_br":    "",
	"term_description":        "",
}

// trimmedFunctions are those whose output the calendar trims.
var trimmedFunctions = map[string]bool{"the_content": true, "the_excerpt": true}

// pendingFunctions are not compared in full yet.
var pendingFunctions = map[string]bool{"the_content": true, "the_content_thrice": true, "excerpt_remove_blocks": true, "the_excerpt": true, "wp_filter_content_tags": true}

// TestTextByRelease runs the text functions as each release of WordPress does.
func TestTextByRelease(t *testing.T) {
	failures := map[string]int{}
	failed := map[[2]string]*[7]int{}
	total := map[string]int{}
	only := regexp.MustCompile(cmp.Or(os.Getenv("ONLY"), "."))
	for _, c := range releaseCases(t) {
		fn := releaseFunctions[c.Fn]
		if fn == nil {
			if _, ok := unusedFunctions[c.Fn]; !ok {
				t.Errorf("%s: unknown function %s", c.Name, c.Fn)
			}
			continue
		}
		total[c.Fn]++
		in := c.Input
		if c.Base64 != "" {
			in = decoded(t, "base64:"+c.Base64)
		}
		family := strings.Split(strings.ReplaceAll(c.Name, "_", "-"), "-")[0]
		for i, release := range releases {
			want, ok := c.output(t, i)
			if !ok {
				continue
			}
			got := fn(&c, in, releaseSite(release, c.Theme))
			if trimmedFunctions[c.Fn] {
				want = php.Trim(want)
			}
			if sameOutput(got, want) {
				continue
			}
			failures[c.Fn]++
			key := [2]string{c.Fn, family}
			if failed[key] == nil {
				failed[key] = new([7]int)
			}
			failed[key][i]++
			if os.Getenv("ONLY") != "" && only.MatchString(c.Name+" "+c.Fn+" "+release) {
				t.Errorf("%s %s (%s, %s, %s, %s)\n in   %q\n got  %q\n want %q", release, c.Name, c.Fn, c.User, c.Locale, c.Theme, in, got, want)
			}
		}
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "function\tfamily\t"+strings.Join(releases, "\t"))
	for _, key := range slices.SortedFunc(maps.Keys(failed), func(a, b [2]string) int { return cmp.Compare(a[0]+a[1], b[0]+b[1]) }) {
		fmt.Fprint(w, key[0], "\t", key[1])
		for _, n := range failed[key] {
			fmt.Fprint(w, "\t", n)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	t.Logf("%v cases\n%s", total, table.String())
	maps.DeleteFunc(failures, func(fn string, _ int) bool { return pendingFunctions[fn] })
	if len(failures) > 0 {
		t.Errorf("failures: %v", failures)
	}
}

// sameOutput reports whether an output is the wanted one, in which {uniqid} stands for a
// random id.
func sameOutput(got, want string) bool {
	if !strings.Contains(want, "{uniqid}") {
		return got == want
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), regexp.QuoteMeta("{uniqid}"), "[0-9a-f]{13}")
	return regexp.MustCompile("^" + pattern + "$").MatchString(got)
}
