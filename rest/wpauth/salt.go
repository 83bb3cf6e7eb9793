package wpauth

// Scheme names a secret of the site and, for all but the nonce, a login cookie.
type Scheme string

// The four schemes that WordPress keeps secrets for.
const (
	SchemeAuth       Scheme = "auth"
	SchemeSecureAuth Scheme = "secure_auth"
	SchemeLoggedIn   Scheme = "logged_in"
	SchemeNonce      Scheme = "nonce"
)

// samplePhrase stands in the sample configuration for a key not yet chosen.
const samplePhrase = "put your unique phrase here"

// Keys holds the secrets that wp-config.php defines. A constant that is not
// defined is "".
type Keys struct {
	AuthKey, AuthSalt             string // AUTH_KEY, AUTH_SALT
	SecureAuthKey, SecureAuthSalt string // SECURE_AUTH_KEY, SECURE_AUTH_SALT
	LoggedInKey, LoggedInSalt     string // LOGGED_IN_KEY, LOGGED_IN_SALT
	NonceKey, NonceSalt           string // NONCE_KEY, NONCE_SALT
	SecretKey, SecretSalt         string // SECRET_KEY, SECRET_SALT, only old sites have them

	// SamplePhrase is the translation of the sample configuration's phrase in the
	// site's language, when known. A key that equals it or the English phrase does
	// not count.
	SamplePhrase string
}

// Salt returns the secret of scheme, which is its key followed by its salt.
//
// A constant counts only when it is not empty, not the sample phrase and not used
// for a second constant as well; of duplicates none counts. A key that does not
// count is replaced by SECRET_KEY if that counts (for the scheme auth also a salt
// by SECRET_SALT), else by the option that WordPress generates once, such as
// auth_key or nonce_salt. fallback reads that option from the options table, on
// multisite from sitemeta; nil means that no options are known. Key and salt fall
// back independently. An empty result must not be used to check anything.
func Salt(scheme Scheme, keys Keys, fallback func(option string) string) string {
	var key, salt, sharedSalt string
	switch scheme {
	case SchemeAuth:
		key, salt, sharedSalt = keys.AuthKey, keys.AuthSalt, keys.SecretSalt
	case SchemeSecureAuth:
		key, salt = keys.SecureAuthKey, keys.SecureAuthSalt
	case SchemeLoggedIn:
		key, salt = keys.LoggedInKey, keys.LoggedInSalt
	case SchemeNonce:
		key, salt = keys.NonceKey, keys.NonceSalt
	default:
		return ""
	}
	return keys.choose(string(scheme)+"_key", fallback, key, keys.SecretKey) +
		keys.choose(string(scheme)+"_salt", fallback, salt, sharedSalt)
}

// choose returns the first candidate that counts, else the option.
func (k Keys) choose(option string, fallback func(string) string, candidates ...string) string {
	for _, c := range candidates {
		if k.counts(c) {
			return c
		}
	}
	if fallback == nil {
		return ""
	}
	return fallback(option)
}

func (k Keys) counts(value string) bool {
	if value == "" || value == samplePhrase || value == k.SamplePhrase {
		return false
	}
	uses := 0
	for _, other := range []string{
		k.AuthKey, k.AuthSalt, k.SecureAuthKey, k.SecureAuthSalt, k.LoggedInKey,
		k.LoggedInSalt, k.NonceKey, k.NonceSalt, k.SecretKey, k.SecretSalt,
	} {
		if other == value {
			uses++
		}
	}
	return uses == 1
}
