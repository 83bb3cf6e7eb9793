package settings

import (
	"time"

	"calbridge/cmd/calbridge/cachesync"
)

func cacheRows(c *cachesync.Config, control *string) table {
	const g = GroupCache
	return table{
		{name: "cache", arg: "MODE", def: "auto", group: g, help: "answers are kept in memory until something that they show changes; the mode says how changes are heard of: auto (by the database's binary log, else by the companion plugin's notices, else nothing is kept), strict (by the binary log, and every request proves that nothing was missed), notices, timed (kept for --cache-max-age, whatever changes), off",
			set: oneOf(&c.Mode, cachesync.Auto, cachesync.Strict, cachesync.Notices, cachesync.Timed, cachesync.Off)},
		{name: "cache-size", arg: "SIZE", def: "256MiB", group: g, help: "memory for all that is kept: rendered events (--render-cache, a quarter at most), and of the rest three quarters for answers and one for rows; the index of events that the binary log keeps true comes on top, and a quarter of this size for the garbage collector to work with",
			set: size(&c.Size)},
		{name: "cache-max-age", arg: "TIME", def: "30s", group: g, help: "oldest that an answer can become under --cache timed, and under notices if one is lost",
			set: duration(&c.MaxAge, 100*time.Millisecond, 24*time.Hour)},
		{name: "cache-control", arg: "TEXT", def: "no-cache", group: g, help: "header Cache-Control of answers to anonymous GETs, for browsers and CDNs: no-cache lets them keep a copy and ask whether it still holds; not under --compat exact",
			set: text(control)},
	}
}
