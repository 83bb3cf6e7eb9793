package settings

import (
	"time"

	"calbridge/cmd/calbridge/diffmode"
	"calbridge/compat/diff"
	"calbridge/rest/proof"
	"calbridge/rest/rollout"
)

// Rollout says which side answers while calbridge takes over from WordPress, and how the two
// are compared. A reload applies all of it.
type Rollout struct {
	Plan         rollout.Plan
	Upstream     rollout.Upstream // without URL: none
	User         string           // whom the check's comparison logs in as; "" for nobody
	Password     string           // application password of User
	Compare      diffmode.Config  // as far as it is set here
	StaticBlocks []string
	Shortcodes   []string       // only WordPress can render them
	Proof        proof.Settings // but for its memory
	CodeEvery    time.Duration  // how often mode auto looks which code WordPress runs
	// Headers are request headers that mode auto takes for ordinary, and HarmlessCode is code that
	// reads who asks and answers nobody otherwise.
	Headers      []string
	HarmlessCode []string
	DespiteHooks bool // answer although the site may close what calbridge shows
}

func rolloutRows(r *Rollout) table {
	const g = GroupRollout
	return table{
		{name: "mode", arg: "MODE", def: string(rollout.Native), group: g, help: "which side answers: native (calbridge), proxy (WordPress), diff-native (calbridge, and its answers are compared with WordPress's), diff-proxy (the other way round), auto (calbridge answers what has proved to be the same, WordPress the rest)",
			set: intoOneOf(&r.Plan.Mode, rollout.Modes()...)},
		{name: "mode-share", arg: "PERCENT", def: "100", group: g, help: "share of the clients that mode applies to, chosen permanently by address; WordPress answers the others",
			set: into(&r.Plan.Clients, percent)},
		{name: "upstream", arg: "URL", group: g, help: "address of WordPress itself (PHP, not calbridge): scheme, host and port; it also answers what only its plugins can render",
			set: into(&r.Upstream.URL, webURL)},
		{name: "upstream-host", arg: "NAME", group: g, help: "host name of the site, where upstream is a bare address; without it the client's Host is forwarded",
			set: into(&r.Upstream.Host, text)},
		{name: "upstream-timeout", arg: "TIME", def: "10s", group: g, help: "timeout until WordPress begins its answer",
			set: into(&r.Upstream.Timeout, duration(10*time.Millisecond, time.Hour))},
		{name: "upstream-user", arg: "NAME", group: g, help: "user whose answers `calbridge check` compares with WordPress's too",
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
		{name: "compare-log-max", arg: "SIZE", def: "64MiB", group: g, help: "size at which this recording is renamed to FILE.1 and a new one is begun",
			set: into(&r.Compare.JournalMax, size)},
		{name: "proof-comparisons", arg: "N", def: "20", group: g, help: "identical answers to different requests after which mode auto answers requests of the same shape natively",
			set: into(&r.Proof.Comparisons, number(1, 10_000))},
		{name: "proof-time", arg: "TIME", def: "10m", group: g, help: "time over which these answers must be spread, and after which a shape is compared again at the latest",
			set: into(&r.Proof.Time, duration(time.Second, 24*time.Hour))},
		{name: "proof-sample", arg: "PERCENT", def: "1", group: g, help: "share of the natively answered requests that mode auto compares afterwards",
			set: into(&r.Proof.Sample, percent)},
		{name: "proof-writes", group: g, def: "false", help: "mode auto makes writes natively, which can't be compared; without it WordPress makes them",
			set: into(&r.Proof.Writes, boolean)},
		{name: "proof-code-every", arg: "TIME", def: "10s", group: g, help: "how often mode auto asks the companion plugin which code WordPress runs: what changed code hides may be shown for so long, and three times as long where the plugin doesn't answer and WordPress does",
			set: into(&r.CodeEvery, duration(100*time.Millisecond, 10*time.Minute))},
		{name: "proof-without-companion", group: g, def: "false", help: "mode auto answers natively although nobody reports changes of the site's code, or code that reads who asks: until the next comparison it may then show what changed code hides, and to some visitors what only they are refused",
			set: into(&r.Proof.WithoutCompanion, boolean)},
		{name: "harmless-tables", arg: "NAMES", group: g, help: "tables of plugins whose changes hide no event and change no answer, without prefix, and such options as options:NAME and types of posts as posts:TYPE; * stands for anything; a change of any other unknown table makes mode auto ask WordPress for every object again",
			set: into(&r.Proof.HarmlessTables, names)},
		{name: "ordinary-headers", arg: "NAMES", group: g, help: "request headers that change no answer of WordPress, besides those that browsers, proxies and HTTP libraries send, such as X-Company-Trace,X-Geo-*; * at the end stands for anything; mode auto leaves requests with any other header to WordPress; name Origin if no plugin treats origins differently",
			set: into(&r.Headers, names)},
		{name: "harmless-code", arg: "NAMES", group: g, help: "plugins, must-use plugins and themes that read the visitor's address, browser or language but neither hide nor change events by it, such as plugins/akismet,mu-plugins/log.php,themes/shop; * stands for anything; while other code of that kind is active, mode auto answers nothing natively (`calbridge proof` and `check` name it)",
			set: into(&r.HarmlessCode, names)},
		{name: "serve-despite-hooks", group: g, def: "false", help: "answer although the site has hooks or plugins that may close the API or hide events, which calbridge doesn't run; without it serve refuses such sites, except with --mode proxy and diff-proxy",
			set: into(&r.DespiteHooks, boolean)},
		{name: "static-blocks", arg: "NAMES", group: g, help: "blocks of other plugins that show what is saved in the text, such as kadence/*,stackable/divider: calbridge renders them",
			set: into(&r.StaticBlocks, names)},
		{name: "plugin-shortcodes", arg: "NAMES", group: g, help: "shortcodes of other plugins that look like plain words in brackets, such as tickets,map: WordPress answers",
			set: into(&r.Shortcodes, names)},
	}
}
