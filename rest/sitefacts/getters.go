package sitefacts

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"calbridge/rest/notice"
	"calbridge/rest/ticketing"
	"calbridge/rest/trait"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/wpfolder"
)

type (
	companionFacts = notice.SiteFacts
	folder         = wpfolder.Folder
	siteFacts      = wpstore.SiteFacts
)

const (
	calendarPlugin = "the-events-calendar/the-events-calendar.php"
	ticketsPlugin  = ticketing.Plugin
	usualPrefix    = "wp-json"
	usualCap       = 50
	usualLength    = 55
)

// Getters of one source.

func reported(name string, get func(*companionFacts) any) getter {
	return func(in *Inputs) any {
		if !in.Companion.Known(name) {
			return nil
		}
		return get(in.Companion)
	}
}

func read(get func(*folder) any) getter {
	return func(in *Inputs) any {
		if in.Folder == nil {
			return nil
		}
		return get(in.Folder)
	}
}

// inTheme reads a fact of the theme, where its folder was found.
func inTheme(get func(*folder) any) getter {
	return read(func(f *folder) any {
		if f.Theme.Name == "" {
			return nil
		}
		return get(f)
	})
}

func stored(get func(*siteFacts) any) getter {
	return func(in *Inputs) any {
		if in.Database == nil {
			return nil
		}
		return get(in.Database)
	}
}

func owned(get func(*Owner) any) getter { return func(in *Inputs) any { return get(&in.Owner) } }

func owner(get func(*Owner) string) getter {
	return owned(func(o *Owner) any { return some(get(o)) })
}

// rendering reads what the plugin reports about blocks and titles.
func rendering(get func(*notice.Rendering) any) getter {
	return reported("theme", func(f *companionFacts) any {
		if f.Theme.Rendering == nil {
			return nil
		}
		return get(f.Theme.Rendering)
	})
}

// usual gives what is known of the theme by its name.
func usual(get func(*Theme) any) getter {
	return stored(func(f *siteFacts) any {
		if t := themeOf(cmp.Or(f.Template, f.Stylesheet)); t != nil {
			return get(t)
		}
		return nil
	})
}

func pluginVersion(file string, options ...string) from {
	return from{
		Companion: reported("plugins", func(f *companionFacts) any { return version(f.Plugins[file]) }),
		Files: func(in *Inputs) any {
			if in.Folder == nil || in.Database == nil || !slices.Contains(in.Database.ActivePlugins, file) {
				return nil
			}
			return version(in.Folder.Plugins[file].Version)
		},
		Database: stored(func(f *siteFacts) any {
			// The options stay after deactivation.
			if f.Calendar == nil || file == ticketsPlugin && !slices.Contains(f.ActivePlugins, file) {
				return nil
			}
			for _, option := range options {
				if v := version(php.ToString(f.Calendar.At(option))); v != nil {
					return v
				}
			}
			return nil
		}),
	}
}

// registered returns a list of what is registered, nil where the companion plugin is too old to
// report it.
func registered(list func(*companionFacts) []string) func(*companionFacts) any {
	return func(f *companionFacts) any {
		if l := list(f); l != nil {
			return sorted(l)
		}
		return nil
	}
}

// excerptMore returns the tail of excerpts, with placeholders for address and title of the
// post that it was made for.
func excerptMore(f *companionFacts) any {
	more := f.ExcerptMore
	for _, part := range [][2]string{{f.ExcerptPost.URL, "{url}"}, {f.ExcerptPost.Title, "{title}"}} {
		if part[0] != "" {
			more = strings.ReplaceAll(more, part[0], part[1])
		}
	}
	return more
}

// Values; nil is not known.

func some(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func version(v string) any {
	if !trait.IsVersion(v) {
		return nil
	}
	return v
}

// known returns what v points to.
func known[V any](v *V) any {
	if v == nil {
		return nil
	}
	return *v
}

func number(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// isTrue returns value if known, else nil.
func isTrue(known, value bool) any {
	if !known {
		return nil
	}
	return value
}

func onOff(v string) any { return isTrue(v == "on" || v == "off", v == "on") }

func truthy(v any) bool {
	text, ok := v.(string)
	return ok && text != "0"
}

func keys[V any](m map[string]V) []string { return slices.Collect(maps.Keys(m)) }

// sorted returns a sorted list without duplicates, never nil.
func sorted(list []string) any {
	list = append([]string{}, list...)
	slices.Sort(list)
	return slices.Compact(list)
}

func someList(list []string) any {
	if len(list) == 0 {
		return nil
	}
	return sorted(list)
}

func someMap[V any](m map[string]V) any {
	if len(m) == 0 {
		return nil
	}
	return m
}

// Values that mean the same.

// always returns true, for constants that replace the option by design.
func always(_, _ any) bool { return true }

// includes reports whether nearest has all of other, since functions.php may show only a part.
func includes(nearest, other any) bool {
	all, _ := nearest.([]string)
	some, ok := other.([]string)
	return ok && !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// sameRelease reports whether the values mean one release: a db_version stands for one or two.
func sameRelease(nearest, other any) bool {
	near, _ := nearest.(string)
	far, _ := other.(string)
	return trait.SameRelease(near, far)
}

// sameURL reports whether addresses differ at most in their scheme, which is the request's.
func sameURL(nearest, other any) bool {
	a, _ := nearest.(string)
	b, _ := other.(string)
	_, a, _ = strings.Cut(a, "://")
	_, b, _ = strings.Cut(b, "://")
	return a != "" && a == b
}

// Facts of the database and of wp-config.php.

func zoneOf(f *siteFacts) any {
	if f.TimezoneString != "" {
		return f.TimezoneString
	}
	return some(f.GMTOffset)
}

// ticketCurrency returns the currency in which costs are shown because of Event Tickets.
func ticketCurrency(f *siteFacts) any {
	if tickets := ticketing.Read(f); tickets != nil && tickets.Prices {
		return tickets.Currency.Code
	}
	return nil
}

// ticketSign returns the sign of that currency where it is only likely.
func ticketSign(f *siteFacts) any {
	if tickets := ticketing.Read(f); tickets != nil && tickets.Prices && !tickets.Currency.Recorded {
		return tickets.Currency.Sign
	}
	return nil
}

func manualOffset(f *siteFacts) any {
	mode := ""
	if f.Calendar != nil {
		mode = php.ToString(f.Calendar.At("tribe_events_timezone_mode"))
	}
	return f.TimezoneString == "" && !php.Empty(f.GMTOffset) && mode == "site"
}

// restRule finds the REST API among the rewrite rules.
var restRule = regexp.MustCompile(`^\^([A-Za-z0-9_/-]{1,50})/\?\$$`)

// rewrittenPrefix returns the REST prefix by the rewrite rules.
func rewrittenPrefix(rules string) any {
	for pattern, target := range phpserial.Array(rules).All() {
		if m := restRule.FindStringSubmatch(pattern.String()); m != nil && php.ToString(target) == "index.php?rest_route=/" {
			return m[1]
		}
	}
	return nil
}

// connectionOf returns what WordPress's connection speaks by DB_CHARSET.
func connectionOf(charset any) any {
	switch name, _ := charset.(string); strings.ToLower(name) {
	case "":
		return nil
	case "utf8", "utf8mb4":
		return "utf8mb4"
	case "utf8mb3":
		return "utf8mb3"
	default:
		return strings.ToLower(name)
	}
}
