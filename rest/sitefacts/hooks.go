package sitefacts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"calbridge/wpstore/wpfolder"
)

// KnownHook is a filter or action through which PHP changes answers.
type KnownHook struct {
	Name string
	Does string
	// Closes reports that it may refuse requests, or show less to some visitors than to others.
	Closes bool
	// Fact, if not "", is the fact that has the callbacks' result, so that calbridge can follow.
	Fact Name
}

// KnownHooks returns the table of hooks that change answers.
func KnownHooks() []KnownHook {
	const (
		closes    = "may close the API"
		answer    = "may change or refuse answers"
		event     = "adds or removes fields, or refuses what visitors may not see"
		selects   = "changes which entries lists have, and their order"
		text      = "changes texts"
		addresses = "changes addresses"
		page      = "sets the largest per_page"
	)
	return []KnownHook{
		{"rest_authentication_errors", closes, true, ""},
		{"rest_enabled", closes, true, ""},
		{"rest_pre_dispatch", closes, true, ""},
		{"rest_request_before_callbacks", closes, true, ""},
		{"rest_dispatch_request", closes, true, ""},
		{"rest_endpoints", closes, true, ""},
		{"rest_request_after_callbacks", answer, true, ""},
		{"rest_post_dispatch", answer, true, ""},
		{"rest_pre_echo_response", answer, true, ""},
		{"rest_pre_serve_request", "changes headers, or the whole answer", false, ""},
		{"rest_url", addresses, false, ""},
		{"rest_url_prefix", "sets the first part of all paths", false, RESTPrefix},
		{"wp_is_application_passwords_available", "may switch application passwords off", true, ApplicationPasswords},
		{"wp_is_application_passwords_available_for_user", "may switch application passwords off for users", true, ""},
		{"determine_current_user", "changes who is logged in", false, ""},

		{"tribe_rest_event_data", event, true, ""},
		{"tribe_rest_venue_data", event, true, ""},
		{"tribe_rest_organizer_data", event, true, ""},
		{"tribe_rest_events_archive_data", event, true, ""},
		{"tribe_rest_term_data", event, true, ""},
		{"tribe_rest_event_max_per_page", page, false, ""},
		{"tribe_rest_venue_max_per_page", page, false, ""},
		{"tribe_rest_organizer_max_per_page", page, false, ""},
		{"tribe_rest_event_category_max_per_page", page, false, ""},
		{"tribe_rest_event_tag_max_per_page", page, false, ""},
		{"tribe_events_archive_get_args", selects, false, ""},
		{"tribe_get_cost", "changes prices", false, ""},

		{"pre_get_posts", selects, false, ""},
		{"posts_where", selects, false, ""},
		{"posts_join", selects, false, ""},
		{"posts_clauses", selects, false, ""},
		{"posts_orderby", selects, false, ""},
		{"posts_results", selects, false, ""},
		{"the_posts", selects, false, ""},
		{"get_terms_defaults", selects, false, ""},
		{"get_terms_args", selects, false, ""},
		{"user_has_cap", "changes what users may do", false, ""},
		{"map_meta_cap", "changes what users may do", false, ""},

		{"the_content", text, false, ""},
		{"the_title", text, false, ""},
		{"get_the_excerpt", text, false, ""},
		{"wp_trim_excerpt", text, false, ""},
		{"excerpt_more", text, false, ExcerptMore},
		{"excerpt_length", text, false, ExcerptLength},
		{"run_wptexturize", text, false, ""},
		{"no_texturize_tags", text, false, ""},
		{"render_block", text, false, ""},
		{"upload_dir", addresses, false, Uploads},
		{"wp_get_attachment_url", addresses, false, ""},
		{"wp_get_attachment_image_src", addresses, false, ""},
		{"wp_calculate_image_srcset", addresses, false, ""},
		{"wp_calculate_image_sizes", "changes sizes of pictures", false, ""},
		{"wp_get_attachment_image_attributes", "changes pictures in galleries", false, ""},
		{"use_default_gallery_style", "changes galleries", false, ""},
		{"post_type_link", addresses, false, ""},
		{"term_link", addresses, false, ""},
	}
}

// HookNames returns the names of the hooks that change answers.
func HookNames() []string {
	var names []string
	for _, h := range KnownHooks() {
		names = append(names, h.Name)
	}
	return names
}

// Hook is a callback on a hook that changes answers.
type Hook struct {
	Name string `json:"name"`
	// Where is the callback with its file, or the line that adds it.
	Where string `json:"where"`
}

// reportedHooks returns the hooks that the companion plugin reports. Those of a report with a
// problem count as well.
func reportedHooks(in *Inputs) any {
	if !in.Companion.Known("hooks") && (in.Companion == nil || len(in.Companion.Hooks) == 0) {
		return nil
	}
	hooks := make([]Hook, len(in.Companion.Hooks))
	for i, h := range in.Companion.Hooks {
		hooks[i] = Hook{h.Name, place(h.Callback, h.File, h.Line)}
	}
	return tidy(hooks)
}

// hooksIn returns the hooks that PHP files name.
func hooksIn(list []wpfolder.Hook) any {
	hooks := make([]Hook, len(list))
	for i, h := range list {
		hooks[i] = Hook{h.Name, place("", h.File, h.Line)}
	}
	return tidy(hooks)
}

func place(callback, file string, line int) string {
	switch {
	case callback != "" && file != "":
		return fmt.Sprintf("%s in %s", callback, file)
	case file != "" && line > 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return cmp.Or(callback, file)
}

// inRecordedTheme reports whether a hook is one of a theme whose responses were recorded:
// calbridge renders what it leads to.
func (d *Document) inRecordedTheme(h Hook) bool {
	template := d.Text(Template)
	named := themeOf(template)
	return named != nil && named.Recorded && strings.Contains(h.Where, "/themes/"+template+"/")
}

func tidy(hooks []Hook) []Hook {
	slices.SortFunc(hooks, func(a, b Hook) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Where, b.Where)) })
	return slices.Compact(hooks)
}

// hooks returns the callbacks by the nearest source, and whether any source has them.
func (d *Document) hooks() (hooks []Hook, known bool) {
	for _, source := range []Name{CompanionHooks, FileHooks} {
		if d.From(source) != "" {
			return value[[]Hook](d, source), true
		}
	}
	return nil, false
}

// unconfirmed returns the closing hooks that PHP files name and the companion plugin doesn't
// report.
func (d *Document) unconfirmed() (hooks []Hook) {
	if d.From(CompanionHooks) == "" {
		return nil
	}
	reported := value[[]Hook](d, CompanionHooks)
	for _, h := range value[[]Hook](d, FileHooks) {
		same := func(r Hook) bool { return r.Name == h.Name }
		if known := knownHook(h.Name); known != nil && known.Closes && !slices.ContainsFunc(reported, same) {
			hooks = append(hooks, h)
		}
	}
	return hooks
}

func knownHook(name string) *KnownHook {
	all := KnownHooks()
	i := slices.IndexFunc(all, func(h KnownHook) bool { return h.Name == name })
	if i < 0 {
		return nil
	}
	return &all[i]
}
