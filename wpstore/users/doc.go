// Package users reads the accounts of a site with the metadata that authentication
// needs: by login, e-mail address or id, in one query each. See [Store].
//
// It imports sqlconn and no other store.
package users
