package sitecheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"calbridge/cmd/calbridge/companion"
	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/api"
	"calbridge/rest/notice"
	"calbridge/rest/rollout"
	"calbridge/rest/sitefacts"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wpfolder"
)

// Gatherer gathers the facts of a site from all sources.
type Gatherer struct {
	Settings  *settings.Settings
	Store     *sitedb.DB
	Companion *companion.Client // nil without the plugin
	Profile   *api.Profile      // nil without one
	// Folders holds the readings that several sites share; nil for one site.
	Folders *Folders

	folder folder
	// reported is what the companion plugin said last. It counts while the plugin doesn't
	// answer.
	reported *notice.SiteFacts
}

// Gather returns the facts, and findings about sources that could not be read. It returns
// an error where the database can't be read.
func (g *Gatherer) Gather(ctx context.Context) (*sitefacts.Document, check.Report, error) {
	facts, err := g.Store.Session(nil).Options.SiteFacts(ctx)
	if err != nil {
		return nil, nil, err
	}
	return g.GatherWith(ctx, facts)
}

// GatherWith returns what Gather does, with facts of the database that were just read.
func (g *Gatherer) GatherWith(ctx context.Context, facts *wpstore.SiteFacts) (*sitefacts.Document, check.Report, error) {
	s := g.Settings
	options := &g.Store.Session(nil).Options
	rules, err := options.Options(ctx, []string{"rewrite_rules"})
	if err != nil {
		return nil, nil, err
	}
	recurrence, err := options.Recurrence(ctx, facts)
	if err != nil {
		return nil, nil, err
	}
	uploads := Uploads(s)
	words := api.NewWording(g.Profile, cmp.Or(facts.WPLang, "en"), nil)
	in := sitefacts.Inputs{
		Owner: ownerOf(s), Database: facts, Recurrence: recurrence, BlogID: s.Database.BlogID, UploadsURL: uploads.URL(facts, cmp.Or(s.Site.SiteURL, facts.SiteURL), false), Rewrite: rules["rewrite_rules"], Speaks: g.Store.Charset().Name,
		Constant: func(name string) (string, bool) { return wpConstant(s, name) },
		Recorded: sitefacts.Recorded{ExcerptMore: words.RecordedWord("excerpt_more"), GalleryStyle: words.Blocks()[wptext.GalleryStyleBlock]},
	}
	var found check.Report
	in.Companion, found = g.askCompanion(ctx)
	var problems check.Report
	in.Folder, problems = g.readFolder(ctx, wpfolder.Query{
		Stylesheet: facts.Stylesheet, Template: facts.Template, Locale: facts.WPLang, Locales: facts.Languages.Locales(), Plugins: facts.ActivePlugins,
	})
	return sitefacts.New(in), append(found, problems...), ctx.Err()
}

// askCompanion asks the companion plugin. Where it doesn't answer, what it said last counts.
func (g *Gatherer) askCompanion(ctx context.Context) (*notice.SiteFacts, check.Report) {
	const name = "facts.companion"
	if g.Companion == nil {
		return nil, nil
	}
	facts, err := g.Companion.Facts(ctx, sitefacts.HookNames())
	if err != nil {
		return g.reported, check.Report{Warning(name, err.Error(), "Until the plugin answers, facts come from files and the database.")}
	}
	g.reported = (*notice.SiteFacts)(&facts)
	var found check.Report
	for _, p := range facts.Problems {
		found = append(found, Warning(name, fmt.Sprintf("the companion plugin can't report %s: %s", p.Fact, p.Problem), "This fact comes from files or the database."))
	}
	return g.reported, found
}

// searchEvery is how often files are searched for hooks while nothing else in the WordPress
// folder changes.
const searchEvery = 10 * time.Minute

// readFolder reads the folder of WordPress, nil where there is none.
func (g *Gatherer) readFolder(ctx context.Context, q wpfolder.Query) (*wpfolder.Folder, check.Report) {
	const name = "facts.wordpress-dir"
	const advice = "Let calbridge's user read the WordPress folder, and pass it with --wordpress-dir. Until then facts come from other sources."
	s := g.Settings
	dir := wordPressDir(s)
	if dir == "" {
		return nil, nil
	}
	for constant, to := range map[string]*string{
		"WP_CONTENT_DIR": &q.ContentDir, "WP_PLUGIN_DIR": &q.PluginDir, "WPMU_PLUGIN_DIR": &q.MUPluginDir, "WP_LANG_DIR": &q.LangDir,
	} {
		*to, _ = wpConstant(s, constant)
	}
	get := g.folder.get
	if g.Folders != nil {
		get = g.Folders.get
	}
	folder, err := get(ctx, dir, q)
	if err != nil {
		return nil, check.Report{Warning(name, err.Error(), advice)}
	}
	var found check.Report
	for _, w := range folder.Warnings {
		found = append(found, Warning(name, w.File+": "+w.Problem, advice))
	}
	if len(found) == 0 {
		found = check.Report{Success(name, dir)}
	}
	return folder, found
}

// wordPressDir returns the folder of WordPress: the setting, else the folder of
// wp-config.php, or that of a project on Bedrock, if WordPress is there; "" for none.
func wordPressDir(s *settings.Settings) string {
	if s.Site.WordPressDir != "" || s.Origin.WPConfig == nil {
		return s.Site.WordPressDir
	}
	for _, dir := range s.Origin.WPConfig.WordPressDirs() {
		if _, err := os.Stat(filepath.Join(dir, "wp-includes")); !errors.Is(err, os.ErrNotExist) {
			return dir
		}
	}
	return ""
}

// Uploads returns the location of the uploads by the settings.
func Uploads(s *settings.Settings) wpsite.Uploads {
	return wpsite.Uploads{ContentURL: s.Site.ContentURL, Constant: s.Site.UploadsConstant, Site: s.Database.BlogID, MainSite: s.Site.MainBlogID}
}

// ownerOf returns what the owner has set.
func ownerOf(s *settings.Settings) sitefacts.Owner {
	o := sitefacts.Owner{WordPress: s.Site.WordPress, ContentWidth: s.Site.ContentWidth, ApplicationPasswords: s.Login.ApplicationPasswords}
	for name, set := range map[string]struct{ to, from *string }{
		"home": {&o.Home, &s.Site.Home}, "siteurl": {&o.SiteURL, &s.Site.SiteURL},
		"rest-prefix": {&o.RESTPrefix, &s.API.RESTPrefix},
	} {
		if s.Origin.ByOwner(name) {
			*set.to = *set.from
		}
	}
	if s.Origin.ByOwner("calendar-tables-off") {
		o.CalendarTablesOff = s.Site.CalendarTablesOff
	}
	return o
}

// Facts returns the findings about what the site does and calbridge doesn't.
func Facts(s *settings.Settings, d *sitefacts.Document) check.Report {
	return factFindings(s, d, Failure)
}

// ServedFacts returns the findings of Facts for a server that starts. What only stops its own
// responses doesn't prevent the start, since it then passes requests on, as [Closed] decides.
func ServedFacts(s *settings.Settings, d *sitefacts.Document) check.Report {
	return factFindings(s, d, Warning)
}

// factFindings reports concerns that stop calbridge's own responses by the function stopped.
func factFindings(s *settings.Settings, d *sitefacts.Document, stopped func(name, found, advice string) check.Finding) check.Report {
	var report check.Report
	concerned := map[string]bool{}
	for _, c := range d.Concerns() {
		concerned[c.Name] = true
		switch {
		case c.Stops && answers(s):
			report = append(report, stopped(c.Name, c.Found, c.Advice))
		case c.Closes && guards(s):
			report = append(report, Failure(c.Name, c.Found, c.Advice))
		default:
			report = append(report, Warning(c.Name, c.Found, c.Advice))
		}
	}
	report = append(report, visitorFindings(s, d)...)
	for _, good := range []struct {
		finding string
		fact    sitefacts.Name
	}{{"wordpress.version", sitefacts.WordPress}, {"calendar.version", sitefacts.TEC}, {"site.theme", sitefacts.Template}, {"site.locale", sitefacts.Locale}} {
		if f, ok := d.Fact(good.fact); ok && !concerned[good.finding] {
			report = append(report, Success(good.finding, fmt.Sprintf("%v (%s)", f.Value, f.Source)))
		}
	}
	if d.Is(sitefacts.APIDisabled) {
		report = append(report, Success("site.api-disabled", "the site has switched the calendar's API off: every request gets 404, as from WordPress"))
	}
	if !d.Is(sitefacts.ApplicationPasswords) && d.From(sitefacts.ApplicationPasswords) == sitefacts.Companion {
		report = append(report, Success("site.application-passwords", "switched off by the site: Basic credentials are ignored, as in WordPress"))
	}
	return report
}

// Theme returns how texts are rendered: as the setting says, else as the site's theme does.
func Theme(s *settings.Settings, d *sitefacts.Document) wptext.Theme {
	theme := d.Theme()
	switch s.Site.Theme {
	case settings.ThemeTwentyTwentyFive:
		theme = wptext.TwentyTwentyFive()
	case settings.ThemeClassicHTML5, settings.ThemeClassic:
		theme = wptext.ClassicTheme(s.Site.Theme == settings.ThemeClassicHTML5)
	}
	if s.Site.ContentWidth > 0 {
		theme.ContentWidth = s.Site.ContentWidth
	}
	return theme
}

// answers reports whether calbridge's own responses reach clients.
func answers(s *settings.Settings) bool {
	plan := s.Rollout.Plan
	return plan.Clients > 0 && plan.Mode != rollout.Proxy && plan.Mode != rollout.DiffProxy
}

// guards reports whether calbridge's own responses reach clients without comparisons, and the owner
// has not accepted that they may show what the site closes.
func guards(s *settings.Settings) bool {
	return answers(s) && s.Rollout.Plan.Mode != rollout.Auto && !s.Rollout.DespiteHooks
}

// Closed names why calbridge must not answer: what the site has closed since it was opened with the
// facts in use, so that native responses may show it, or what calbridge can't render; "" for
// neither.
func Closed(s *settings.Settings, inUse, now *sitefacts.Document) string {
	guarded := guards(s)
	for _, c := range now.Concerns() {
		if c.Stops && answers(s) || c.Closes && guarded {
			return c.Found
		}
	}
	if !guarded {
		return ""
	}
	switch {
	case now.Is(sitefacts.APIDisabled) && !inUse.Is(sitefacts.APIDisabled):
		return "the calendar's API is switched off"
	case !now.Is(sitefacts.ApplicationPasswords) && inUse.Is(sitefacts.ApplicationPasswords):
		return "application passwords are switched off"
	}
	return ""
}
