// Package wpauth checks the credentials that WordPress hands out: account and
// application passwords, login cookies, session tokens, nonces and the cookie of
// a password-protected post. It is pure: rows, secrets and the time are passed in.
//
// Every function is safe on hostile input: no panic, bounded work, and secrets
// compared in constant time.
//
//	basic.go        the Authorization header
//	login.go        cleaning user names
//	password.go     stored hashes: MD5, $wp$, bcrypt
//	phpass.go       $P$ hashes, and the cookie of a protected post
//	argon2.go       argon2 hashes
//	apppassword.go  application passwords and the record of their use
//	cookieheader.go finding a cookie as PHP does
//	cookiename.go   names of cookies
//	logincookie.go  the login cookie and its session
//	nonce.go        nonces
//	salt.go         keys and salts
//
// It imports wpstore/php, phpform and wptext/sanitize, and neither store nor HTTP.
//
// It reproduces WordPress 6.5 to 7.1 on PHP 8.2. Where WordPress before 6.8 differs (phpass instead
// of bcrypt and BLAKE2b), both are accepted.
package wpauth
