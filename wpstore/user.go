package wpstore

// Keys of User.Meta.
const (
	MetaCapabilities = "capabilities" // stored after the site's table prefix
	MetaAppPasswords = "_application_passwords"
	MetaSessions     = "session_tokens"
)

// User is an account with the metadata that authentication needs.
type User struct {
	ID    int64
	Login string
	Email string
	Pass  string // hash of the account password

	// Meta is the stored text of the first row of each of MetaCapabilities (of this site),
	// MetaAppPasswords and MetaSessions; keys without a row are absent.
	Meta map[string]string

	// AppPasswordMetaID is the id of the row of MetaAppPasswords, 0 without one.
	AppPasswordMetaID int64
}
