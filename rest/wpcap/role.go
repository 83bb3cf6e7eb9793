package wpcap

import "calbridge/wpstore/php"

// capabilities maps capabilities to whether they are granted; false revokes what an
// earlier role of the same user granted.
type capabilities map[string]bool

func readCapabilities(stored *php.Array) capabilities {
	out := make(capabilities, stored.Len())
	for cap, granted := range stored.All() {
		out[cap.String()] = php.ToBool(granted)
	}
	return out
}

// Roles holds the capabilities of a site's roles by their keys, such as "editor". It
// is read-only, so one value may serve many requests; the zero value has no roles.
type Roles map[string]capabilities

// ParseRoles reads the unserialized option that is named by the table prefix of the
// site followed by "user_roles": a map from role to its name and its capabilities.
// Anything else yields no roles, or roles without capabilities.
func ParseRoles(option php.Value) Roles {
	list, _ := option.(*php.Array)
	roles := make(Roles, list.Len())
	for key, v := range list.All() {
		entry, _ := v.(*php.Array)
		granted, _ := entry.At("capabilities").(*php.Array)
		roles[key.String()] = readCapabilities(granted)
	}
	return roles
}
