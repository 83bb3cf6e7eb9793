package systemtest

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/compat/profile"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/rest/api"
	"calbridge/rest/notice"
	"calbridge/testdata"
	"calbridge/wpstore/check"
	"calbridge/wpstore/langpack"
	"calbridge/wpstore/wptest"
)

// hooksOfVariant returns the hooks of the variants that have some.
func hooksOfVariant(label string) []string {
	return map[string][]string{
		"rest-prefix-api":                  {"rest_url_prefix"},
		"application-passwords-off":        {"wp_is_application_passwords_available"},
		"login-only-rest":                  {"rest_authentication_errors"},
		"page-cap-999":                     {"tribe_rest_event_max_per_page"},
		"hook-extra-field":                 {"tribe_rest_event_data"},
		"hook-guarded-events":              {"tribe_rest_event_data"},
		"hook-list-venue-organizer-fields": {"tribe_rest_events_archive_data", "tribe_rest_venue_data", "tribe_rest_organizer_data"},
		"hook-content-and-titles":          {"the_content", "the_title", "run_wptexturize"},
		"hook-cors-and-cdn":                {"rest_pre_serve_request", "upload_dir", "wp_get_attachment_url"},
		"hook-cost-and-links":              {"tribe_get_cost", "post_type_link"},
		"hook-hidden-events-term-order":    {"get_terms_defaults", "pre_get_posts"},
		"hook-list-arguments":              {"tribe_events_archive_get_args"},
	}[label]
}

// variant is a recorded kind of site.
type variant struct{ wptest.Variant }

// variantVerdict holds the findings that check must have on a variant.
type variantVerdict struct {
	named  []string // findings that are warnings or failures
	refuse bool     // whether native mode is refused
}

// verdictOf returns the verdict, which depends on the available sources.
func verdictOf(v *variant, folder, companion bool) variantVerdict {
	var want variantVerdict
	name := func(finding string) { want.named = append(want.named, finding) }
	known := folder || companion
	switch {
	case !known:
		name("site.hooks") // no source can tell
	case v.Label == "rest-prefix-api", v.Label == "application-passwords-off" && companion:
		// A flag or the companion's report settles these.
	case v.Hook:
		name("site.hooks")
	}
	switch kind, _, _ := strings.Cut(v.Label, "-"); {
	case kind == "locale" && !folder:
		name("site.locale")
	case !known && slices.Contains([]string{"theme-child-of-twentyseventeen", "theme-classic-no-html5"}, v.Label):
		name("site.theme")
	case v.Label == "hook-cors-and-cdn" && companion:
		name("site.uploads")
	case v.Label == "page-cap-999" && companion:
		name("site.page-caps")
	}
	if v.Label == "hook-cors-and-cdn" && companion {
		name("facts.sources") // the filter moves the uploads
	}
	if known {
		want.refuse = slices.Contains([]string{"login-only-rest", "hook-extra-field", "hook-guarded-events", "hook-list-venue-organizer-fields"}, v.Label) ||
			v.Label == "application-passwords-off" && !companion
	}
	slices.Sort(want.named)
	return want
}

// TestVariants checks every recorded kind of site with and without a WordPress folder and the
// companion plugin, and replays its recordings with both. It expects no findings where all
// responses are identical, and the reason where some are not.
func TestVariants(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	t.Parallel()
	shared := testdata.Shared(t)
	profile := buildProfileFile(t, shared, "mono")
	for _, recorded := range wptest.Variants(t) {
		v := variant{recorded}
		t.Run(v.Label, func(t *testing.T) {
			db := wptest.VariantCopy(t, &v.Variant)
			dsn, now := db.DSN, db.Now().Format(time.RFC3339)
			wording := profile
			if v.Kind == "theme" { // the theme's texts come with the recordings
				wording = buildProfileFile(t, shared, "mono", filepath.Join("variants", v.Label+".jsonl.gz"))
			}
			var want variantVerdict
			for _, sources := range []string{"", "folder", "companion", "folder and companion"} {
				folder, companion := strings.Contains(sources, "folder"), strings.Contains(sources, "companion")
				args := v.arguments(t, dsn, wording, now, folder, companion)
				want = verdictOf(&v, folder, companion)
				v.check(t, sources, args, want)
				if want.refuse {
					code, _, stderr := once(t, nil, slices.Concat([]string{"serve", "--listen", "127.0.0.1:0", "--ops-listen", "off"}, args)...)
					if code != cmdline.Failed || !strings.Contains(stderr, "--serve-despite-hooks") {
						t.Errorf("with %q: serve is not refused: exit %d, %s", sources, code, stderr)
					}
				}
			}
			args := append(v.arguments(t, dsn, wording, now, true, true), "--serve-despite-hooks")
			server := start(t, nil, append([]string{"serve"}, args...)...)
			report, err := replay.Compare(t.Context(), replay.Options{
				Target: server.api, Recordings: []string{filepath.Join(shared, "recordings", "variants", v.Label+".jsonl.gz")},
				Site: filepath.Join(shared, "sites", "mono.json"), Out: io.Discard,
				Selection: replay.Selection{
					OutOfScope: filepath.Join(shared, "recordings", "out-of-scope.txt"),
					Filter:     func(e *recording.Exchange) bool { return !orderIsOpen("mono", "mariadb", e) },
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d same, %d different; named: %v, refused: %t", report.Same, report.Different, want.named, want.refuse)
			if (report.Different == 0) != (len(want.named) == 0) {
				t.Errorf("%d exchanges differ, check names %v", report.Different, want.named)
			}
		})
	}
}

// check runs check and compares the findings about the site.
func (v *variant) check(t *testing.T, sources string, args []string, want variantVerdict) {
	t.Helper()
	_, stdout, stderr := once(t, nil, slices.Concat([]string{"check", "--json", "--listen", "127.0.0.1:0", "--ops-listen", "off"}, args)...)
	var report struct {
		Findings []check.Finding
		Facts    map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	named := map[string]bool{}
	refused := false
	for _, f := range report.Findings {
		about, _, _ := strings.Cut(f.Name, ".")
		// What texts contain is the same in all variants.
		if f.Status != check.StatusOK && slices.Contains([]string{"site", "facts", "wordpress", "calendar"}, about) && f.Name != "wordpress.companion" && f.Name != "site.blocks" {
			named[f.Name] = true
			refused = refused || f.Status == check.StatusFail
			t.Logf("with %q: %s %s: %s", sources, f.Status, f.Name, f.Found)
		}
	}
	var got []string
	for name := range named {
		got = append(got, name)
	}
	slices.Sort(got)
	if !slices.Equal(got, want.named) || refused != want.refuse {
		t.Errorf("with %q: named %v, refused %t; want %v, %t", sources, got, refused, want.named, want.refuse)
	}
	if len(report.Facts) == 0 {
		t.Errorf("with %q: no facts", sources)
	}
}

// arguments returns the settings for a variant, with a wp-config.php and perhaps a WordPress
// folder around it, and a companion plugin.
func (v *variant) arguments(t *testing.T, dsn, profile, now string, folder, companion bool) []string {
	t.Helper()
	dir := t.TempDir()
	var config strings.Builder
	config.WriteString("<?php\n")
	for name, value := range siteKeys(t, "mono") {
		fmt.Fprintf(&config, "define('%s', '%s');\n", name, strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value))
	}
	if v.DBCharset != "" {
		fmt.Fprintf(&config, "define('DB_CHARSET', '%s');\n", v.DBCharset)
	}
	config.WriteString(strings.Join(v.WPConfig, "\n"))
	writeFile(t, dir, "wp-config.php", config.String())
	args := slices.Concat([]string{
		"--dsn", dsn, "--wp-config", filepath.Join(dir, "wp-config.php"), "--namespace", recording.DefaultNamespace,
		"--clock", now, "--compat", "exact", "--profile", profile, "--cache", "off",
	}, slices.DeleteFunc(slices.Clone(v.Flags), func(flag string) bool { return companion && strings.HasPrefix(flag, "--rest-prefix") }))
	if folder {
		v.writeFolder(t, dir)
	}
	if companion {
		recorded, err := api.LoadProfile(profile)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, "--companion-url", v.companion(t, recorded).URL, "--companion-secret", companionSecret)
	}
	return args
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeFolder writes the parts of a WordPress folder that calbridge reads.
func (v *variant) writeFolder(t *testing.T, dir string) {
	write := func(name, text string) { writeFile(t, dir, name, text) }
	write("wp-includes/version.php", fmt.Sprintf("<?php\n$wp_version = '%s';\n", v.WordPress))
	plugin := func(file, name, version string) {
		write("wp-content/plugins/"+file, fmt.Sprintf("<?php\n/*\nPlugin Name: %s\nVersion: %s\n*/\n", name, version))
	}
	plugin("the-events-calendar/the-events-calendar.php", "The Events Calendar", v.Calendar)
	if v.EventTickets != "" {
		plugin("event-tickets/event-tickets.php", "Event Tickets", v.EventTickets)
	}
	themes := []string{v.Theme}
	if v.Label == "theme-child-of-twentyseventeen" {
		themes = append(themes, "twentyseventeen")
	}
	for _, name := range themes {
		theme := "wp-content/themes/" + name + "/"
		write(theme+"style.css", "/*\nTheme Name: "+name+"\nVersion: 1.0\n*/\n")
		if size, block := map[string]string{"twentytwentyfive": "645px", "twentytwentyfour": "620px", "twentytwentytwo": "650px"}[name]; block {
			write(theme+"templates/index.html", "<p></p>")
			write(theme+"theme.json", `{"version":3,"settings":{"layout":{"contentSize":"`+size+`"}}}`)
		} else if name != "oldclassic" {
			write(theme+"functions.php", "<?php\nadd_theme_support( 'html5', array( 'caption', 'gallery' ) );\n")
		}
		if name == "hello-elementor" {
			write(theme+"theme.json", `{"version":3}`)
		}
	}
	for name, text := range v.Files {
		write(name, text)
	}
	if len(v.Texts) > 0 {
		write("wp-content/languages/"+v.Locale+".l10n.php", v.languagePack())
	}
	for name, data := range v.Binary {
		write(name, string(data))
	}
	for i, hook := range hooksOfVariant(v.Label) {
		write(fmt.Sprintf("wp-content/mu-plugins/own-%d.php", i), fmt.Sprintf("<?php\nadd_filter( '%s', 'own_callback' );\n", hook))
	}
}

// languagePack returns a file with the texts of a variant that had a language pack.
func (v *variant) languagePack() string {
	quote := func(text string) string { return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'" }
	var file strings.Builder
	file.WriteString("<?php\nreturn ['messages'=>[")
	for _, text := range langpack.Texts() {
		translation, ok := v.Texts[text.Name].(string)
		if !ok || text.Domain != langpack.Core {
			continue
		}
		original := text.Original
		if text.Context != "" {
			original = text.Context + "\x04" + original
		}
		file.WriteString(quote(original) + "=>" + quote(translation) + ",")
	}
	file.WriteString("]];\n")
	return file.String()
}

// buildProfileFile writes the profile of a recorded site, and of further recordings.
func buildProfileFile(t *testing.T, shared, site string, further ...string) string {
	t.Helper()
	recordings := []string{filepath.Join(shared, "recordings", site, "*.jsonl.gz")}
	for _, name := range further {
		recordings = append(recordings, filepath.Join(shared, "recordings", name))
	}
	p, err := profile.Build(profile.Options{Recordings: recordings, Site: filepath.Join(shared, "sites", site+".json")})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "profile.json")
	if err := p.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	return file
}

const companionSecret = "a-secret-of-the-test-32-characters"

// companion starts a stand-in for the companion plugin on a variant. The profile, if not
// nil, has the words of its theme.
func (v *variant) companion(t *testing.T, recorded *api.Profile) *httptest.Server {
	t.Helper()
	f := v.facts()
	if more := api.NewWording(recorded, "en", nil).RecordedWord("excerpt_more"); more != "" {
		f.ExcerptMore = more
	}
	report := map[string]any{}
	text, err := json.Marshal(f)
	if err == nil {
		err = json.Unmarshal(text, &report)
	}
	if err != nil {
		t.Fatal(err)
	}
	report["version"] = 1
	if text, err = json.Marshal(report); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("rest_route") != "/calbridge/v1/facts" {
			_, _ = io.WriteString(w, `{"companion":"2"}`)
			return
		}
		sum := hmac.New(sha256.New, []byte(companionSecret))
		_, _ = io.WriteString(sum, "calbridge 1\nfrom-wordpress facts\n"+r.Header.Get("X-Calbridge-Timestamp")+"\n"+r.Header.Get("X-Calbridge-Nonce")+"\n")
		sum.Write(text)
		_ = json.NewEncoder(w).Encode(map[string]string{"companion": "2", "facts": string(text), "signature": hex.EncodeToString(sum.Sum(nil))})
	}))
	t.Cleanup(server.Close)
	return server
}

// facts returns what the plugin would report on a variant.
func (v *variant) facts() notice.SiteFacts {
	f := notice.SiteFacts{
		WordPress: v.WordPress, Plugins: map[string]string{}, MustUse: []string{}, DropIns: []string{}, Locale: "en_US",
		Theme:      notice.Theme{Stylesheet: v.Theme, Template: v.Theme, Version: "1.0", HTML5: []string{"caption", "gallery"}},
		Texturize:  map[string]string{"apostrophe": "&#8217;"},
		Uploads:    notice.Uploads{BaseDir: "/srv/uploads", BaseURL: "https://kalendar.example/wp-content/uploads"},
		RESTPrefix: "wp-json", PageCaps: map[string]int{"tribe_rest_event_max_per_page": 50}, Excerpt: notice.Excerpt{ExcerptMore: " [&hellip;]", ExcerptLength: 55},
		ApplicationPasswords: true, CalendarTables: !strings.HasPrefix(v.Label, "calendar-tables-off"), DBCharset: "utf8mb4", ConnectionCharset: "utf8mb4",
		Hooks: []notice.Hook{}, Problems: []notice.Problem{}, APIDisabled: v.Label == "rest-v1-disabled",
	}
	for _, file := range v.Plugins {
		f.Plugins[file] = v.Calendar
		if strings.HasPrefix(file, "event-tickets/") {
			f.Plugins[file] = v.EventTickets
		}
	}
	for i, hook := range hooksOfVariant(v.Label) {
		f.MustUse = append(f.MustUse, fmt.Sprintf("own-%d.php", i))
		f.Hooks = append(f.Hooks, notice.Hook{Name: hook, Callback: "own_callback", File: "wp-content/mu-plugins/own.php", Line: 2, Priority: 10})
	}
	if v.Locale != "" {
		f.Locale = v.Locale
		for _, text := range langpack.Texts() {
			if translation, ok := v.Texts[text.Name].(string); ok {
				f.Texturize[cmp.Or(text.Context, text.Original)] = translation
			}
		}
	}
	if sizes := map[string]string{"twentytwentyfive": "645px", "twentytwentyfour": "620px", "twentytwentytwo": "650px"}; sizes[v.Theme] != "" {
		f.Theme.Block, f.Theme.JSON, f.Theme.ContentSize = true, true, sizes[v.Theme]
	}
	switch v.Label {
	case "theme-child-of-twentyseventeen":
		f.Theme.Template = "twentyseventeen"
	case "theme-classic-no-html5":
		f.Theme.HTML5 = []string{}
	case "theme-hello-elementor":
		f.Theme.JSON = true
	case "rest-prefix-api":
		f.RESTPrefix = "api"
	case "application-passwords-off":
		f.ApplicationPasswords = false
	case "page-cap-999":
		f.PageCaps["tribe_rest_event_max_per_page"] = 999
	case "uploads-constant":
		f.Uploads.BaseURL = "https://kalendar.example/media"
	case "multisite-subsite":
		f.Uploads.BaseURL = "https://kalendar.example/dva/wp-content/uploads/sites/2"
	case "hook-cors-and-cdn":
		f.Uploads.BaseURL = "https://cdn.example/uploads"
	case "latin1-tables":
		f.DBCharset, f.ConnectionCharset = "latin1", "latin1"
	case "utf8mb3-tables":
		f.DBCharset = "utf8"
	}
	return f
}
