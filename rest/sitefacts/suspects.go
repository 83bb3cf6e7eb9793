package sitefacts

import (
	"regexp"
	"slices"
	"strings"
)

// bearing names the hooks that may change a part of a response. field is the beginning or end of
// the part's names, without values: "status", "headers", or a member of the JSON.
type bearing struct {
	field *regexp.Regexp
	hooks []string
}

// bearings returns the table of what hooks change.
func bearings() []bearing {
	member := func(names string) *regexp.Regexp { return regexp.MustCompile(`(^|[.\s])(` + names + `)\b`) }
	return []bearing{
		{regexp.MustCompile(`^status`), []string{
			"rest_authentication_errors", "rest_enabled", "rest_pre_dispatch", "rest_request_before_callbacks", "rest_dispatch_request", "rest_endpoints",
			"rest_request_after_callbacks", "rest_post_dispatch", "rest_url_prefix",
		}},
		{regexp.MustCompile(`^headers`), []string{"rest_pre_serve_request", "rest_post_dispatch"}},
		{regexp.MustCompile(`^body`), []string{"rest_request_after_callbacks", "rest_post_dispatch", "rest_pre_echo_response", "rest_pre_serve_request"}},
		{regexp.MustCompile(`^body`), []string{
			"tribe_rest_event_data", "tribe_rest_venue_data", "tribe_rest_organizer_data", "tribe_rest_events_archive_data", "tribe_rest_term_data",
		}},
		{member("events|venues|organizers|categories|tags|total|total_pages|next_rest_url"), []string{
			"tribe_events_archive_get_args", "pre_get_posts", "posts_where", "posts_join", "posts_clauses", "posts_orderby", "posts_results", "the_posts",
			"get_terms_defaults", "get_terms_args", "tribe_rest_event_max_per_page", "tribe_rest_venue_max_per_page", "tribe_rest_organizer_max_per_page",
			"tribe_rest_event_category_max_per_page", "tribe_rest_event_tag_max_per_page",
		}},
		{member("cost|cost_details"), []string{"tribe_get_cost"}},
		{member("title|name|venue|organizer"), []string{"the_title", "run_wptexturize", "no_texturize_tags"}},
		{member("description"), []string{"the_content", "run_wptexturize", "no_texturize_tags", "render_block", "use_default_gallery_style", "wp_get_attachment_image_attributes"}},
		{member("excerpt"), []string{"get_the_excerpt", "wp_trim_excerpt", "excerpt_more", "excerpt_length"}},
		{member("image|sizes"), []string{"upload_dir", "wp_get_attachment_url", "wp_get_attachment_image_src", "wp_calculate_image_srcset", "wp_calculate_image_sizes"}},
		{member("url|rest_url|urls|self|collection"), []string{"post_type_link", "term_link", "rest_url", "rest_url_prefix"}},
	}
}

// Suspects names the plugins and themes with callbacks on hooks that may change fields of
// responses: "plugins/members", "mu-plugins/a.php", "themes/b". Fields are as a comparison names
// them: "status", "headers vary", "body $.events[3].cost". Those of the hooks that change less go
// first.
func (d *Document) Suspects(fields []string) []string {
	hooks, _ := d.hooks()
	var found []string
	rows := bearings()
	slices.Reverse(rows) // the particular ones
	for _, row := range rows {
		if !slices.ContainsFunc(fields, row.field.MatchString) {
			continue
		}
		for _, h := range hooks {
			if part := partOf(h.Where); part != "" && slices.Contains(row.hooks, h.Name) && !slices.Contains(found, part) {
				found = append(found, part)
			}
		}
	}
	return found
}

// partOf returns the plugin or theme of a place in the code; "" for code elsewhere.
func partOf(where string) string {
	for _, folder := range []string{"mu-plugins/", "plugins/", "themes/"} {
		if _, after, in := strings.Cut("/"+where, "/"+folder); in {
			name, _, _ := strings.Cut(after, "/")
			name, _, _ = strings.Cut(name, ":") // a line
			return folder + name
		}
	}
	return ""
}
