package rollout

import (
	"net/http"
	"slices"
	"strings"

	"calbridge/rest/proof"
)

// OrdinaryHeaders decides which requests calbridge may answer itself, by their headers. It is
// immutable.
type OrdinaryHeaders struct {
	also     map[string]bool // canonical names
	prefixes []string        // of canonical names
}

// NewOrdinaryHeaders returns the headers of IsOrdinary and those that match the patterns of
// Config.OrdinaryHeaders.
func NewOrdinaryHeaders(patterns []string) *OrdinaryHeaders {
	o := &OrdinaryHeaders{also: map[string]bool{}}
	for _, pattern := range patterns {
		if prefix, is := strings.CutSuffix(pattern, "*"); is {
			o.prefixes = append(o.prefixes, http.CanonicalHeaderKey(prefix))
		} else {
			o.also[http.CanonicalHeaderKey(pattern)] = true
		}
	}
	return o
}

// judge returns the reason why WordPress has to answer a request with these headers: NotAnonymous
// or NotOrdinary. It returns None if calbridge may answer.
func (o *OrdinaryHeaders) judge(h http.Header) proof.Reason {
	for name, values := range h {
		switch {
		case name == "Cookie":
			if !harmlessCookies(values) {
				return proof.NotAnonymous
			}
		case IsOrdinary(name):
		case name == "Authorization" || name == "X-Wp-Nonce" || name == "Php-Auth-User":
			return proof.NotAnonymous
		case !o.has(name):
			return proof.NotOrdinary
		}
	}
	return proof.None
}

// TellsWho reports whether a server variable of PHP, such as HTTP_USER_AGENT, distinguishes
// visitors whose requests calbridge may answer itself. "*" stands for any variable.
func (o *OrdinaryHeaders) TellsWho(variable string) bool {
	header, isHeader := strings.CutPrefix(variable, "HTTP_")
	if !isHeader {
		return variable == "*" || strings.HasPrefix(variable, "REMOTE_") || strings.HasPrefix(variable, "GEOIP_")
	}
	name := http.CanonicalHeaderKey(strings.ReplaceAll(header, "_", "-"))
	return (IsOrdinary(name) || o.has(name)) && !slices.Contains(transportHeaders(), name)
}

// transportHeaders returns the ordinary headers that describe how a request was sent, not by whom.
func transportHeaders() []string {
	return []string{
		"Accept-Encoding", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Range", "Cache-Control", "Pragma",
		"Connection", "Keep-Alive", "Proxy-Connection", "Te", "Upgrade", "Content-Length", "Content-Type", "Expect", "Max-Forwards",
		"X-Forwarded-Host", "X-Forwarded-Port", "X-Forwarded-Proto", "X-Forwarded-Protocol", "X-Forwarded-Scheme", "X-Forwarded-Server", "X-Forwarded-Ssl",
		"X-Original-Host", "X-Original-Proto", "X-Scheme", "X-Url-Scheme", "Front-End-Https", "Cf-Visitor", "Cloudfront-Forwarded-Proto", "Fastly-Ssl",
		"Fly-Forwarded-Port", "Fly-Forwarded-Proto", "Fly-Forwarded-Ssl", "X-Arr-Ssl", "X-Appservice-Proto", "X-Appengine-Https",
	}
}

func (o *OrdinaryHeaders) has(name string) bool {
	return o.also[name] || slices.ContainsFunc(o.prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// IsOrdinary reports whether a request header, by its canonical name, is one that browsers, proxies
// and HTTP libraries send by themselves. Without code that reads it, it changes no response of
// WordPress. Calbridge's own responses depend on none but those of codings and of conditional
// requests.
//
// The table has whole names rather than the common beginnings of vendors' names, since these have
// credentials too: Cf-Access-Jwt-Assertion, X-Forwarded-User, X-Appengine-User-Email. Origin is
// absent because WordPress answers each one otherwise, and X-Original-Url and X-Rewrite-Url because
// they change what is requested.
func IsOrdinary(name string) bool {
	switch name {
	// Content negotiation, conditions and caches (RFC 9110, 9111), and other fields of HTTP.
	case "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "A-Im",
		"If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Range",
		"Cache-Control", "Pragma", "Connection", "Keep-Alive", "Proxy-Connection", "Te", "Upgrade", "Http2-Settings",
		"Content-Length", "Content-Type", "Date", "Expect", "From", "Max-Forwards", "Referer", "User-Agent", "Via",
		"Alt-Used", "Priority", "Early-Data":
		return true
	// Browsers.
	case "Dnt", "Sec-Gpc", "Sec-Purpose", "Purpose", "X-Purpose", "X-Moz", "Save-Data", "Upgrade-Insecure-Requests", "X-Requested-With",
		"Device-Memory", "Downlink", "Dpr", "Ect", "Rtt", "Viewport-Width", "Width", "Service-Worker-Navigation-Preload":
		return true
	// Addresses and schemes, by proxies.
	case "Forwarded", "X-Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Port", "X-Forwarded-Proto", "X-Forwarded-Protocol",
		"X-Forwarded-Scheme", "X-Forwarded-Server", "X-Forwarded-Ssl", "X-Forwarded-By", "X-Original-Forwarded-For", "X-Original-Host", "X-Original-Proto",
		"X-Real-Ip", "X-Real-Port", "X-Client-Ip", "Client-Ip", "X-Cluster-Client-Ip", "X-Remote-Addr", "X-Remote-Ip", "True-Client-Ip",
		"X-Scheme", "X-Url-Scheme", "Front-End-Https", "X-Proxyuser-Ip",
		"X-Envoy-External-Address", "X-Envoy-Internal", "X-Envoy-Attempt-Count", "X-Envoy-Expected-Rq-Timeout-Ms", "X-Varnish", "X-Bluecoat-Via", "X-Imforwards",
		"Surrogate-Capability":
		return true
	// Tracing.
	case "Traceparent", "Tracestate", "Baggage", "B3", "X-B3-Traceid", "X-B3-Spanid", "X-B3-Parentspanid", "X-B3-Sampled", "X-B3-Flags",
		"X-Request-Id", "X-Correlation-Id", "X-Request-Start", "X-Queue-Start", "X-Amzn-Trace-Id", "X-Cloud-Trace-Context", "Grpc-Trace-Bin", "Uber-Trace-Id",
		"X-Ot-Span-Context", "Sentry-Trace", "Newrelic", "X-Newrelic-Id", "X-Newrelic-Transaction",
		"X-Datadog-Trace-Id", "X-Datadog-Parent-Id", "X-Datadog-Sampling-Priority", "X-Datadog-Origin", "X-Datadog-Tags", "Elastic-Apm-Traceparent":
		return true
	// Networks for content delivery, and platforms.
	case "Cdn-Loop", "Cf-Ray", "Cf-Connecting-Ip", "Cf-Connecting-Ipv6", "Cf-Pseudo-Ipv4", "Cf-Visitor", "Cf-Worker", "Cf-Ew-Via", "Cf-Warp-Tag-Id",
		"Cf-Ipcountry", "Cf-Ipcity", "Cf-Ipcontinent", "Cf-Iplatitude", "Cf-Iplongitude", "Cf-Region", "Cf-Region-Code", "Cf-Metro-Code", "Cf-Postal-Code", "Cf-Timezone",
		"X-Amz-Cf-Id", "Cloudfront-Forwarded-Proto", "Cloudfront-Viewer-Address", "Cloudfront-Viewer-Country", "Cloudfront-Viewer-Country-Name",
		"Cloudfront-Viewer-Country-Region", "Cloudfront-Viewer-Country-Region-Name", "Cloudfront-Viewer-City", "Cloudfront-Viewer-Postal-Code",
		"Cloudfront-Viewer-Time-Zone", "Cloudfront-Viewer-Latitude", "Cloudfront-Viewer-Longitude", "Cloudfront-Viewer-Metro-Code", "Cloudfront-Viewer-Asn",
		"Cloudfront-Viewer-Http-Version", "Cloudfront-Viewer-Tls", "Cloudfront-Viewer-Header-Order", "Cloudfront-Viewer-Header-Count", "Cloudfront-Viewer-Ja3-Fingerprint",
		"Cloudfront-Viewer-Ja4-Fingerprint", "Cloudfront-Is-Android-Viewer", "Cloudfront-Is-Desktop-Viewer", "Cloudfront-Is-Ios-Viewer", "Cloudfront-Is-Mobile-Viewer",
		"Cloudfront-Is-Smarttv-Viewer", "Cloudfront-Is-Tablet-Viewer",
		"Fastly-Client", "Fastly-Client-Ip", "Fastly-Ff", "Fastly-Ssl", "Fastly-Orig-Accept-Encoding", "Fastly-Temp-Xff", "X-Timer",
		"Akamai-Origin-Hop", "X-Akamai-Edgescape", "X-Akamai-Config-Log-Detail", "X-Sucuri-Clientip", "X-Sucuri-Country", "Incap-Client-Ip",
		"X-Azure-Clientip", "X-Azure-Socketip", "X-Azure-Ref", "X-Azure-Fdid", "X-Azure-Requestchain", "X-Fd-Healthprobe", "X-Arr-Log-Id", "X-Arr-Ssl",
		"Disguised-Host", "X-Site-Deployment-Id", "Was-Default-Hostname", "X-Appservice-Proto", "X-Client-Port",
		"X-Appengine-City", "X-Appengine-Citylatlong", "X-Appengine-Country", "X-Appengine-Region", "X-Appengine-User-Ip", "X-Appengine-Https",
		"X-Appengine-Request-Log-Id", "X-Appengine-Default-Version-Hostname", "X-Appengine-Timeout-Ms",
		"X-Vercel-Id", "X-Vercel-Forwarded-For", "X-Vercel-Ip-Country", "X-Vercel-Ip-Country-Region", "X-Vercel-Ip-City", "X-Vercel-Ip-Latitude",
		"X-Vercel-Ip-Longitude", "X-Vercel-Ip-Timezone", "X-Vercel-Deployment-Url",
		"Fly-Client-Ip", "Fly-Forwarded-Port", "Fly-Forwarded-Proto", "Fly-Forwarded-Ssl", "Fly-Region", "Fly-Request-Id", "Fly-Traceparent", "Fly-Tracestate",
		"Do-Connecting-Ip", "X-Edge-Location", "X-Pull", "X-Geo-Country":
		return true
	}
	// Client hints and fetch metadata: browsers reserve Sec- and keep adding to these.
	return strings.HasPrefix(name, "Sec-Ch-") || strings.HasPrefix(name, "Sec-Fetch-")
}
