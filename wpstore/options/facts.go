package options

import (
	"context"
	"slices"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// rolesOption is the name of the option with the site's roles, without the table prefix
// that precedes it.
const rolesOption = "user_roles"

// siteOptions are the options that SiteFacts reads besides the roles, whose name depends
// on the table prefix.
var siteOptions = []string{
	"home", "siteurl", "blogname", "blog_public", "permalink_structure", "category_base", "tag_base",
	"timezone_string", "gmt_offset", "posts_per_page", "db_version", "WPLANG",
	"date_format", "blog_charset", "upload_path", "upload_url_path", "template", "stylesheet",
	"default_comment_status", "use_smilies", "use_balanceTags",
	"https_migration_required", "sidebars_widgets", "using_application_passwords",
	"uploads_use_yearmonth_folders", "thumbnail_size_w", "thumbnail_size_h", "thumbnail_crop",
	"medium_size_w", "medium_size_h", "medium_crop", "medium_large_size_w", "medium_large_size_h", "medium_large_crop",
	"large_size_w", "large_size_h", "large_crop",
	"page_on_front", "page_for_posts", "wp_page_for_privacy_policy",
	"icl_sitepress_settings", "polylang",
	"active_plugins", "tribe_events_calendar_options", "tec_ct1_migration_state", "tec_custom_tables_v1_active",
	recurrenceOption, provisionalOption,
	"auth_key", "auth_salt", "secure_auth_key", "secure_auth_salt",
	"logged_in_key", "logged_in_salt", "nonce_key", "nonce_salt",
}

// networkOptions are stored once for a whole network, instead of or besides those of
// each site.
var networkOptions = []string{
	"siteurl", "site_admins", "active_sitewide_plugins", "ms_files_rewriting", "WPLANG", "using_application_passwords",
	"auth_key", "auth_salt", "secure_auth_key", "secure_auth_salt",
	"logged_in_key", "logged_in_salt", "nonce_key", "nonce_salt",
}

// Names returns the options that SiteFacts reads on a site with a table prefix, and those of
// its network.
func Names(prefix string) (site, network []string) {
	return append([]string{prefix + rolesOption}, siteOptions...), networkOptions
}

// SiteFacts reads the site's facts. It makes a query more than FactsWithoutCharsets, and another one on a site
// with tables of language plugins.
func (s *Store) SiteFacts(ctx context.Context) (*wpstore.SiteFacts, error) {
	facts, engines, err := s.facts(ctx)
	if err != nil {
		return nil, err
	}
	facts.Charsets, err = s.charsets(ctx, engines)
	return facts, err
}

// FactsWithoutCharsets reads the site's facts without the character sets of columns, which only writes need. Two
// queries, two more on a network, and one more each on a site with a language plugin, and if the occurrence table
// has the dates.
func (s *Store) FactsWithoutCharsets(ctx context.Context) (*wpstore.SiteFacts, error) {
	facts, _, err := s.facts(ctx)
	return facts, err
}

// facts returns the facts of FactsWithoutCharsets, and the site's tables with their storage engines.
func (s *Store) facts(ctx context.Context) (facts *wpstore.SiteFacts, engines map[string]string, err error) {
	names, networkNames := Names(s.tables.Prefix())
	raw, err := s.Options(ctx, names)
	if err != nil {
		return nil, nil, err
	}
	written := s.written()
	engines, err = s.engines(ctx, slices.Concat([]string{"tec_events", "tec_occurrences", "sitemeta", "blogs", usersMeta}, s.plugins.SiteTables(), written))
	if err != nil {
		return nil, nil, err
	}
	tables := existing(engines)
	var network map[string]string
	if tables["sitemeta"] {
		if network, err = s.NetworkOptions(ctx, networkNames); err != nil {
			return nil, nil, err
		}
	}
	facts = readSiteFacts(raw, s.tables.Prefix()+rolesOption, tables, network)
	if tables["sitemeta"] && tables["blogs"] {
		if facts.Blog, err = s.blog(ctx); err != nil {
			return nil, nil, err
		}
	}
	facts.Occurrences = facts.Occurrences && !s.calendarTablesOff
	if facts.Occurrences {
		if facts.StartIndexes, err = s.startIndexes(ctx); err != nil {
			return nil, nil, err
		}
	}
	facts.NoTransactions = s.noTransactions(engines, written)
	return facts, engines, s.plugins.Of(i18n.DetectPlugin(facts.ActivePlugins)).ReadSite(ctx, s.run, facts, tables)
}

func readSiteFacts(raw map[string]string, rolesOption string, tables map[string]bool, network map[string]string) *wpstore.SiteFacts {
	for name, value := range network {
		switch name {
		case "siteurl", "site_admins", "active_sitewide_plugins", "ms_files_rewriting":
		case "WPLANG":
			if _, own := raw[name]; !own {
				raw[name] = value
			}
		default:
			raw[name] = value
		}
	}
	facts := &wpstore.SiteFacts{
		SiteAddresses: wpstore.SiteAddresses{
			Home: raw["home"], SiteURL: raw["siteurl"], UploadPath: raw["upload_path"], UploadURLPath: raw["upload_url_path"],
		},
		SitePermalinks: wpstore.SitePermalinks{
			PermalinkStructure: raw["permalink_structure"], CategoryBase: raw["category_base"], TagBase: raw["tag_base"],
		},
		SiteLocale: wpstore.SiteLocale{
			TimezoneString: raw["timezone_string"], GMTOffset: raw["gmt_offset"], DateFormat: raw["date_format"],
			WPLang: raw["WPLANG"], BlogCharset: raw["blog_charset"],
		},
		SiteReading: wpstore.SiteReading{
			PostsPerPage: raw["posts_per_page"], DefaultCommentStatus: raw["default_comment_status"],
			UseSmilies: php.ToBool(raw["use_smilies"]), UseBalanceTags: php.ToBool(raw["use_balanceTags"]),
			PageOnFront: php.ToInt(raw["page_on_front"]), PageForPosts: php.ToInt(raw["page_for_posts"]),
			PrivacyPage: php.ToInt(raw["wp_page_for_privacy_policy"]),
		},
		SiteTheme: wpstore.SiteTheme{Template: raw["template"], Stylesheet: raw["stylesheet"]},
		SiteNetwork: wpstore.SiteNetwork{
			Multisite: network != nil, NetworkURL: network["siteurl"], SuperAdmins: phpserial.Array(network["site_admins"]).Texts(),
			RewrittenFiles: php.ToBool(network["ms_files_rewriting"]),
		},

		DBVersion:                 raw["db_version"],
		HTTPSMigrationRequired:    php.ToBool(raw["https_migration_required"]),
		UsingApplicationPasswords: php.ToBool(raw["using_application_passwords"]),

		ActivePlugins:  phpserial.Array(raw["active_plugins"]).Texts(),
		Calendar:       phpserial.Array(raw["tribe_events_calendar_options"]),
		ProvisionalIDs: php.ToInt(raw[provisionalOption]),
		Occurrences:    tables["tec_events"] && tables["tec_occurrences"] && Migrated(raw),

		Raw: raw,
	}
	for plugin := range phpserial.Array(network["active_sitewide_plugins"]).All() {
		facts.ActivePlugins = append(facts.ActivePlugins, plugin.String())
	}
	if roles, ok := raw[rolesOption]; ok {
		facts.Roles = phpserial.Maybe(roles)
	}
	return facts
}

// Migrated reports whether The Events Calendar reads its occurrence tables. Its options
// determine that: the state of the migration to the tables, and whether they are in use,
// which is the default.
func Migrated(raw map[string]string) bool {
	if used, ok := raw["tec_custom_tables_v1_active"]; ok && php.Empty(used) {
		return false
	}
	phase, _ := phpserial.Array(raw["tec_ct1_migration_state"]).At("phase").(string)
	return phase == "migration-not-required" || phase == "migration-complete"
}
