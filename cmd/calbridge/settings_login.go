package main

import "calbridge/rest/wpauth"

// loginSettings are about application passwords, cookies and nonces.
func loginSettings() []setting {
	const g = groupLogin
	table := []setting{
		{name: "application-passwords", arg: "WHEN", def: "auto", group: g, help: "auto as WordPress decides (HTTPS or a local environment), on or off",
			set: oneOf(func(s *settings) *string { return &s.applicationPasswords }, "auto", "on", "off")},
		{name: "record-password-use", group: g, def: "true", help: "note when and from where an application password was used; needs UPDATE on the table of user metadata",
			set: boolean(func(s *settings) *bool { return &s.recordUse })},
		{name: "login-tries", arg: "N", def: "10", group: g, help: "wrong passwords that an address may send before it has to wait, longer after each; 0 for no end of them; of no effect under --compat exact",
			set: number(func(s *settings) *int { return &s.loginTries }, 0, 1_000_000)},
		cookieSetting("cookiehash", "COOKIEHASH", "what the names of the site's cookies end with, where wp-config.php sets it"),
		cookieSetting("logged-in-cookie", "LOGGED_IN_COOKIE", "name of the login cookie, where wp-config.php sets it"),
	}
	for _, k := range []struct {
		name, constant, what string
		field                func(*wpauth.Keys) *string
	}{
		{"auth-key", "AUTH_KEY", "key", func(k *wpauth.Keys) *string { return &k.AuthKey }},
		{"auth-salt", "AUTH_SALT", "salt", func(k *wpauth.Keys) *string { return &k.AuthSalt }},
		{"secure-auth-key", "SECURE_AUTH_KEY", "key", func(k *wpauth.Keys) *string { return &k.SecureAuthKey }},
		{"secure-auth-salt", "SECURE_AUTH_SALT", "salt", func(k *wpauth.Keys) *string { return &k.SecureAuthSalt }},
		{"logged-in-key", "LOGGED_IN_KEY", "key", func(k *wpauth.Keys) *string { return &k.LoggedInKey }},
		{"logged-in-salt", "LOGGED_IN_SALT", "salt", func(k *wpauth.Keys) *string { return &k.LoggedInSalt }},
		{"nonce-key", "NONCE_KEY", "key", func(k *wpauth.Keys) *string { return &k.NonceKey }},
		{"nonce-salt", "NONCE_SALT", "salt", func(k *wpauth.Keys) *string { return &k.NonceSalt }},
		{"secret-key", "SECRET_KEY", "key of old sites", func(k *wpauth.Keys) *string { return &k.SecretKey }},
		{"secret-salt", "SECRET_SALT", "salt of old sites", func(k *wpauth.Keys) *string { return &k.SecretSalt }},
	} {
		table = append(table, setting{
			name: k.name, arg: "TEXT", group: g, secret: true, constant: k.constant,
			help: "the site's " + k.what + " of that name; without it the database's counts",
			set:  text(func(s *settings) *string { return k.field(&s.keys) }),
		})
	}
	return table
}

// cookieSetting is a constant about cookies that has no default: defined or not
// makes a difference.
func cookieSetting(name, constant, help string) setting {
	return setting{
		name: name, arg: "TEXT", group: groupLogin, constant: constant, help: help,
		set: func(s *settings, v string) error {
			if s.cookies == nil {
				s.cookies = map[string]string{}
			}
			s.cookies[constant] = v
			return nil
		},
	}
}

// cookieConstant looks up a constant about cookies.
func (s *settings) cookieConstant(name string) (string, bool) {
	v, ok := s.cookies[name]
	return v, ok
}
