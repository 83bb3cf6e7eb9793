package users_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore"
	"calbridge/wpstore/users"
	"calbridge/wpstore/wptest/rowtest"
)

// userSite adds three users, two of whom share an address. Jana, with id 4, has metadata.
func userSite(s *rowtest.Site) {
	s.Insert("users", rowtest.Row{"ID": 4, "user_login": "Jana", "user_email": "jana@example.org", "user_pass": "$P$hash"})
	s.Insert("users", rowtest.Row{"ID": 3, "user_login": "petr", "user_email": "dva@example.org"})
	s.Insert("users", rowtest.Row{"ID": 2, "user_login": "pavel", "user_email": "dva@example.org"})
	for _, m := range []rowtest.Row{
		{"user_id": 4, "meta_key": "WP_CAPABILITIES", "meta_value": "wrong case"},
		{"user_id": 4, "meta_key": "wp_capabilities", "meta_value": `a:1:{s:6:"editor";b:1;}`},
		{"user_id": 4, "meta_key": "wp_capabilities", "meta_value": "second row"},
		{"user_id": 4, "meta_key": "wp_2_capabilities", "meta_value": "another site"},
		{"user_id": 4, "meta_key": "_application_passwords", "meta_value": "A:0:{}"},
		{"user_id": 4, "meta_key": "_application_passwords", "meta_value": "second row"},
		{"user_id": 4, "meta_key": "nickname", "meta_value": "j"},
		{"user_id": 4, "meta_key": nil, "meta_value": "no key"},
		{"user_id": 2, "meta_key": "session_tokens", "meta_value": nil},
		{"user_id": 3, "meta_key": "session_tokens", "meta_value": "of the other"},
		{"user_id": 3, "meta_key": "wp_capabilities", "meta_value": "of the other"},
	} {
		s.Insert("usermeta", m)
	}
}

func TestUser(t *testing.T) {
	jana := &wpstore.User{ID: 4, Login: "Jana", Email: "jana@example.org", Pass: "$P$hash", AppPasswordMetaID: 5,
		Meta: map[string]string{wpstore.MetaCapabilities: `a:1:{s:6:"editor";b:1;}`, wpstore.MetaAppPasswords: "A:0:{}"}}
	pavel := &wpstore.User{ID: 2, Login: "pavel", Email: "dva@example.org", Meta: map[string]string{wpstore.MetaSessions: ""}}
	petr := &wpstore.User{ID: 3, Login: "petr", Email: "dva@example.org", Meta: map[string]string{wpstore.MetaSessions: "of the other", wpstore.MetaCapabilities: "of the other"}}
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		userSite(s)
		store := users.New(s.Run, s.Tables)
		for _, c := range []struct {
			name, text string
			find       func(context.Context, string) (*wpstore.User, error)
			want       *wpstore.User
			statements string
		}{
			{"login", "jana", store.UserByLogin, jana, "users.by_login"},
			{"address", "JANA@example.org", store.UserByEmail, jana, "users.by_email"},
			{"shared address", "dva@example.org", store.UserByEmail, pavel, "users.by_email"},
			{"login of a shared address", "petr", store.UserByLogin, petr, "users.by_login"},
			{"address as login", "jana@example.org", store.UserByLogin, nil, "users.by_login"},
			{"login as address", "jana", store.UserByEmail, nil, "users.by_email"},
			{"nobody", "nobody", store.UserByLogin, nil, "users.by_login"},
			{"empty", "", store.UserByLogin, nil, "users.by_login"},
			{"quote", "jana' -- ", store.UserByLogin, nil, "users.by_login"},
			{"login of stray bytes", "\xff", store.UserByLogin, nil, ""},
			{"address of stray bytes", "\xff", store.UserByEmail, nil, ""},
		} {
			t.Run(c.name, func(t *testing.T) {
				s.Runs(c.statements, func(ctx context.Context) {
					found, err := c.find(ctx, c.text)
					s.OK(err)
					if diff := cmp.Diff(c.want, found); diff != "" {
						t.Error(diff)
					}
				})
			})
		}
	})
}

func TestCountUsers(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		userSite(s)
		store := users.New(s.Run, s.Tables)
		for _, c := range []struct {
			name, statements string
			ids              []int64
			want             int64
		}{
			{"one, twice", "users.count", []int64{4, 4}, 1},
			{"some", "users.count", []int64{2, 4, 5}, 2},
			{"missing", "users.count", []int64{5}, 0},
			{"none", "", nil, 0},
			{"impossible", "", []int64{0, -1}, 0},
		} {
			t.Run(c.name, func(t *testing.T) {
				s.Runs(c.statements, func(ctx context.Context) {
					if got, err := store.CountUsers(ctx, c.ids); got != c.want || err != nil {
						t.Errorf("%d, want %d: %v", got, c.want, err)
					}
				})
			})
		}
	})
}

// TestRecordApplicationPasswordUse: a row is replaced only if it is byte for byte what was read.
func TestRecordApplicationPasswordUse(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		userSite(s)
		store := users.New(s.Run, s.Tables)
		for _, c := range []struct {
			name     string
			row      int64
			old, new string
			want     string
		}{
			{"other case", 5, "a:0:{}", "never", "A:0:{}"},
			{"trailing blank", 5, "A:0:{} ", "never", "A:0:{}"},
			{"another row", 6, "A:0:{}", "never", "A:0:{}"},
			{"missing row", 99, "A:0:{}", "never", "A:0:{}"},
			{"as read", 5, "A:0:{}", "a:1:{i:0;i:1;}", "a:1:{i:0;i:1;}"},
			{"late", 5, "A:0:{}", "never", "a:1:{i:0;i:1;}"},
		} {
			t.Run(c.name, func(t *testing.T) {
				s.OK(store.RecordApplicationPasswordUse(t.Context(), c.row, c.old, c.new))
				user, err := store.UserByLogin(t.Context(), "jana")
				s.OK(err)
				if got := user.Meta[wpstore.MetaAppPasswords]; got != c.want {
					t.Errorf("recorded %q, want %q", got, c.want)
				}
			})
		}
	})
}
