package wpcap

import (
	"fmt"
	"slices"

	"calbridge/wpstore/php"
)

const (
	capExist      = "exist"        // every user has it
	capDoNotAllow = "do_not_allow" // no user has it, not even a super admin
)

// User is a user with capabilities. A nil User is [Anonymous].
type User struct {
	ID         int64
	Login      string
	SuperAdmin bool // of a multisite network

	roles []capabilities // in the order of the user's own map
	own   capabilities
}

// Anonymous returns the user of a request without credentials. It holds nothing
// but "exist"; in particular it lacks "read".
func Anonymous() *User { return &User{} }

// NewUser returns the user with the capabilities that the site gives.
// stored is the unserialized user meta that is named by the table prefix of
// the site followed by "capabilities": a map from role names and single
// capabilities to booleans. A user without it is logged in and may do nothing.
// superAdmin reports whether the user is a super admin of a multisite network (see
// [IsSuperAdminLogin]); pass false on a single site.
func NewUser(id int64, login string, roles Roles, stored php.Value, superAdmin bool) *User {
	if id == 0 {
		return Anonymous()
	}
	user := &User{ID: id, Login: login, SuperAdmin: superAdmin}
	own, ok := stored.(*php.Array)
	if !ok {
		return user
	}
	user.own = readCapabilities(own)
	for key := range own.All() {
		// A role counts by its name alone, also when it stands there as false.
		if role, ok := roles[key.String()]; ok {
			user.roles = append(user.roles, role)
		}
	}
	return user
}

// LoggedIn reports whether there is a user. Refusals are 403 then, else 401.
func (u *User) LoggedIn() bool { return u != nil && u.ID != 0 }

// Can reports whether the user holds the primitive capability cap. Later roles
// override earlier ones and the user's own map overrides all, so that a false in
// it revokes. A super admin holds everything but "do_not_allow".
func (u *User) Can(cap string) bool {
	switch {
	case cap == capDoNotAllow:
		return false
	case cap == capExist:
		return true
	case u == nil:
		return false
	case u.SuperAdmin:
		return true
	}
	if granted, ok := u.own[cap]; ok {
		return granted
	}
	for _, role := range slices.Backward(u.roles) {
		if granted, ok := role[cap]; ok {
			return granted
		}
	}
	return false
}

// CanAll reports whether the user holds every one of caps. It is true for an empty list.
func (u *User) CanAll(caps []string) bool {
	return !slices.ContainsFunc(caps, func(cap string) bool { return !u.Can(cap) })
}

// Rights returns a text that differs between users who may do different things. It is "" for
// anonymous users.
func (u *User) Rights() string {
	if !u.LoggedIn() {
		return ""
	}
	return fmt.Sprint(u.ID, u.SuperAdmin, u.roles, u.own) // maps are printed in order of their keys
}

// IsSuperAdminLogin reports whether siteAdmins, the unserialized network option
// site_admins, lists the login. Letter case counts.
func IsSuperAdminLogin(siteAdmins php.Value, login string) bool {
	list, _ := siteAdmins.(*php.Array)
	for _, v := range list.All() {
		if v == login {
			return true
		}
	}
	return false
}
