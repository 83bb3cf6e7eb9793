package wpauth

import "testing"

func TestSalt(t *testing.T) {
	option := func(name string) string { return "<" + name + ">" }
	with := func(change func(*Keys)) Keys {
		k := testKeys
		change(&k)
		return k
	}
	tests := []struct {
		name   string
		keys   Keys
		scheme Scheme
		want   string
	}{
		{"all defined", testKeys, SchemeLoggedIn, "logged-in-keylogged-in-salt"},
		{"auth", testKeys, SchemeAuth, "auth-keyauth-salt"},
		{"secure auth", testKeys, SchemeSecureAuth, "secure-auth-keysecure-auth-salt"},
		{"nonce", testKeys, SchemeNonce, "nonce-keynonce-salt"},
		{"unknown scheme", testKeys, "other", ""},
		{"nothing defined", Keys{}, SchemeSecureAuth, "<secure_auth_key><secure_auth_salt>"},
		{"key missing", with(func(k *Keys) { k.NonceKey = "" }), SchemeNonce, "<nonce_key>nonce-salt"},
		{"salt missing", with(func(k *Keys) { k.NonceSalt = "" }), SchemeNonce, "nonce-key<nonce_salt>"},
		{"sample phrase", with(func(k *Keys) { k.NonceKey = "put your unique phrase here" }), SchemeNonce, "<nonce_key>nonce-salt"},
		{"translated phrase", with(func(k *Keys) { k.NonceKey, k.SamplePhrase = "hier", "hier" }), SchemeNonce, "<nonce_key>nonce-salt"},
		{"phrase in other case", with(func(k *Keys) { k.NonceKey = "Put your unique phrase here" }), SchemeNonce, "Put your unique phrase herenonce-salt"},
		{"duplicate", with(func(k *Keys) { k.NonceKey = "auth-key" }), SchemeNonce, "<nonce_key>nonce-salt"},
		{"its double", with(func(k *Keys) { k.NonceKey = "auth-key" }), SchemeAuth, "<auth_key>auth-salt"},
		{"untouched by doubles", with(func(k *Keys) { k.NonceKey = "auth-key" }), SchemeLoggedIn, "logged-in-keylogged-in-salt"},
		{"key is salt", with(func(k *Keys) { k.NonceKey, k.NonceSalt = "x", "x" }), SchemeNonce, "<nonce_key><nonce_salt>"},
		{"duplicate of SECRET_SALT", with(func(k *Keys) { k.SecretSalt = "nonce-key" }), SchemeNonce, "<nonce_key>nonce-salt"},
		{"SECRET_KEY unused", with(func(k *Keys) { k.SecretKey = "s" }), SchemeNonce, "nonce-keynonce-salt"},
		{"SECRET_KEY for a key", with(func(k *Keys) { k.SecretKey, k.NonceKey = "s", "" }), SchemeNonce, "snonce-salt"},
		{"SECRET_KEY a duplicate", with(func(k *Keys) { k.SecretKey, k.NonceKey = "auth-salt", "" }), SchemeNonce, "<nonce_key>nonce-salt"},
		{"SECRET_KEY the phrase", Keys{SecretKey: "put your unique phrase here"}, SchemeAuth, "<auth_key><auth_salt>"},
		{"SECRET_SALT for auth", Keys{SecretKey: "s", SecretSalt: "t"}, SchemeAuth, "st"},
		{"SECRET_SALT for no other", Keys{SecretKey: "s", SecretSalt: "t"}, SchemeLoggedIn, "s<logged_in_salt>"},
	}
	for _, tt := range tests {
		if got := Salt(tt.scheme, tt.keys, option); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if got := Salt(tt.scheme, tt.keys, option); got != tt.want {
			t.Errorf("%s: Of gives %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := Salt(SchemeAuth, Keys{AuthKey: "a"}, nil); got != "a" {
		t.Errorf("no options: %q", got)
	}
}
