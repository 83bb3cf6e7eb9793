package sample

import (
	"strings"
	"time"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// Zone is the town's time zone.
const Zone = "Europe/Prague"

// writeOptions writes the options of a site. named adds the site's prefix to a name.
func writeOptions(t *tables, named func(string) string, home string, languages []language) {
	calendar := php.Pairs(
		"schema-version", "6.17.2",
		"latest_ecp_version", "6.17.2",
		"previous_ecp_versions", php.Strings("0"),
		// A string, as the settings page of the calendar stores it.
		"posts_per_page", "10",
		"eventsSlug", "events",
		"singleEventSlug", "event",
		"tribe_events_timezone_mode", "event",
		"defaultCurrencySymbol", "Kč",
		"defaultCurrencyCode", "CZK",
		"reverseCurrencyPosition", true,
		"embedGoogleMaps", true,
	)
	for _, o := range [][2]string{
		{"siteurl", home},
		{"home", home},
		{"blogname", "Kalendář města Lípa"},
		{"blogdescription", "Co se v Lípě děje"},
		{"admin_email", "radnice@lipa.example"},
		{"permalink_structure", "/%postname%/"},
		{"timezone_string", Zone},
		{"gmt_offset", ""},
		{"date_format", "j. n. Y"},
		{"time_format", "G:i"},
		{"posts_per_page", "10"},
		{"blog_charset", "UTF-8"},
		{"db_version", "61833"},
		{"use_smilies", "1"},
		{"use_balanceTags", "0"},
		{"default_comment_status", "open"},
		{"template", "twentytwentyfive"},
		{"stylesheet", "twentytwentyfive"},
		{"using_application_passwords", "1"},
		{"active_plugins", phpserial.Serialize(php.Strings("sitepress-multilingual-cms/sitepress.php", "the-events-calendar/the-events-calendar.php"))},
		{"tribe_events_calendar_options", phpserial.Serialize(calendar)},
		{"tec_ct1_migration_state", phpserial.Serialize(php.Pairs("complete_timestamp", nil, "phase", "migration-not-required", "preview_unsupported", false))},
		{"icl_sitepress_settings", phpserial.Serialize(languageSettings(languages))},
		{named("user_roles"), phpserial.Serialize(Roles())},
	} {
		t.options.add(o[0], o[1], "on")
	}
}

// postTypes are the suffixes of the calendar's capabilities.
var postTypes = []string{"tribe_events", "tribe_venues", "tribe_organizers"}

// Roles returns WordPress's five roles, with the capabilities that matter to a calendar.
func Roles() *php.Array {
	all := []string{"read_private_%", "edit_%", "edit_others_%", "edit_private_%", "edit_published_%",
		"delete_%", "delete_others_%", "delete_private_%", "delete_published_%", "publish_%"}
	own := []string{"edit_%", "edit_published_%", "delete_%", "delete_published_%", "publish_%"}
	drafts := []string{"edit_%", "delete_%"}
	role := func(name string, calendar []string, others ...string) *php.Array {
		caps := &php.Array{}
		for _, c := range others {
			caps.SetString(c, true)
		}
		for _, postType := range append([]string{"posts"}, postTypes...) {
			for _, c := range calendar {
				caps.SetString(strings.ReplaceAll(c, "%", postType), true)
			}
		}
		return php.Pairs("name", name, "capabilities", caps)
	}
	editing := []string{"read", "upload_files", "unfiltered_html", "manage_categories"}
	return php.Pairs(
		"administrator", role("Administrator", all, append(editing, "manage_options", "list_users", "edit_users")...),
		"editor", role("Editor", all, editing...),
		"author", role("Author", own, "read", "upload_files"),
		"contributor", role("Contributor", drafts, "read"),
		"subscriber", role("Subscriber", nil, "read"),
	)
}

// The users, by the ids that events refer to.
const (
	admin       = 1
	editor      = 2
	author      = 3
	contributor = 4
)

// writeUsers writes one user of each role. Their account passwords are invalid hashes; only
// the administrator can log in, with an application password.
func writeUsers(t *tables, named func(string) string, now time.Time, passwordHash string) {
	for i, u := range []struct{ login, role, level, name string }{
		{"demo", "administrator", "10", "Demo"},
		{"eva", "editor", "7", "Eva Nováková"},
		{"jonas", "author", "2", "Jonáš Dvořák"},
		{"clara", "contributor", "1", "Clara Weiß"},
		{"guest", "subscriber", "0", "Guest"},
	} {
		id := i + 1
		t.users.add(id, u.login, "!", u.login, u.login+"@lipa.example", now.AddDate(-1, 0, 0).UTC().Format(time.DateTime), u.name)
		t.userMeta.add(id, "nickname", u.name)
		t.userMeta.add(id, named("capabilities"), phpserial.Serialize(php.Pairs(u.role, true)))
		t.userMeta.add(id, named("user_level"), u.level)
		if u.role == "administrator" && passwordHash != "" {
			t.userMeta.add(id, "_application_passwords", ApplicationPasswords(passwordHash, now.Unix()))
		}
	}
}

// ApplicationPasswords returns the stored form of a list with one application password.
func ApplicationPasswords(hash string, created int64) string {
	return phpserial.Serialize(php.List(php.Pairs(
		"uuid", "5e0d1a52-7c1b-4a86-9a57-0f0c3c1d2b11", "app_id", "", "name", "demo",
		"password", hash, "created", created, "last_used", nil, "last_ip", nil,
	)))
}
