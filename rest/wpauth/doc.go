// Package wpauth checks the credentials that WordPress hands out: account and
// application passwords, login cookies, session tokens, nonces and the cookie of
// a password-protected post. It is pure: rows, secrets and the time are passed in.
//
// Every function is safe on hostile input: no panic, bounded work, and secrets
// compared in constant time.
//
// Source: the behaviour of WordPress 6.5 to 7.1 on PHP 8.2. Where WordPress
// before 6.8 differs (phpass instead of bcrypt and BLAKE2b), both are accepted.
package wpauth
