package settings

import "calbridge/rest/wpauth"

// Login is about application passwords, cookies and nonces.
type Login struct {
	ApplicationPasswords string // auto, on or off
	RecordUse            bool
	Tries                int // wrong passwords of an address before it has to wait, 0 for any number
	Keys                 wpauth.Keys
	cookies              map[string]string // constants about cookies, by name
}

// CookieConstant looks up a constant of wp-config.php about cookies.
func (l *Login) CookieConstant(name string) (value string, defined bool) {
	value, defined = l.cookies[name]
	return value, defined
}

func loginRows(l *Login) table {
	const g = GroupLogins
	// cookie is a constant that has no default: defined or not makes a difference.
	cookie := func(name, constant, help string) setting {
		set := func(v string) error {
			if l.cookies == nil {
				l.cookies = map[string]string{}
			}
			l.cookies[constant] = v
			return nil
		}
		return setting{name: name, arg: "TEXT", group: g, constant: constant, help: help, set: set}
	}
	key := func(name, constant, what string, to *string) setting {
		return setting{
			name: name, arg: "TEXT", group: g, secret: true, constant: constant,
			help: "the site's " + what + " of that name; without it the database's counts", set: text(to),
		}
	}
	return table{
		{name: "application-passwords", arg: "WHEN", def: "auto", group: g, help: "auto as WordPress decides (HTTPS or a local environment), on or off",
			set: oneOf(&l.ApplicationPasswords, "auto", "on", "off")},
		{name: "record-password-use", group: g, def: "true", help: "note when and from where an application password was used; needs UPDATE on the table of user metadata",
			set: boolean(&l.RecordUse)},
		{name: "login-tries", arg: "N", def: "10", group: g, help: "wrong passwords that an address may send before it has to wait, longer after each; 0 for no end of them; of no effect under --compat exact",
			set: number(&l.Tries, 0, 1_000_000)},
		cookie("cookiehash", "COOKIEHASH", "what the names of the site's cookies end with, where wp-config.php sets it"),
		cookie("logged-in-cookie", "LOGGED_IN_COOKIE", "name of the login cookie, where wp-config.php sets it"),
		key("auth-key", "AUTH_KEY", "key", &l.Keys.AuthKey),
		key("auth-salt", "AUTH_SALT", "salt", &l.Keys.AuthSalt),
		key("secure-auth-key", "SECURE_AUTH_KEY", "key", &l.Keys.SecureAuthKey),
		key("secure-auth-salt", "SECURE_AUTH_SALT", "salt", &l.Keys.SecureAuthSalt),
		key("logged-in-key", "LOGGED_IN_KEY", "key", &l.Keys.LoggedInKey),
		key("logged-in-salt", "LOGGED_IN_SALT", "salt", &l.Keys.LoggedInSalt),
		key("nonce-key", "NONCE_KEY", "key", &l.Keys.NonceKey),
		key("nonce-salt", "NONCE_SALT", "salt", &l.Keys.NonceSalt),
		key("secret-key", "SECRET_KEY", "key of old sites", &l.Keys.SecretKey),
		key("secret-salt", "SECRET_SALT", "salt of old sites", &l.Keys.SecretSalt),
	}
}
