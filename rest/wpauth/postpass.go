package wpauth

import "strings"

// PostPasswordRequired says whether a visitor still has to give the password of a
// post. postPassword is the column post_password; cookie is the decoded value of
// the cookie [CookieNames].PostPass, "" without one. It must be a phpass hash of
// 8192 rounds ("$P$B…") of the password. Each call with such a cookie costs about
// a millisecond, so keep the result when a list asks for the same pair again.
//
// REST endpoints take a password parameter besides; that is theirs to compare.
func PostPasswordRequired(postPassword, cookie string) bool {
	if postPassword == "" {
		return false
	}
	return !strings.HasPrefix(cookie, "$P$B") || !checkPHPass(cookie, postPassword)
}
