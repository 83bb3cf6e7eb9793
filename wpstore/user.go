package wpstore

// Keys of User.Meta.
const (
	MetaCapabilities = "capabilities" // stored with the blog's table prefix before it
	MetaAppPasswords = "_application_passwords"
	MetaSessions     = "session_tokens"
)

// User is an account with the metadata that authentication needs.
type User struct {
	ID    int64
	Login string
	Email string
	Pass  string // hash of the account password

	// Meta holds the raw text of the first row of each of MetaCapabilities (of
	// this blog), MetaAppPasswords and MetaSessions; keys without a row are absent.
	Meta map[string]string

	// AppPasswordMetaID is the id of the row of MetaAppPasswords, 0 without one.
	AppPasswordMetaID int64
}
