package settings

import (
	"time"

	"calbridge/cmd/calbridge/cachesync"
	"calbridge/rest/api"
)

// API is the interface that is answered.
type API struct {
	Namespace, RESTPrefix string
	LanguageParam         string
	Languages             []string // promised on a site without a language plugin
	Profile               string   // file with the site's wording
	Compat                api.Compat
	ReadOnly              bool
	SiteRefresh           time.Duration
	CacheControl          string
}

// Uploads are pictures that clients name by URL.
type Uploads struct {
	Dir      string // "" refuses them
	MaxBytes int64
	Timeout  time.Duration
}

func interfaceRows(a *API, u *Uploads, c *cachesync.Config, clock *time.Time) table {
	const g = GroupInterface
	return table{
		{name: "namespace", arg: "PATH", def: "calendar/events/v1", group: g, help: "namespace that is answered; The Events Calendar's own is tribe/events/v1",
			set: into(&a.Namespace, path)},
		{name: "rest-prefix", arg: "NAME", def: "wp-json", group: g, help: "first part of the REST API's paths, where a plugin has changed it",
			set: into(&a.RESTPrefix, path)},
		{name: "language-param", arg: "NAME", def: "language_code", group: g, help: "argument that selects the language; there is none on a site with one language",
			set: into(&a.LanguageParam, text)},
		{name: "languages", arg: "CODES", group: g, help: "languages that the interface promises on a site without a language plugin, such as cs,en,de: the language argument then chooses the wording",
			set: into(&a.Languages, languageCodes)},
		{name: "profile", arg: "FILE", group: g, help: "wording of the site, made by `calbridge profile build`; without it calbridge uses its own words",
			set: into(&a.Profile, text)},
		{name: "compat", arg: "LEVEL", def: "safe", group: g, help: "how faithful to the reference's own faults: exact repeats all, safe not its security holes, fixed not its plain faults either",
			set: into(&a.Compat, oneOf(api.Exact, api.Safe, api.Fixed))},
		{name: "read-only", group: g, def: "false", help: "refuse everything that writes",
			set: into(&a.ReadOnly, boolean)},
		{name: "uploads-dir", arg: "DIR", group: g, help: "uploads folder of the site (wp-content/uploads), where pictures named by URL are stored; without it they are refused",
			set: into(&u.Dir, text)},
		{name: "max-image", arg: "SIZE", def: "10MiB", group: g, help: "largest picture that is fetched from a URL",
			set: into(&u.MaxBytes, size)},
		{name: "image-timeout", arg: "TIME", def: "5s", group: g, help: "longest time to ask for a picture at its URL, and to fetch it; should be well below --request-timeout",
			set: into(&u.Timeout, duration(10*time.Millisecond, time.Hour))},
		{name: "site-refresh", arg: "TIME", def: "1s", group: g, help: "how old the site's options may become before they are read again",
			set: into(&a.SiteRefresh, duration(0, 24*time.Hour))},
		{name: "render-cache", arg: "SIZE", def: "32MiB", group: g, help: "memory for rendered events, which are copied while the rows that they are made of are the same; 0 for none; part of --cache-size where anything else is kept",
			set: into(&c.Rendered, sizeOrNone)},
		{name: "clock", arg: "RFC3339", group: g, help: "let time stand still at this moment, in SQL as well; only for replaying recordings",
			set: into(clock, instant)},
	}
}

func cacheRows(c *cachesync.Config, control *string) table {
	const g = GroupCache
	return table{
		{name: "cache", arg: "MODE", def: "auto", group: g, help: "answers are kept in memory until something that they show changes; the mode says how changes are heard of: auto (by the database's binary log, else by the companion plugin's notices, else nothing is kept), strict (by the binary log, and every request proves that nothing was missed), notices, timed (kept for --cache-max-age, whatever changes), off",
			set: into(&c.Mode, oneOf(cachesync.Auto, cachesync.Strict, cachesync.Notices, cachesync.Timed, cachesync.Off))},
		{name: "cache-size", arg: "SIZE", def: "256MiB", group: g, help: "memory for all that is kept: rendered events (--render-cache, a quarter at most), and of the rest three quarters for answers and one for rows; the index of events that the binary log keeps true comes on top, and a quarter of this size for the garbage collector to work with",
			set: into(&c.Size, size)},
		{name: "cache-max-age", arg: "TIME", def: "30s", group: g, help: "oldest that an answer can become under --cache timed, and under notices if one is lost",
			set: into(&c.MaxAge, duration(100*time.Millisecond, 24*time.Hour))},
		{name: "cache-control", arg: "TEXT", def: "no-cache", group: g, help: "header Cache-Control of answers to anonymous GETs, for browsers and CDNs: no-cache lets them keep a copy and ask whether it still holds; not under --compat exact",
			set: into(control, text)},
	}
}
