package wptext_test

import (
	"encoding/base64"
	"fmt"
	"maps"
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
	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/media"
	"calbridge/rest/wptext/paragraph"
	"calbridge/rest/wptext/sanitize"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
	"calbridge/rest/wptext/typography"
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
	attachments := []*wptext.Attachment{
		{
			ID: 701, Title: "Barn", Name: "barn", MIMEType: "image/jpeg", File: "2031/05/barn.jpg", Caption: `The "barn"`, Alt: "A <b>barn</b>",
			Metadata: php.Pairs("width", int64(1600), "height", int64(1200), "file", "2031/05/barn.jpg", "sizes", php.Pairs(
				"thumbnail", sitetest.File("barn-150x150.jpg", 150, 150), "medium", sitetest.File("barn-300x225.jpg", 300, 225),
				"large", sitetest.File("barn-1024x768.jpg", 1024, 768), "medium_large", sitetest.File("barn-768x576.jpg", 768, 576),
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

// releaseRun is one run of a case: on a site of one release, within one answer.
type releaseRun struct {
	*releaseCase
	in   string
	site *wptext.Site
	req  *wptext.RequestState
}

// saving returns how the user of the case saves posts.
func (r releaseRun) saving() kses.Saving {
	return kses.Saving{Unfiltered: r.User == "admin", UploadsURL: r.site.UploadsURL, Traits: r.site.Traits}
}

// plain returns how the site of the case simplifies text.
func (r releaseRun) plain() sanitize.Rules {
	return sanitize.Rules{Locale: r.Locale, Traits: r.site.Traits}
}

// releaseFunctions are the functions of the cases. Those that the product has no use for
// are in unusedFunctions.
var releaseFunctions = map[string]func(r releaseRun) string{
	"the_content": func(r releaseRun) string { return content.Render(r.in, r.site, releaseResources(), r.req) },
	"the_content_thrice": func(r releaseRun) string {
		out := ""
		for range 3 {
			out += "\n" + content.Render(r.in, r.site, releaseResources(), r.req) + "\n\n==\n" // the calendar trims
		}
		return out
	},
	"the_excerpt":              func(r releaseRun) string { return content.Excerpt(r.in, r.site, releaseResources(), r.req) },
	"excerpt_remove_blocks":    func(r releaseRun) string { return blocks.RenderExcerpt(r.in, r.site, releaseResources(), r.req) },
	"wp_filter_content_tags":   func(r releaseRun) string { return media.CompleteTags(r.in, r.site, releaseResources(), r.req) },
	"wp_kses_post":             func(r releaseRun) string { return kses.Filter(r.in, kses.PostHTML(r.site.UploadsURL), r.site.Traits) },
	"wp_kses_data":             func(r releaseRun) string { return kses.Title(r.in, r.site.Traits) },
	"safecss_filter_attr":      func(r releaseRun) string { return kses.Style(r.in, r.site.Traits) },
	"content_save_pre":         func(r releaseRun) string { return r.saving().Content(r.in) },
	"excerpt_save_pre":         func(r releaseRun) string { return r.saving().Excerpt(r.in) },
	"title_save_pre":           func(r releaseRun) string { return r.saving().Title(php.Trim(r.in)) },
	"pre_term_description":     func(r releaseRun) string { return kses.TermDescription(r.in, r.site.Traits) },
	"term_insert_description":  func(r releaseRun) string { return kses.TermDescription(r.in, r.site.Traits) },
	"pre_term_name":            func(r releaseRun) string { return kses.Title(sanitize.TextField(r.in), r.site.Traits) },
	"term_insert_name":         func(r releaseRun) string { return kses.Title(sanitize.TextField(r.in), r.site.Traits) },
	"sanitize_title":           func(r releaseRun) string { return r.plain().Slug(r.in) },
	"sanitize_title_for_query": func(r releaseRun) string { return sanitize.SlugQuery(r.in) },
	"remove_accents":           func(r releaseRun) string { return r.plain().RemoveAccents(r.in) },
	"esc_html":                 func(r releaseRun) string { return r.site.Escape().HTML(r.in) },
	"esc_attr":                 func(r releaseRun) string { return r.site.Escape().Attr(r.in) },
	"esc_js":                   func(r releaseRun) string { return r.site.Escape().JS(r.in) },
	"esc_url":                  func(r releaseRun) string { return r.site.Escape().URL(r.in) },
	"esc_url_raw":              func(r releaseRun) string { return escape.RawURL(r.in) },
	"esc_url_https_first":      func(r releaseRun) string { return r.site.Escape().SecureURL(r.in) },
	"wptexturize":              func(r releaseRun) string { return typography.Texturize(r.in, r.site.Locale) },
	"the_title":                func(r releaseRun) string { return typography.Title(r.in, r.site.Locale) },
	"wpautop":                  func(r releaseRun) string { return paragraph.Autop(r.in) },
	"convert_smilies": func(r releaseRun) string {
		return typography.Smilies(r.in, r.site.SiteURL, r.site.Traits.Has(trait.SmiliesEndAtLineBreaks))
	},
	"sanitize_text_field": func(r releaseRun) string { return sanitize.TextField(r.in) },
	"sanitize_email":      func(r releaseRun) string { return sanitize.Email(r.in) },
	"is_email":            func(r releaseRun) string { return strconv.FormatBool(sanitize.IsEmail(r.in)) },
	"wp_strip_all_tags":   func(r releaseRun) string { return sanitize.StripAllTags(r.in) },
	"wp_trim_words":       func(r releaseRun) string { return sanitize.TrimWords(r.in, 30, "&hellip;") },
}

// unusedFunctions are the functions of the cases that no answer and no write uses.
var unusedFunctions = map[string]string{
	"get_the_excerpt":         "no answer has an excerpt that WordPress generates",
	"make_clickable":          "it is for comments",
	"sanitize_file_name":      "files get their names by the rules of the picture that is fetched",
	"sanitize_textarea_field": "no parameter has several lines of plain text",
	"term_description":        "terms are answered as they are stored",
	"wp_strip_all_tags_br":    "nothing is stripped with its line breaks",
}

// trimmedFunctions are those whose output the calendar trims.
var trimmedFunctions = map[string]bool{"the_content": true, "the_excerpt": true}

// releaseDifference is a known difference between calbridge's texts and those of WordPress.
type releaseDifference struct {
	reason  string
	matches func(r releaseRun) bool
}

// notRendered matches texts of which the answer reports that WordPress would have rendered
// more; in mode auto, WordPress answers then.
func notRendered(is func(name string) bool) func(releaseRun) bool {
	return func(r releaseRun) bool {
		for name := range r.req.Unknown() {
			if is(name) {
				return true
			}
		}
		return false
	}
}

var releaseDifferences = []releaseDifference{
	{"needs the code of a plugin", notRendered(func(name string) bool { return !strings.HasPrefix(name, "core/") && !strings.HasPrefix(name, "[") })},
	{"shows rows of the site that the calendar's answers have no part in, such as its pages and menus; recorded from the site where it is used", notRendered(func(name string) bool {
		return strings.HasPrefix(name, "core/") && !strings.Contains(name, " ")
	})},
	{"has a random id in every answer", notRendered(func(name string) bool { return strings.HasSuffix(name, " lightbox") })},
	{"is a player whose markup is WordPress's own", notRendered(func(name string) bool { return name == "[playlist]" })},
	{"has a shortcode that makes HTML inside of an attribute", func(r releaseRun) bool { return shortcodeInTag.MatchString(r.in) }},
}

var shortcodeInTag = regexp.MustCompile(`<[^>]*="[^">]*\[gallery`)

// knownDifference returns the reason for which an output may differ, "" for none.
func knownDifference(r releaseRun) string {
	for _, d := range releaseDifferences {
		if d.matches(r) {
			return d.reason
		}
	}
	return ""
}

// TestTextByRelease runs the text functions as each release of WordPress does. It logs a
// table of the differences and the reasons for those that are known.
func TestTextByRelease(t *testing.T) {
	failed := map[string]*[7]int{}
	known := map[string]int{}
	compared := 0
	var cases []releaseCase
	texttest.ReadJSON(t, &cases, "vectors", "by-version", "text-by-version.json.gz")
	for _, c := range cases {
		fn := releaseFunctions[c.Fn]
		if fn == nil {
			if unusedFunctions[c.Fn] == "" {
				t.Errorf("%s: unknown function %s", c.Name, c.Fn)
			}
			continue
		}
		in := c.Input
		if c.Base64 != "" {
			in = decoded(t, "base64:"+c.Base64)
		}
		for i, release := range releases {
			want, ok := c.output(t, i)
			if !ok {
				continue
			}
			if trimmedFunctions[c.Fn] {
				want = php.Trim(want)
			}
			compared++
			run := releaseRun{&c, in, releaseSite(release, c.Theme), &wptext.RequestState{}}
			run.site.ProfileBlocks = socialIcons(want)
			got := fn(run)
			if got == want {
				continue
			}
			if reason := knownDifference(run); reason != "" {
				known[reason]++
				continue
			}
			t.Errorf("%s %s (%s, %s, %s, %s)\n in   %q\n got  %q\n want %q", release, c.Name, c.Fn, c.User, c.Locale, c.Theme, in, got, want)
			family, _, _ := strings.Cut(strings.ReplaceAll(c.Name, "_", "-"), "-")
			key := c.Fn + "\t" + family
			if failed[key] == nil {
				failed[key] = new([7]int)
			}
			failed[key][i]++
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "function\tfamily\t"+strings.Join(releases, "\t"))
	for _, key := range slices.Sorted(maps.Keys(failed)) {
		fmt.Fprint(w, key)
		for _, n := range failed[key] {
			fmt.Fprint(w, "\t", n)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	t.Logf("%d outputs compared\n%s", compared, table.String())
	for _, reason := range slices.Sorted(maps.Keys(known)) {
		t.Logf("%d known differences: it %s", known[reason], reason)
	}
}

// socialIcons returns the icons of social services in an output, as a site's profile has them.
func socialIcons(output string) map[string]string {
	icons := map[string]string{}
	for _, m := range socialIcon.FindAllStringSubmatch(output, -1) {
		name := m[1]
		if strings.Contains(m[3], "Share Icon") {
			name = "share"
		}
		icons["core/social-link/"+name] = m[2]
	}
	return icons
}

var socialIcon = regexp.MustCompile(`class="wp-social-link wp-social-link-(\S+)[^"]*"><a [^>]*>(<svg.*?</svg>)<span class="[^"]*">([^<]*)`)
