package wpcap

import "calbridge/wpstore/php"

// Role is a named set of capabilities. A capability with the value false denies
// what an earlier role of the same user granted.
type Role struct {
	Key  string // such as "editor"
	Name string // as shown in the dashboard
	caps map[string]bool
}

// Grants returns what the role says of cap; ok is false when it says nothing.
func (r *Role) Grants(cap string) (granted, ok bool) {
	granted, ok = r.caps[cap]
	return granted, ok
}

// Roles holds the roles of a site. It is read-only, so one value may serve many
// requests; the zero value has no roles.
type Roles struct {
	byKey map[string]*Role
	keys  []string
}

// ParseRoles reads the unserialized option that is named by the table prefix of
// the site followed by "user_roles": a map from role to its name and its
// capabilities. What is no such map has no roles or no capabilities.
func ParseRoles(option php.Value) Roles {
	list, _ := option.(*php.Array)
	roles := Roles{byKey: make(map[string]*Role, list.Len())}
	for key, v := range list.All() {
		entry, _ := v.(*php.Array)
		role := &Role{Key: key.String(), Name: php.ToString(entry.At("name"))}
		caps, _ := entry.At("capabilities").(*php.Array)
		role.caps = capabilityMap(caps)
		roles.byKey[role.Key] = role
		roles.keys = append(roles.keys, role.Key)
	}
	return roles
}

// Get returns the role with the key, nil when the site has none.
func (r Roles) Get(key string) *Role { return r.byKey[key] }

// Keys returns the keys of all roles in their stored order.
func (r Roles) Keys() []string { return append([]string(nil), r.keys...) }

func capabilityMap(caps *php.Array) map[string]bool {
	out := make(map[string]bool, caps.Len())
	for cap, granted := range caps.All() {
		out[cap.String()] = php.ToBool(granted)
	}
	return out
}
