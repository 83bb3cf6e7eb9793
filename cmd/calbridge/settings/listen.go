package settings

import (
	"net/netip"
	"time"

	"calbridge/cmd/calbridge/logging"
)

// Listen configures the listeners.
type Listen struct {
	API, Ops string // addresses, Ops "" for none
	// OpsHosts are host names that the ops listener accepts besides IP addresses, localhost
	// and its own name.
	OpsHosts        []string
	TrustedProxies  []netip.Prefix
	TLSCert, TLSKey string // files, "" for plain HTTP
	DrainDelay      time.Duration
	Pprof           bool
}

// Limits bounds the resources that clients can use.
type Limits struct {
	RequestTimeout    time.Duration
	MaxBody           int64 // in bytes
	MaxVars           int   // number of parameters of a request
	MaxDepth          int   // nesting depth of a parameter
	MaxConnections    int
	RequestsPerSecond float64 // of one client; 0 means no limit
	Burst             int64
	// Streams and StreamsPerClient limit open streams of changes, in total and per client.
	Streams, StreamsPerClient int
}

func listenRows(l *Listen, m *Limits, stateDir *string) table {
	const g = GroupListening
	return table{
		{name: "listen", common: true, arg: "ADDR", def: "127.0.0.1:8080", group: g, help: "address of the API, host:port; :8080 means all addresses",
			set: into(&l.API, address), restart: ifChanged},
		{name: "ops-listen", common: true, arg: "ADDR", def: "127.0.0.1:9464", group: g, help: "address of /metrics, /healthz, /readyz, /version and the console (/console/); off for none",
			set: into(&l.Ops, addressOrOff), restart: ifChanged},
		{name: "ops-hosts", common: true, arg: "NAMES", group: g, help: "host names, separated by commas, that Prometheus, WordPress or a browser use to reach --ops-listen, or * for any; IP addresses, localhost and the host of --ops-listen always work; any other Host gets 403",
			set: into(&l.OpsHosts, hostNames)},
		{name: "trusted-proxies", common: true, arg: "CIDRS", def: "127.0.0.0/8,::1/128", group: g, help: "networks whose X-Forwarded-Proto and X-Forwarded-For are trusted, separated by commas, or none",
			set: into(&l.TrustedProxies, prefixes)},
		{name: "request-timeout", arg: "TIME", def: "10s", group: g, help: "timeout for one request, with its queries",
			set: into(&m.RequestTimeout, duration(10*time.Millisecond, time.Hour))},
		{name: "max-body", arg: "SIZE", def: "8MiB", group: g, help: "largest request body, like PHP's post_max_size",
			set: into(&m.MaxBody, size)},
		{name: "max-input-vars", retired: "it becomes a constant of 1000", arg: "N", def: "1000", group: g, help: "maximum number of parameters per request, like PHP's max_input_vars",
			set: into(&m.MaxVars, number(1, 1_000_000))},
		{name: "max-input-nesting", retired: "it becomes a constant of 64", arg: "N", def: "64", group: g, help: "deepest nesting of a parameter, like PHP's max_input_nesting_level",
			set: into(&m.MaxDepth, number(1, 1000))},
		{name: "tls-cert", arg: "FILE", group: g, help: "certificate chain (PEM) for HTTPS without a web server in front; read again on SIGHUP",
			set: into(&l.TLSCert, text), restart: ifToggled},
		{name: "tls-key", arg: "FILE", group: g, help: "key (PEM) of --tls-cert",
			set: into(&l.TLSKey, text)},
		{name: "max-connections", arg: "N", def: "4096", group: g, help: "maximum number of open client connections; a further one closes the one that has been idle longest",
			set: into(&m.MaxConnections, number(1, 1_000_000)), restart: ifChanged},
		{name: "max-streams", arg: "N", def: "1000", group: g, help: "maximum number of open streams of changes (events/stream, with --extensions); further clients get 503; should be well below --max-connections, because streams count towards it",
			set: into(&m.Streams, number(1, 1_000_000))},
		{name: "max-streams-per-client", arg: "N", def: "50", group: g, help: "maximum number of open streams per client; further ones get 429",
			set: into(&m.StreamsPerClient, number(1, 1_000_000))},
		{name: "rate-limit", arg: "RATE", def: "0", group: g, help: "average requests per second allowed per client; further ones get 429; 0 means unlimited",
			set: into(&m.RequestsPerSecond, rate), restart: ifToggled},
		{name: "rate-burst", retired: "it becomes a constant of 50", arg: "N", def: "50", group: g, help: "requests that a client may send at once with --rate-limit",
			set: into(&m.Burst, number[int64](1, 1_000_000))},
		{name: "drain-delay", arg: "TIME", def: "0s", group: g, help: "how long new requests are accepted after SIGTERM, while /readyz reports 503 to load balancers",
			set: into(&l.DrainDelay, duration(0, 10*time.Minute))},
		{name: "state-dir", common: true, arg: "DIR", group: g, help: "folder for data that should survive a restart, such as the proofs of --mode auto, and how far --purge has come; created with mode 0700 if missing; you may delete it at any time; without it nothing survives a restart",
			set: into(stateDir, text)},
		{name: "pprof", def: "false", group: g, help: "serve Go's profiles under /debug/pprof/ of --ops-listen",
			set: into(&l.Pprof, boolean), restart: ifChanged},
	}
}

func logRows(c *logging.Config) table {
	const g = GroupLog
	return table{
		{name: "log-format", common: true, arg: "FORMAT", def: "text", group: g, help: "text or json",
			set: intoOneOf(&c.Format, "text", "json"), restart: ifChanged},
		{name: "log-level", common: true, arg: "LEVEL", def: "info", group: g, help: "least severe messages to log: debug, info, warn or error; info has a line for each request",
			set: intoOneOf(&c.Level, "debug", "info", "warn", "error"), restart: ifChanged},
	}
}
