package settings

import (
	"time"

	"calbridge/compat/diff"
	"calbridge/rest/proof"
	"calbridge/rest/rollout"
)

// Rollout configures which side responds while calbridge takes over from WordPress, and how
// the two are compared. A reload applies all of it.
type Rollout struct {
	Plan         rollout.Plan
	Upstream     rollout.Upstream // an empty URL means none
	User         string           // login for the comparison of `calbridge check`; "" for none
	Password     string           // application password of User
	Compare      Compare
	StaticBlocks []string
	Shortcodes   []string       // shortcodes that only WordPress renders
	Proof        proof.Settings // everything except its storage
	Fragments    Fragments
	CodeEvery    time.Duration // how often mode auto checks which code WordPress runs
	// Headers are request headers that mode auto treats as ordinary. HarmlessCode names code
	// that reads details of the visitor but does not change responses because of them.
	Headers      []string
	HarmlessCode []string
	DespiteHooks bool // serve even if hooks of the site may hide what calbridge shows
}

// Compare configures how responses are compared.
type Compare struct {
	Level diff.Level
	Rules string // file, "" for none
	// Journal is the file for recordings of differences; if it is empty, they are not recorded.
	// At JournalMax bytes a new file is begun.
	Journal    string
	JournalMax int64
}

// Fragments limits how long mode auto serves WordPress's own rendering of an object after WordPress
// has last sent it, and how long while WordPress is down.
type Fragments struct{ MaxAge, StaleIfError time.Duration }

func rolloutRows(r *Rollout) table {
	const g = GroupRollout
	return table{
		{name: "mode", common: true, arg: "MODE", def: string(rollout.Native), group: g, help: "which side answers: native (calbridge), proxy (WordPress), diff-native (calbridge, and its answers are compared with WordPress's), diff-proxy (the other way round), auto (calbridge answers what it has proved to be identical, WordPress the rest)",
			set: intoOneOf(&r.Plan.Mode, rollout.Modes()...)},
		{name: "mode-share", common: true, arg: "PERCENT", def: "100", group: g, help: "share of the clients that --mode applies to, assigned permanently by IP address; WordPress answers the others",
			set: into(&r.Plan.Clients, percent)},
		{name: "upstream", common: true, arg: "URL", group: g, help: "address of WordPress itself (PHP, not calbridge): scheme, host and port; it also answers what only its plugins can render; its companion plugin reports facts and purges WordPress's caches after every write (needs --companion-secret); with the plugin the URL may name the folder of WordPress too, such as http://127.0.0.1:8081/wp/",
			set: into(&r.Upstream.URL, webURL)},
		{name: "upstream-host", arg: "NAME", group: g, help: "host name of the site, if --upstream is a bare address; without it the client's Host is forwarded",
			set: into(&r.Upstream.Host, text)},
		{name: "upstream-timeout", arg: "TIME", def: "10s", group: g, help: "timeout until WordPress begins its response",
			set: into(&r.Upstream.Timeout, duration(10*time.Millisecond, time.Hour))},
		{name: "upstream-user", arg: "NAME", group: g, help: "user as whom `calbridge check` also compares answers with WordPress's",
			set: into(&r.User, text)},
		{name: "upstream-password", arg: "TEXT", group: g, secret: true, help: "application password of --upstream-user",
			set: into(&r.Password, text)},
		{name: "compare-share", arg: "PERCENT", def: "100", group: g, help: "share of the GETs that the diff modes compare, chosen at random",
			set: into(&r.Plan.Compared, percent)},
		{name: "compare-level", arg: "LEVEL", def: string(diff.LevelBytes), group: g, help: "level of comparison: status, headers, schema, semantic or bytes, as in `calbridge compare`",
			set: intoOneOf(&r.Compare.Level, diff.Levels()...)},
		{name: "compare-rules", arg: "FILE", group: g, help: "rules and known differences, as for `calbridge compare`",
			set: into(&r.Compare.Rules, text)},
		{name: "compare-log", arg: "FILE", group: g, help: "file for a recording of the requests whose answers differ, without credentials, for `calbridge compare`",
			set: into(&r.Compare.Journal, text)},
		{name: "compare-log-max", retired: "it becomes a constant of 64MiB", arg: "SIZE", def: "64MiB", group: g, help: "size at which this recording is renamed to FILE.1 and a new one is started",
			set: into(&r.Compare.JournalMax, size)},
		{name: "proof-comparisons", arg: "N", def: "20", group: g, help: "identical answers to different requests after which mode auto answers requests of the same shape natively",
			set: into(&r.Proof.Comparisons, number(1, 10_000))},
		{name: "proof-time", arg: "TIME", def: "10m", group: g, help: "time over which these answers must be spread, and after which a shape is compared again at the latest",
			set: into(&r.Proof.Time, duration(time.Second, 24*time.Hour))},
		{name: "proof-sample", arg: "PERCENT", def: "1", group: g, help: "share of the natively answered requests that mode auto compares afterwards",
			set: into(&r.Proof.Sample, percent)},
		{name: "proof-rate", arg: "PERCENT", def: "5", group: g, help: "share of WordPress's time in which mode auto may request objects again that would otherwise exceed --fragment-max-age, as if WordPress answered one request at a time; 0 for never, so that WordPress answers the first request after that age",
			set: into(&r.Proof.Rate, percent)},
		{name: "proof-writes", group: g, def: "false", help: "let mode auto perform writes natively, although they can't be compared; by default WordPress performs them",
			set: into(&r.Proof.Writes, boolean)},
		{name: "proof-code-every", arg: "TIME", def: "10s", group: g, help: "how often mode auto asks the companion plugin which code WordPress runs; for up to that long (three times that if the plugin stops responding but WordPress doesn't) calbridge may show what changed code hides",
			set: into(&r.CodeEvery, duration(100*time.Millisecond, 10*time.Minute))},
		{name: "proof-without-companion", group: g, def: "false", help: "let mode auto answer natively without a companion plugin that reports changes of the site's code and code that depends on the visitor; until the next comparison, calbridge may then show what changed code hides, and show visitors what WordPress refuses only to them",
			set: into(&r.Proof.WithoutCompanion, boolean)},
		{name: "fragment-max-age", arg: "TIME", def: "10m", group: g, help: "how long mode auto serves an event, venue, organizer or term after the last comparison in which WordPress sent it, and how long mode native with --upstream serves WordPress's rendering of texts that only plugins can render: the longest time that a change of something that is in no row of it (the clock, files, other servers, other events) goes unnoticed; with 0 there is no limit, and WordPress answers what plugins render or change",
			set: into(&r.Fragments.MaxAge, duration(0, 24*time.Hour))},
		{name: "fragment-stale-if-error", arg: "TIME", def: "1h", group: g, help: "how long both modes serve it while WordPress is down, unless its rows change",
			set: into(&r.Fragments.StaleIfError, duration(0, 24*time.Hour))},
		{name: "harmless-tables", arg: "NAMES", group: g, help: "plugin tables, without prefix, whose changes neither hide events nor change answers, besides the well-known ones; also options as options:NAME, post types as posts:TYPE, metadata of posts as postmeta:KEY, such as a counter of views, and data files that plugins read as file:PATH; * stands for anything, and !NAME takes a well-known one off; a change to any other unknown table makes mode auto compare every object with WordPress again",
			set: into(&r.Proof.HarmlessTables, names)},
		{name: "ordinary-headers", arg: "NAMES", group: g, help: "request headers that don't change WordPress's answers, besides the usual ones of browsers, proxies and HTTP libraries, such as X-Company-Trace,X-Geo-*; * at the end stands for anything; mode auto leaves requests with any other header to WordPress; add Origin if no plugin treats origins differently",
			set: into(&r.Headers, names)},
		{name: "harmless-code", arg: "NAMES", group: g, help: "plugins, must-use plugins and themes that read the visitor's address, browser or language but neither hide nor change events by it, such as plugins/akismet,mu-plugins/log.php,themes/shop; * stands for anything; while any other such code is active, mode auto answers nothing natively (`calbridge proof` and `check` name it)",
			set: into(&r.HarmlessCode, names)},
		{name: "serve-despite-hooks", group: g, def: "false", help: "serve the site although it has hooks or plugins that may close the API or hide events, which calbridge doesn't run; by default serve refuses such sites, except with --mode proxy and diff-proxy",
			set: into(&r.DespiteHooks, boolean)},
		{name: "static-blocks", arg: "NAMES", group: g, help: "third-party blocks that render exactly their saved markup, such as kadence/*,stackable/divider: calbridge renders them",
			set: into(&r.StaticBlocks, names)},
		{name: "plugin-shortcodes", arg: "NAMES", group: g, help: "shortcodes of other plugins that look like plain words in brackets, such as tickets,map: WordPress answers requests for content with them",
			set: into(&r.Shortcodes, names)},
	}
}
