package settings

import (
	"time"

	"calbridge/cmd/calbridge/cachesync"
	"calbridge/rest"
)

// API is the interface that is answered.
type API struct {
	Namespace, RESTPrefix string
	LanguageParam         string
	Languages             []string // promised on a site without a language plugin
	Profile               string   // file with the site's wording
	Compat                rest.Compat
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
			set: path(&a.Namespace)},
		{name: "rest-prefix", arg: "NAME", def: "wp-json", group: g, help: "first part of the REST API's paths, where a plugin has changed it",
			set: path(&a.RESTPrefix)},
		{name: "language-param", arg: "NAME", def: "language_code", group: g, help: "argument that selects the language; there is none on a site with one language",
			set: text(&a.LanguageParam)},
		{name: "languages", arg: "CODES", group: g, help: "languages that the interface promises on a site without a language plugin, such as cs,en,de: the language argument then chooses the wording",
			set: languageCodes(&a.Languages)},
		{name: "profile", arg: "FILE", group: g, help: "wording of the site, made by `calbridge profile build`; without it calbridge uses its own words",
			set: text(&a.Profile)},
		{name: "compat", arg: "LEVEL", def: "safe", group: g, help: "how faithful to the reference's own faults: exact repeats all, safe not its security holes, fixed not its plain faults either",
			set: oneOf(&a.Compat, rest.Exact, rest.Safe, rest.Fixed)},
		{name: "read-only", group: g, def: "false", help: "refuse everything that writes",
			set: boolean(&a.ReadOnly)},
		{name: "uploads-dir", arg: "DIR", group: g, help: "uploads folder of the site (wp-content/uploads), where pictures named by URL are stored; without it they are refused",
			set: text(&u.Dir)},
		{name: "max-image", arg: "SIZE", def: "10MiB", group: g, help: "largest picture that is fetched from a URL",
			set: size(&u.MaxBytes)},
		{name: "image-timeout", arg: "TIME", def: "5s", group: g, help: "longest time to ask for a picture at its URL, and to fetch it; should be well below --request-timeout",
			set: duration(&u.Timeout, 10*time.Millisecond, time.Hour)},
		{name: "site-refresh", arg: "TIME", def: "1s", group: g, help: "how old the site's options may become before they are read again",
			set: duration(&a.SiteRefresh, 0, 24*time.Hour)},
		{name: "render-cache", arg: "SIZE", def: "32MiB", group: g, help: "memory for rendered events, which are copied while the rows that they are made of are the same; 0 for none; part of --cache-size where anything else is kept",
			set: sizeOrNone(&c.Rendered)},
		{name: "clock", arg: "RFC3339", group: g, help: "let time stand still at this moment, in SQL as well; only for replaying recordings",
			set: instant(clock)},
	}
}
