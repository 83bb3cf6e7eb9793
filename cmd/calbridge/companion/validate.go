package companion

import (
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"calbridge/rest/notice"
)

// These limits on single facts are far beyond what real sites have.
const (
	maxEntries  = 500 // the plugin sends at most one more, which reveals that some are missing
	maxName     = 300
	maxText     = 8 << 10
	maxPageCap  = 1_000_000
	maxWords    = 1_000_000
	maxPixels   = 100_000
	maxProblems = 100
	maxFiles    = 4 << 10
)

func hookName() *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf(`\A[A-Za-z0-9_.-]{1,%d}\z`, MaxHookName))
}

// validate clears facts with impossible values and adds a problem for each. From lists it
// removes only the impossible entries. hooks are the names in the request.
func (f *Facts) validate(hooks []string) {
	f.validateProblems()
	version := regexp.MustCompile(`\A[0-9]{1,4}(\.[0-9]{1,9}){1,3}[A-Za-z0-9.+~_-]{0,60}\z`)
	keep(f, "wordpress", &f.WordPress, "not a version", version.MatchString)
	locale := regexp.MustCompile(`\A[A-Za-z0-9_@.-]{2,40}\z`)
	keep(f, "locale", &f.Locale, "not a locale", locale.MatchString)
	keep(f, "excerpt_more", &f.ExcerptMore, "not text, or too long", isText)
	keep(f, "excerpt_length", &f.ExcerptLength, "out of range", within(0, maxWords))
	keep(f, "excerpt_post", &f.ExcerptPost, "not a post with an address", func(p ExcerptPost) bool {
		return p == ExcerptPost{} || p.ID > 0 && isAddress(p.URL) && isText(p.Title)
	})
	prefix := regexp.MustCompile(`\A[^/\s?#%"'<>\\][^\s?#"'<>\\]{0,200}\z`)
	keep(f, "rest_prefix", &f.RESTPrefix, "not part of a path", prefix.MatchString)
	charset := regexp.MustCompile(`\A[A-Za-z0-9_]{0,32}\z`)
	keep(f, "db_charset", &f.DBCharset, "not a charset", charset.MatchString)
	keep(f, "connection_charset", &f.ConnectionCharset, "not a charset", charset.MatchString)
	keep(f, "theme", &f.Theme, "not a theme's names, versions and widths", isTheme)
	keep(f, "uploads", &f.Uploads, "not an absolute folder, or not an HTTP address", func(u Uploads) bool {
		return isAbsolute(u.BaseDir) && isAddress(u.BaseURL)
	})

	f.MustUse = keepItems(f, "must_use", f.MustUse, isFileName)
	f.DropIns = keepItems(f, "drop_ins", f.DropIns, isFileName)
	f.Plugins = keepPairs(f, "plugins", f.Plugins, func(file, version string) bool {
		return isRelative(file) && isLine(version)
	})
	f.Texturize = keepPairs(f, "texturize", f.Texturize, func(context, mark string) bool {
		return isLine(context) && context != "" && isText(mark)
	})
	f.PageCaps = keepPairs(f, "page_caps", f.PageCaps, func(filter string, limit int) bool {
		return hookName().MatchString(filter) && within(1, maxPageCap)(limit)
	})
	fingerprint := regexp.MustCompile(`\A[0-9a-f]{32}\z`)
	f.Code = keepPairs(f, codeFact, f.Code, func(part, sum string) bool {
		return part != "" && isLine(part) && fingerprint.MatchString(sum)
	})
	isCallback := func(h Hook) bool {
		return h.Callback != "" && isLine(h.Callback) && (h.File == "" || isRelative(h.File)) && h.Line >= 0
	}
	f.Hooks = keepItems(f, "hooks", f.Hooks, func(h Hook) bool { return slices.Contains(hooks, h.Name) && isCallback(h) })
	isName := func(name string) bool { return name != "" && isLine(name) }
	f.Shortcodes, f.Blocks = keepItems(f, shortcodesFact, f.Shortcodes, isName), keepItems(f, blocksFact, f.Blocks, isName)
	variable := regexp.MustCompile(`\A([A-Z][A-Z0-9_]{1,100}|\*)\z`)
	f.Visitors = keepItems(f, visitorsFact, f.Visitors, func(h VisitorHook) bool {
		return h.Name != "" && isLine(h.Name) && isCallback(h.Hook) && len(h.Reads) > 0 && len(h.Reads) <= maxEntries &&
			!slices.ContainsFunc(h.Reads, func(read string) bool { return !variable.MatchString(read) })
	})
}

// validateProblems limits what the plugin reports about its own difficulties. It clears the
// facts that are named there.
func (f *Facts) validateProblems() {
	names := factNames()
	f.Problems = slices.DeleteFunc(f.Problems, func(p Problem) bool { return !slices.Contains(names, p.Fact) || !isLine(p.Problem) })
	if len(f.Problems) > maxProblems {
		f.Problems = f.Problems[:maxProblems:maxProblems]
	}
	value := reflect.ValueOf(f).Elem()
	for i, field := range factFields() {
		if !f.Known(names[i]) {
			value.FieldByIndex(field.Index).SetZero()
		}
	}
}

// reject records that a fact is rejected.
func (f *Facts) reject(fact, why string) {
	f.Problems = append(f.Problems, Problem{Fact: fact, Problem: why})
}

// keep clears a value that is not good. A fact that already has a problem is empty.
func keep[T any](f *Facts, fact string, value *T, why string, good func(T) bool) {
	if f.Known(fact) && !good(*value) {
		var none T
		f.reject(fact, fmt.Sprintf("is rejected: %.100q: %s", fmt.Sprint(*value), why))
		*value = none
	}
}

// keepItems removes the items that are not good.
func keepItems[T any](f *Facts, fact string, items []T, good func(T) bool) []T {
	kept := slices.DeleteFunc(slices.Clone(items), func(item T) bool { return !good(item) })
	kept = kept[:min(len(kept), maxEntries)]
	if n := len(items) - len(kept); n > 0 {
		f.reject(fact, fmt.Sprintf("%d of %d entries are rejected", n, len(items)))
	}
	return kept
}

// keepPairs removes the pairs that are not good.
func keepPairs[V any](f *Facts, fact string, pairs map[string]V, good func(string, V) bool) map[string]V {
	kept := maps.Clone(pairs)
	maps.DeleteFunc(kept, func(key string, value V) bool { return !good(key, value) })
	if len(kept) > maxEntries {
		kept = nil
	}
	if n := len(pairs) - len(kept); n > 0 {
		f.reject(fact, fmt.Sprintf("%d of %d entries are rejected", n, len(pairs)))
	}
	return kept
}

func within(low, high int) func(int) bool {
	return func(n int) bool { return low <= n && n <= high }
}

func isTheme(t Theme) bool {
	return isRelative(t.Stylesheet) && isRelative(t.Template) && isLine(t.Version) && isLine(t.ContentSize) &&
		within(0, maxPixels)(t.ContentWidth) && len(t.HTML5) <= 50 && !slices.ContainsFunc(t.HTML5, func(s string) bool { return !isLine(s) }) &&
		(t.Rendering == nil || isRendering(t.Rendering))
}

func isRendering(r *notice.Rendering) bool {
	for block, gap := range r.Gaps {
		if !isLine(block) || !isLine(gap) {
			return false
		}
	}
	return len(r.Gaps) <= maxEntries && isLine(r.Gap) && isText(r.EmptyTitle)
}

// isLine reports whether s is a short text without control characters.
func isLine(s string) bool {
	return len(s) <= maxName && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// isText reports whether s is a text; it may contain line breaks and tabs.
func isText(s string) bool {
	return len(s) <= maxText && utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) })
}

func isFileName(s string) bool {
	return s != "" && isLine(s) && !strings.ContainsAny(s, `/\`) && s != "." && s != ".."
}

// isRelative reports whether s is a clean path that stays in its folder.
func isRelative(s string) bool {
	return s != "" && isLine(s) && filepath.IsLocal(s) && !strings.Contains(s, `\`)
}

// isAbsolute reports whether s is an absolute path on Unix or Windows.
func isAbsolute(s string) bool {
	drive := regexp.MustCompile(`\A[A-Za-z]:[/\\]`)
	return len(s) <= maxFiles && isText(s) && !strings.ContainsAny(s, "\t\n\r") && (strings.HasPrefix(s, "/") || drive.MatchString(s))
}

// isAddress reports whether s is valid as the address of a page of the site.
func isAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && len(s) <= maxFiles && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}
