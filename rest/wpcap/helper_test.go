package wpcap

import (
	"strings"

	"calbridge/wpstore/php"
)

// capMap builds a stored map from names; "-name" stands for name => false.
func capMap(names ...string) *php.Array {
	a := &php.Array{}
	for _, name := range names {
		plain := strings.TrimPrefix(name, "-")
		a.SetString(plain, plain == name)
	}
	return a
}

func stored(name string, caps *php.Array) *php.Array {
	a := &php.Array{}
	a.SetString("name", name)
	a.SetString("capabilities", caps)
	return a
}

// defaultRoles writes down what WordPress and The Events Calendar grant on
// installation, name by name.
func defaultRoles() Roles {
	full := func(plural string) []string {
		return []string{
			"read_private_" + plural, "edit_" + plural, "edit_others_" + plural, "edit_private_" + plural,
			"edit_published_" + plural, "delete_" + plural, "delete_others_" + plural,
			"delete_private_" + plural, "delete_published_" + plural, "publish_" + plural,
		}
	}
	own := func(plural string) []string {
		return []string{
			"edit_" + plural, "edit_published_" + plural, "delete_" + plural,
			"delete_published_" + plural, "publish_" + plural,
		}
	}
	draft := func(plural string) []string { return []string{"edit_" + plural, "delete_" + plural} }

	admin := []string{"read", "manage_options", "delete_users", "edit_users", "edit_theme_options"}
	editor := []string{"read", "manage_categories", "upload_files", "unfiltered_html"}
	editor = append(append(editor, full("posts")...), full("pages")...)
	author := append([]string{"read", "upload_files"}, own("posts")...)
	contributor := append([]string{"read"}, draft("posts")...)
	for _, plural := range []string{"tribe_events", "tribe_venues", "tribe_organizers", "aggregator-records"} {
		editor = append(editor, full(plural)...)
		author = append(author, own(plural)...)
		contributor = append(contributor, draft(plural)...)
	}
	admin = append(admin, editor...)

	option := &php.Array{}
	option.SetString("administrator", stored("Administrator", capMap(admin...)))
	option.SetString("editor", stored("Editor", capMap(editor...)))
	option.SetString("author", stored("Author", capMap(author...)))
	option.SetString("contributor", stored("Contributor", capMap(contributor...)))
	option.SetString("subscriber", stored("Subscriber", capMap("read")))
	return ParseRoles(option)
}

// Users of the tests, in the order of the expectation strings: a(dministrator),
// e(ditor), the author of the post u(nder test), another author o, c(ontributor),
// s(ubscriber), n(obody).
const (
	adminID = iota + 1
	editorID
	authorID
	otherID
	contributorID
	subscriberID
)

var columns = "aeuocsn"

func testUsers() map[byte]*User {
	roles := defaultRoles()
	return map[byte]*User{
		'a': NewUser(adminID, "admin", roles, capMap("administrator"), false),
		'e': NewUser(editorID, "editor1", roles, capMap("editor"), false),
		'u': NewUser(authorID, "author1", roles, capMap("author"), false),
		'o': NewUser(otherID, "author2", roles, capMap("author"), false),
		'c': NewUser(contributorID, "contributor1", roles, capMap("contributor"), false),
		's': NewUser(subscriberID, "subscriber1", roles, capMap("subscriber"), false),
		'n': Anonymous(),
	}
}

// who runs check for every user and names those who pass, in column order.
func who(check func(*User) bool) string {
	users := testUsers()
	var out strings.Builder
	for i := range len(columns) {
		if check(users[columns[i]]) {
			out.WriteByte(columns[i])
		}
	}
	return out.String()
}
