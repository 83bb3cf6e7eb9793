package rest

import (
	"net/http"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/wpauth"
	"calbridge/rest/wpcap"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// testPassword returns the application password of a login of the test site.
func testPassword(login string) string { return "secret" + login }

// accountHash stands for the hash of the account password, of which only four
// characters matter, inside cookies.
const accountHash = "$P$B12345678abcdefghijklmnopqrstuv"

// sessionToken is that of the one session that every user has.
const sessionToken = "0123456789abcdef0123456789abcdef0123456789a"

func (s *testSite) addUser(id int64, login, role string) {
	s.t.Helper()
	s.insert("users", row{
		"ID": id, "user_login": login, "user_nicename": login, "user_email": login + "@village.example", "user_pass": accountHash, "display_name": login,
	})
	caps := &php.Array{}
	caps.SetString(role, true)
	item := &php.Array{}
	item.SetString("uuid", "00000000-0000-4000-8000-000000000000")
	item.SetString("name", "test")
	item.SetString("password", wpauth.FastHash(testPassword(login)))
	item.SetString("created", testNow.Unix()-86400)
	item.SetString("last_used", nil)
	item.SetString("last_ip", nil)
	for key, v := range map[string]php.Value{"wp_capabilities": caps, "_application_passwords": php.List(item)} {
		s.insert("usermeta", row{"user_id": id, "meta_key": key, "meta_value": phpserial.Serialize(v)})
	}
}

// testRoles returns the roles as WordPress and The Events Calendar set them up.
func testRoles() *php.Array {
	own := []string{"edit_", "edit_published_", "delete_", "delete_published_", "publish_"}
	full := append([]string{"read_private_", "edit_others_", "edit_private_", "delete_others_", "delete_private_"}, own...)
	plurals := []string{"posts", "tribe_events", "tribe_venues", "tribe_organizers"}
	out := &php.Array{}
	add := func(role string, verbs []string, more string) {
		caps := &php.Array{}
		for name := range strings.FieldsSeq("read " + more) {
			caps.SetString(name, true)
		}
		for _, verb := range verbs {
			for _, plural := range plurals {
				caps.SetString(verb+plural, true)
			}
		}
		entry := &php.Array{}
		entry.SetString("name", role)
		entry.SetString("capabilities", caps)
		out.SetString(role, entry)
	}
	add("administrator", full, "manage_options manage_categories upload_files unfiltered_html delete_users edit_users")
	add("editor", full, "manage_categories upload_files unfiltered_html")
	add("author", own, "upload_files")
	add("contributor", []string{"edit_", "delete_"}, "")
	add("subscriber", nil, "")
	return out
}

// exchange returns a request of a user on its way through the server; "" is anonymous. It
// came over HTTPS.
func (s *testSite) exchange(as string) *exchange {
	s.t.Helper()
	store := s.DB.Session(nil)
	live, err := s.srv.sites.get(s.t.Context(), store, true)
	if err != nil {
		s.t.Fatal(err)
	}
	x := newExchange(s.srv, store, true, false)
	x.clock.At = testNow
	x.arrive(&api.Request{Params: api.Params{Query: &php.Array{}}, Header: http.Header{}, HTTPS: true}, live, s.srv.pictures)
	if as != "" {
		user, err := store.Users.UserByLogin(s.t.Context(), as)
		if err != nil || user == nil {
			s.t.Fatalf("user %s: %v", as, err)
		}
		x.viewer.User = wpcap.NewUser(user.ID, user.Login, live.Roles, phpserial.Maybe(user.Meta["capabilities"]), false)
	}
	return x
}
