package settings

import (
	"time"

	"calbridge/rest/api"
)

// API configures the REST API.
type API struct {
	Namespace, RESTPrefix string
	LanguageParam         string
	Languages             []string // languages of a site without a language plugin
	Profile               string   // file with the site's message texts
	Compat                api.Compat
	Extensions            bool   // serve calbridge's own routes
	Webhooks              string // file with the targets of webhooks
	ReadOnly              bool
	NoTransactions        bool // write even to tables without transactions
	SiteRefresh           time.Duration
	CacheControl          string
}

// Uploads configures the download of pictures that clients pass by URL.
type Uploads struct {
	Dir      string // "" means that they are refused
	MaxBytes int64
	Memory   int64 // limit for all pictures while their smaller copies are made
	Timeout  time.Duration
}

func interfaceRows(a *API, u *Uploads, c *Cache, clock *time.Time) table {
	const g = GroupInterface
	return table{
		{name: "namespace", common: true, arg: "PATH", def: "calendar/events/v1", group: g, help: "namespace of the API; The Events Calendar's own is tribe/events/v1",
			set: into(&a.Namespace, path)},
		{name: "rest-prefix", arg: "NAME", def: "wp-json", group: g, help: "first part of the REST API's paths, if a plugin has changed it",
			set: into(&a.RESTPrefix, path)},
		{name: "language-param", common: true, arg: "NAME", def: "language_code", group: g, help: "parameter that selects the language on a multilingual site",
			set: into(&a.LanguageParam, text)},
		{name: "languages", arg: "CODES", group: g, help: "languages of the API's own wording on a site without a language plugin, such as cs,en,de; the language parameter selects one",
			set: into(&a.Languages, languageCodes)},
		{name: "profile", common: true, arg: "FILE", group: g, help: "wording of the site, created by `calbridge profile build`; default: calbridge's own",
			set: into(&a.Profile, text)},
		{name: "compat", common: true, arg: "LEVEL", def: "safe", group: g, help: "how many of The Events Calendar's bugs to reproduce: exact = all, safe = all except security holes, fixed = none; mode auto answers reads as with exact",
			set: intoOneOf(&a.Compat, api.Exact, api.Safe, api.Fixed)},
		{name: "extensions", common: true, group: g, def: "false", help: "serve calbridge's own routes next to The Events Calendar's, such as complete iCalendar feeds; no effect with --compat exact, which answers them as WordPress does, or with --mode auto, which has nothing to compare them with",
			set: into(&a.Extensions, boolean)},
		{name: "webhooks", arg: "FILE", group: g, help: "tell other systems of changes: a file with their addresses (docker/webhooks.md); needs --extensions and --state-dir; read again on SIGHUP",
			set: into(&a.Webhooks, text)},
		{name: "read-only", common: true, group: g, def: "false", help: "refuse all writes",
			set: into(&a.ReadOnly, boolean)},
		{name: "write-without-transactions", group: g, def: "false", help: "write even to tables without transactions (MyISAM, Aria): a failed write then leaves some of its rows behind, and concurrent writes may interleave",
			set: into(&a.NoTransactions, boolean)},
		{name: "uploads-dir", common: true, arg: "DIR", group: g, help: "uploads folder of the site (wp-content/uploads), for pictures passed by URL; without it they are refused",
			set: into(&u.Dir, text)},
		{name: "max-image", retired: "it becomes a constant of 10MiB", arg: "SIZE", def: "10MiB", group: g, help: "largest picture that is fetched from a URL",
			set: into(&u.MaxBytes, size)},
		{name: "image-memory", retired: "it becomes a constant of 384MiB", arg: "SIZE", def: "384MiB", group: g, help: "memory for all pictures while their smaller copies are made; a picture that needs more is stored without copies",
			set: into(&u.Memory, size)},
		{name: "image-timeout", retired: "it becomes a constant of 5s", arg: "TIME", def: "5s", group: g, help: "timeout for fetching a picture; should be well below --request-timeout",
			set: into(&u.Timeout, duration(10*time.Millisecond, time.Hour))},
		{name: "site-refresh", arg: "TIME", def: "1s", group: g, help: "how long options and users are cached if no change feed invalidates them; with 0 each request reads them",
			set: into(&a.SiteRefresh, duration(0, 24*time.Hour))},
		{name: "render-cache", retired: "it becomes a constant of 32MiB", arg: "SIZE", def: "32MiB", group: g, help: "memory for rendered events, which are valid until their rows change; 0 for none; a part of --cache-size where the response cache is on",
			set: into(&c.Rendered, sizeOrNone)},
		{name: "clock", arg: "RFC3339", group: g, help: "stop the clock at this time, also in SQL; only for replaying recordings",
			set: into(clock, instant)},
	}
}
