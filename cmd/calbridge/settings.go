package main

import (
	"net/netip"
	"slices"
	"time"

	"calbridge/compat"
	"calbridge/rest/api"
	"calbridge/rest/rollout"
	"calbridge/rest/wpauth"
)

// settings is what serve, demo and check were told, from whichever source.
type settings struct {
	configFile string

	wpConfig                             string
	dsn, tablePrefix                     string
	blogID                               int64
	customUserTable, customUserMetaTable string
	maxOpenConns                         int
	poolWait                             time.Duration
	replicaDSNs                          []string
	replicaMaxLag                        time.Duration

	listen, opsListen string
	trustedProxies    []netip.Prefix
	requestTimeout    time.Duration
	maxBody           int64
	maxVars, maxDepth int
	tlsCert, tlsKey   string
	maxConnections    int
	rateLimit         float64 // requests a second, 0 for no limit
	rateBurst         int64
	drainDelay        time.Duration
	pprof             bool

	namespace, restPrefix, languageParam string
	languages                            []string
	profile                              string
	compat                               api.Compat
	readOnly                             bool
	uploadsDir                           string
	maxImage                             int64
	imageTimeout                         time.Duration
	siteRefresh                          time.Duration
	renderCache                          int64
	clock                                time.Time // zero: the real one

	home, siteURL, contentURL string
	environment               string
	disallowUnfilteredHTML    bool
	emptyTrashDays            int
	postRevisions             int // 0 all, less than 0 none
	wordpress                 string
	theme                     string
	contentWidth              int

	applicationPasswords string
	recordUse            bool
	loginTries           int // 0 for no end of them
	keys                 wpauth.Keys
	cookies              map[string]string // constants about cookies, by name

	companionURL, companionHost, companionSecret string

	cache        cacheMode
	cacheSize    int64
	cacheMaxAge  time.Duration
	cacheControl string

	plan                           rollout.Plan
	upstream                       rollout.Upstream // without URL: none
	compareLevel                   compat.Level
	compareRules, compareLog       string
	compareLogMax                  int64
	staticBlocks, pluginShortcodes []string

	logFormat, logLevel string
}

// The groups of settings, in the order of the help.
const (
	groupDatabase  = "Database"
	groupListen    = "Listening"
	groupInterface = "Interface"
	groupSite      = "Site"
	groupLogin     = "Logins"
	groupCache     = "Cache"
	groupRollout   = "Rollout"
	groupLog       = "Log"
)

func groups() []string {
	return []string{groupDatabase, groupListen, groupInterface, groupSite, groupLogin, groupCache, groupRollout, groupLog}
}

// setting is one row of the table from which flags, environment variables, keys
// of the configuration file, the help and the README's reference are made.
type setting struct {
	name  string // of the flag and the key; in the environment CALBRIDGE_ and capitals
	arg   string // what the value is, as shown in the help; "" for yes-or-no settings
	def   string
	group string
	// secret settings can be read from the file that CALBRIDGE_…_FILE names, and
	// are never shown.
	secret bool
	// constant is what wp-config.php calls it; "" when it knows no such thing.
	constant string
	help     string
	set      func(*settings, string) error
}

func (s *setting) isBool() bool { return s.arg == "" }

// settingTable returns all settings, in the order of the help.
func settingTable() []setting {
	return slices.Concat(databaseSettings(), listenSettings(), interfaceSettings(), siteSettings(), companionSettings(), loginSettings(), cacheSettings(), rolloutSettings(), logSettings())
}

func databaseSettings() []setting {
	const g = groupDatabase
	return []setting{
		{name: "config", arg: "FILE", group: g, help: "read settings from lines `name = value` of this file; # starts a comment line",
			set: text(func(s *settings) *string { return &s.configFile })},
		{name: "wp-config", arg: "FILE", group: g, help: "read the database's address, keys and other constants from the site's wp-config.php, which is never run",
			set: text(func(s *settings) *string { return &s.wpConfig })},
		{name: "dsn", arg: "DSN", group: g, secret: true, constant: "DB_*", help: "the database: user:password@tcp(host:3306)/name, user:password@unix(/path.sock)/name or sqlite:FILE",
			set: text(func(s *settings) *string { return &s.dsn })},
		{name: "table-prefix", arg: "PREFIX", def: "wp_", group: g, constant: "$table_prefix", help: "what the names of the tables start with",
			set: text(func(s *settings) *string { return &s.tablePrefix })},
		{name: "blog-id", arg: "N", def: "1", group: g, constant: "BLOG_ID_CURRENT_SITE", help: "the site of a multisite network; 1 is the main site",
			set: number(func(s *settings) *int64 { return &s.blogID }, 1, 1<<40)},
		{name: "custom-user-table", arg: "TABLE", group: g, constant: "CUSTOM_USER_TABLE", help: "table of users, where it is another than usual",
			set: text(func(s *settings) *string { return &s.customUserTable })},
		{name: "custom-user-meta-table", arg: "TABLE", group: g, constant: "CUSTOM_USER_META_TABLE", help: "table of user metadata, where it is another than usual",
			set: text(func(s *settings) *string { return &s.customUserMetaTable })},
		{name: "max-open-conns", arg: "N", def: "16", group: g, help: "most connections to the database at a time",
			set: number(func(s *settings) *int { return &s.maxOpenConns }, 1, 10000)},
		{name: "pool-wait", arg: "TIME", def: "3s", group: g, help: "longest wait for one of these connections, after which a request gets 503; should be well below --request-timeout",
			set: duration(func(s *settings) *time.Duration { return &s.poolWait }, time.Millisecond, time.Hour)},
		{name: "replica-dsn", arg: "DSNS", group: g, secret: true, help: "replicas to read from, DSNs separated by spaces, each with --max-open-conns connections and one to watch it; see docker/README.md",
			set: words(func(s *settings) *[]string { return &s.replicaDSNs })},
		{name: "replica-max-lag", arg: "TIME", def: "5s", group: g, help: "how far behind the primary a replica may be; 0s lets every read wait for what the primary has",
			set: duration(func(s *settings) *time.Duration { return &s.replicaMaxLag }, 0, time.Hour)},
	}
}

func listenSettings() []setting {
	const g = groupListen
	return []setting{
		{name: "listen", arg: "ADDR", def: "127.0.0.1:8080", group: g, help: "address of the API, host:port; :8080 means all addresses",
			set: address(func(s *settings) *string { return &s.listen })},
		{name: "ops-listen", arg: "ADDR", def: "127.0.0.1:9464", group: g, help: "address of /metrics, /healthz, /readyz and /version; off for none",
			set: addressOrOff(func(s *settings) *string { return &s.opsListen })},
		{name: "trusted-proxies", arg: "CIDRS", def: "127.0.0.0/8,::1/128", group: g, help: "networks whose X-Forwarded-Proto and X-Forwarded-For count, separated by commas; none for none",
			set: prefixes(func(s *settings) *[]netip.Prefix { return &s.trustedProxies })},
		{name: "request-timeout", arg: "TIME", def: "10s", group: g, help: "longest work on one request, the database's included",
			set: duration(func(s *settings) *time.Duration { return &s.requestTimeout }, 10*time.Millisecond, time.Hour)},
		{name: "max-body", arg: "SIZE", def: "8MiB", group: g, help: "largest request body, as PHP's post_max_size",
			set: size(func(s *settings) *int64 { return &s.maxBody })},
		{name: "max-input-vars", arg: "N", def: "1000", group: g, help: "most parameters of a request, as PHP's setting of that name",
			set: number(func(s *settings) *int { return &s.maxVars }, 1, 1_000_000)},
		{name: "max-input-nesting", arg: "N", def: "64", group: g, help: "deepest nesting of a parameter, as PHP's max_input_nesting_level",
			set: number(func(s *settings) *int { return &s.maxDepth }, 1, 1000)},
		{name: "tls-cert", arg: "FILE", group: g, help: "certificate chain (PEM) to speak HTTPS with, where no web server in front does; read again on SIGHUP",
			set: text(func(s *settings) *string { return &s.tlsCert })},
		{name: "tls-key", arg: "FILE", group: g, help: "key (PEM) of --tls-cert",
			set: text(func(s *settings) *string { return &s.tlsKey })},
		{name: "max-connections", arg: "N", def: "4096", group: g, help: "most client connections at a time; one more closes the one that has been idle for longest",
			set: number(func(s *settings) *int { return &s.maxConnections }, 1, 1_000_000)},
		{name: "rate-limit", arg: "RATE", def: "0", group: g, help: "requests a second that one client may make on average before it gets 429; 0 for any number",
			set: rate(func(s *settings) *float64 { return &s.rateLimit })},
		{name: "rate-burst", arg: "N", def: "50", group: g, help: "requests that a client may make at once under --rate-limit",
			set: number(func(s *settings) *int64 { return &s.rateBurst }, 1, 1_000_000)},
		{name: "drain-delay", arg: "TIME", def: "0s", group: g, help: "how long requests are still taken after SIGTERM, while /readyz says no, for balancers to notice",
			set: duration(func(s *settings) *time.Duration { return &s.drainDelay }, 0, 10*time.Minute)},
		{name: "pprof", def: "false", group: g, help: "offer Go's profiles under /debug/pprof/ of --ops-listen",
			set: boolean(func(s *settings) *bool { return &s.pprof })},
	}
}

func interfaceSettings() []setting {
	const g = groupInterface
	return []setting{
		{name: "namespace", arg: "PATH", def: "calendar/events/v1", group: g, help: "namespace that is answered; The Events Calendar's own is tribe/events/v1",
			set: path(func(s *settings) *string { return &s.namespace })},
		{name: "rest-prefix", arg: "NAME", def: "wp-json", group: g, help: "first part of the REST API's paths, where a plugin has changed it",
			set: path(func(s *settings) *string { return &s.restPrefix })},
		{name: "language-param", arg: "NAME", def: "language_code", group: g, help: "argument that selects the language; there is none on a site with one language",
			set: text(func(s *settings) *string { return &s.languageParam })},
		{name: "languages", arg: "CODES", group: g, help: "languages that the interface promises on a site without a language plugin, such as cs,en,de: the language argument then chooses the wording",
			set: languageCodes(func(s *settings) *[]string { return &s.languages })},
		{name: "profile", arg: "FILE", group: g, help: "wording of the site, made by `calbridge profile build`; without it calbridge uses its own words",
			set: text(func(s *settings) *string { return &s.profile })},
		{name: "compat", arg: "LEVEL", def: "safe", group: g, help: "how faithful to the reference's own faults: exact repeats all, safe not its security holes, fixed not its plain faults either",
			set: oneOf(func(s *settings) *api.Compat { return &s.compat }, api.Exact, api.Safe, api.Fixed)},
		{name: "read-only", group: g, def: "false", help: "refuse everything that writes",
			set: boolean(func(s *settings) *bool { return &s.readOnly })},
		{name: "uploads-dir", arg: "DIR", group: g, help: "uploads folder of the site (wp-content/uploads), where pictures named by URL are stored; without it they are refused",
			set: text(func(s *settings) *string { return &s.uploadsDir })},
		{name: "max-image", arg: "SIZE", def: "10MiB", group: g, help: "largest picture that is fetched from a URL",
			set: size(func(s *settings) *int64 { return &s.maxImage })},
		{name: "image-timeout", arg: "TIME", def: "5s", group: g, help: "longest time to ask for a picture at its URL, and to fetch it; should be well below --request-timeout",
			set: duration(func(s *settings) *time.Duration { return &s.imageTimeout }, 10*time.Millisecond, time.Hour)},
		{name: "site-refresh", arg: "TIME", def: "1s", group: g, help: "how old the site's options may become before they are read again",
			set: duration(func(s *settings) *time.Duration { return &s.siteRefresh }, 0, 24*time.Hour)},
		{name: "render-cache", arg: "SIZE", def: "32MiB", group: g, help: "memory for rendered events, which are copied while the rows that they are made of are the same; 0 for none; part of --cache-size where anything else is kept",
			set: sizeOrNone(func(s *settings) *int64 { return &s.renderCache })},
		{name: "clock", arg: "RFC3339", group: g, help: "let time stand still at this moment, in SQL as well; only for replaying recordings",
			set: instant(func(s *settings) *time.Time { return &s.clock })},
	}
}

func siteSettings() []setting {
	const g = groupSite
	return []setting{
		{name: "home", arg: "URL", group: g, constant: "WP_HOME", help: "address of the site, instead of the one in the database",
			set: webURL(func(s *settings) *string { return &s.home })},
		{name: "siteurl", arg: "URL", group: g, constant: "WP_SITEURL", help: "address of WordPress, instead of the one in the database",
			set: webURL(func(s *settings) *string { return &s.siteURL })},
		{name: "content-url", arg: "URL", group: g, constant: "WP_CONTENT_URL", help: "address of the content folder, where it is another than usual",
			set: webURL(func(s *settings) *string { return &s.contentURL })},
		{name: "environment", arg: "TYPE", def: "production", group: g, constant: "WP_ENVIRONMENT_TYPE", help: "local, development, staging or production; local allows application passwords without HTTPS",
			set: text(func(s *settings) *string { return &s.environment })},
		{name: "wordpress-version", arg: "VERSION", group: g, help: "release of WordPress to agree with, such as 6.9; without it the database tells",
			set: release(func(s *settings) *string { return &s.wordpress })},
		{name: "theme", arg: "KIND", def: "auto", group: g, help: "what the site's theme is like: twentytwentyfive, classic-html5 (no theme.json), classic (nor HTML5 captions and galleries); auto goes by the theme's name",
			set: oneOf(func(s *settings) *string { return &s.theme }, themeAuto, themeTwentyTwentyFive, themeClassicHTML5, themeClassic)},
		{name: "content-width", arg: "PIXELS", def: "0", group: g, help: "the theme's content width, 0 for none",
			set: number(func(s *settings) *int { return &s.contentWidth }, 0, 100_000)},
		{name: "disallow-unfiltered-html", group: g, def: "false", constant: "DISALLOW_UNFILTERED_HTML", help: "nobody may write HTML unfiltered",
			set: boolean(func(s *settings) *bool { return &s.disallowUnfilteredHTML })},
		{name: "empty-trash-days", arg: "N", def: "30", group: g, constant: "EMPTY_TRASH_DAYS", help: "days that WordPress keeps trashed posts; with 0 deleted events are gone at once",
			set: number(func(s *settings) *int { return &s.emptyTrashDays }, 0, 1_000_000)},
		{name: "post-revisions", arg: "N", def: "all", group: g, constant: "WP_POST_REVISIONS", help: "revisions kept of each post: a number, all (true) or none (false)",
			set: revisions},
	}
}

func logSettings() []setting {
	const g = groupLog
	return []setting{
		{name: "log-format", arg: "FORMAT", def: "text", group: g, help: "text or json",
			set: oneOf(func(s *settings) *string { return &s.logFormat }, "text", "json")},
		{name: "log-level", arg: "LEVEL", def: "info", group: g, help: "least severe messages to log: debug, info, warn or error; info has a line for each request",
			set: oneOf(func(s *settings) *string { return &s.logLevel }, "debug", "info", "warn", "error")},
	}
}
