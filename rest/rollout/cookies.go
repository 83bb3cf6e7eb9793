package rollout

import "strings"

// harmlessCookies reports whether Cookie headers have only cookies that count visitors or store
// their consent. Any other counts, whatever its name, because plugins set their own cookies for
// members. The headers are split as PHP splits them, which accepts names that net/http refuses.
func harmlessCookies(headers []string) bool {
	for _, header := range headers {
		for header != "" {
			var pair string
			pair, header, _ = strings.Cut(header, ";")
			name, _, _ := strings.Cut(strings.TrimLeft(pair, " \t\n\v\f\r"), "=")
			if name != "" && !isHarmlessCookie(name) {
				return false
			}
		}
	}
	return true
}

func isHarmlessCookie(name string) bool {
	for _, prefix := range [...]string{"_ga", "_gid", "_gat", "_gcl_", "_fbp", "_pk_", "_hj", "__utm", "cookieyes", "cmplz_", "CookieConsent", "OptanonConsent", "borlabs-cookie"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
