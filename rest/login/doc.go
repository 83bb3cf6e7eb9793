// Package login authenticates requests as WordPress does: by a login cookie with its
// nonce, or by an application password.
//
//   - login.go: Authenticator and Identity; authenticate.go: WordPress's steps in its order
//   - cookie.go: login cookies and nonces; password.go: application passwords
//   - throttle.go: delays for wrong credentials; user_cache.go: cached users;
//     checked_passwords.go: successful checks of the last second
//
// It turns a parsed request and the site into an [Identity], or into an error that becomes the
// response. The package must not import tribev1, and writes no responses.
package login
