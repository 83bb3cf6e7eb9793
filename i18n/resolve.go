package i18n

import "strings"

// Resolve returns the language of the root that a request was sent to. path is relative
// to the home URL and starts with a slash; host is that of the request. lang is the query
// parameter of that name, "" if it is missing or not text. rest is the path without the
// directory of the language. code is "" if nothing selects a language, which means the
// default language.
//
// Codes are case-sensitive. A directory takes precedence over the parameter, and only
// under WPML does the parameter select a root at all.
func (l *Languages) Resolve(path, host, lang string) (code, rest string) {
	if l.Form == Directory {
		for i := range l.All {
			prefix := l.All[i].Prefix
			if prefix == "" {
				continue
			}
			if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || rest[0] == '/') {
				return l.All[i].Code, "/" + strings.TrimLeft(rest, "/")
			}
		}
	}
	if l.Form == Domain {
		for i := range l.All {
			if sameHost(l.All[i].Host, host) {
				return l.All[i].Code, path
			}
		}
	}
	if l.Plugin == WPML && l.Find(lang) != nil {
		return lang, path
	}
	return "", path
}

// sameHost reports whether the host of a language is that of a request. The request's port
// counts only if the language's host has one.
func sameHost(own, host string) bool {
	if !strings.Contains(own, ":") {
		host, _, _ = strings.Cut(host, ":")
	}
	return own != "" && strings.EqualFold(own, host)
}
