package wpauth

import (
	"strings"
	"testing"
	"time"
)

func TestCheckPassword(t *testing.T) {
	tests := []struct {
		name, hash, password string
		want                 bool
	}{
		{"md5", "5f4dcc3b5aa765d61d8327deb882cf99", "password", true},
		{"md5 upper case", "5F4DCC3B5AA765D61D8327DEB882CF99", "password", false},
		{"md5 wrong", "5f4dcc3b5aa765d61d8327deb882cf99", "Password", false},
		{"no hash", "", "", false},
		{"no hash, some password", "", "x", false},
		{"hash as password", "5f4dcc3b5aa765d61d8327deb882cf99", "5f4dcc3b5aa765d61d8327deb882cf99", false},

		{"phpass", "$P$Babcdefghsrz.pnv6zFMHZouN67Bmn/", "abcd1234EFGH5678ijkl9012", true},
		{"phpass 2", "$P$BtOh5EL/.Mf6WbjGdDtzl/S680mmou1", "password", true},
		{"phpass utf-8", "$P$B012345677o9RaMdoclqH1IfFOTbQ6.", "pässwörd", true},
		{"phpass empty, 512 rounds", "$P$7abcdefghYnUeeP9OIovbnQLOKRJX7/", "", true},
		{"phpass of phpBB", "$H$BtOh5EL/.Mf6WbjGdDtzl/S680mmou1", "password", true},
		{"phpass wrong", "$P$BtOh5EL/.Mf6WbjGdDtzl/S680mmou1", "passwor", false},
		{"phpass blank", "$P$BtOh5EL/.Mf6WbjGdDtzl/S680mmou1", "password ", false},
		{"phpass longer", "$P$BtOh5EL/.Mf6WbjGdDtzl/S680mmou1x", "password", false},
		{"phpass shorter", "$P$BtOh5EL/.Mf6WbjGdDtzl/S680mmou", "password", false},
		{"phpass cost below 7", "$P$4tOh5EL/.Mf6WbjGdDtzl/S680mmou1", "password", false},
		{"phpass cost no letter", "$P$!tOh5EL/.Mf6WbjGdDtzl/S680mmou1", "password", false},

		{"wp", "$wp$2y$10$abcdefghijklmnopqrstuumEoo.ju1cwQjKzeYRkDL5edk3VdeiFy", "password", true},
		{"wp utf-8", "$wp$2y$10$abcdefghijklmnopqrstuuieFl6KeZ8jF8zwzIeY/IYPQpRLPDLkq", "pässwörd", true},
		{"wp beyond 72 bytes", "$wp$2y$10$abcdefghijklmnopqrstuu6oCzk0CnlULUiKMvCxvahQ/eX9HDs6W", strings.Repeat("a", 100), true},
		{"wp one more", "$wp$2y$10$abcdefghijklmnopqrstuu6oCzk0CnlULUiKMvCxvahQ/eX9HDs6W", strings.Repeat("a", 101), false},
		{"wp wrong", "$wp$2y$10$abcdefghijklmnopqrstuumEoo.ju1cwQjKzeYRkDL5edk3VdeiFy", "pass", false},
		{"wp without a hash", "$wp$" + strings.Repeat("x", 40), "password", false},

		{"bcrypt", "$2y$10$abcdefghijklmnopqrstuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbK", "password", true},
		{"bcrypt wrong", "$2y$10$abcdefghijklmnopqrstuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbK", "pass", false},
		{"bcrypt NUL", "$2y$10$abcdefghijklmnopqrstuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbK", "password\x00x", false},
		{"bcrypt junk behind", "$2y$10$abcdefghijklmnopqrstuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbKx", "password", false},
		{"bcrypt 2x", "$2x$10$abcdefghijklmnopqrstuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbK", "password", false},

		// Published with the reference implementation of argon2.
		{"argon2i", "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA", "password", true},
		{"argon2id", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "password", true},
		{"argon2 wrong", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "passwore", false},
		{"argon2 swapped kinds", "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "password", false},
		{"argon2d", "$argon2d$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "password", false},
		{"argon2 no passes", "$argon2i$v=19$m=65536,t=0,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA", "password", false},
		{"argon2 no threads", "$argon2i$v=19$m=65536,t=2,p=0$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA", "password", false},
		{"argon2 no digest", "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$", "password", false},

		{"unknown", "$6$rounds=5000$abcdefgh$" + strings.Repeat("x", 86), "password", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := CheckPassword(tt.hash, tt.password); got != tt.want {
				t.Errorf("CheckPassword(%q, %q) = %v", tt.hash, tt.password, got)
			}
		})
	}
}

func TestCheckPasswordLengthLimit(t *testing.T) {
	// The limit stands behind the rule for bare MD5.
	long := strings.Repeat("a", 4097)
	if !CheckPassword(md5Hex(long), long) {
		t.Error("bare MD5 has no length limit")
	}
	salted := "$P$7abcdefgh"
	for _, n := range []int{4096, 4097} {
		password := strings.Repeat("a", n)
		if got := CheckPassword(phpassHash(salted, password), password); got != (n == 4096) {
			t.Errorf("phpass of %d bytes: %v", n, got)
		}
	}
}

// Hashes that would take minutes are refused without being computed.
func TestCheckPasswordBoundedWork(t *testing.T) {
	for _, hash := range []string{
		"$P$SabcdefghYnUeeP9OIovbnQLOKRJX7/", // 2^30 rounds
		"$2y$31$abcdefghijklmnopqrstuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbK",
		"$2y$16$abcdefghijklmnopqrstuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbK",
		"$wp$2y$31$abcdefghijklmnopqrstuumEoo.ju1cwQjKzeYRkDL5edk3VdeiFy",
		"$argon2id$v=19$m=4294967295,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=19$m=65536,t=4294967295,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=19$m=65536,t=2,p=255$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$" + strings.Repeat("A", 1<<20),
	} {
		fastest := time.Hour
		for range 5 { // the machine may pause, but not each time
			start := time.Now()
			if CheckPassword(hash, "password") {
				t.Errorf("%.60q accepted", hash)
			}
			if fastest = min(fastest, time.Since(start)); fastest < time.Second {
				break
			}
		}
		if fastest >= time.Second {
			t.Errorf("%.60q took %v", hash, fastest)
		}
	}
}

func TestFastHash(t *testing.T) {
	for message, want := range map[string]string{
		"abcd1234EFGH5678ijkl9012": "$generic$-r4FB5NrhNs1VZlhj9uMueqVu30SZqjhd5q-NUtA",
		"password":                 "$generic$5kFnqVB4H8sAaEg-HC4BoAY2wTWniLJdF-mQwkWu",
		"":                         "$generic$XJQGK2eUryTa4vHbU0bDv1Ml3wGPwaC1ATczq0o_",
		"PvONhdp6He0gGXB9al6eEUDl": "$generic$IKsx6iy6V6FKjQ9xz7lBYiVbLON6IqpMT73TY9E9",
	} {
		if got := FastHash(message); got != want {
			t.Errorf("FastHash(%q) = %q, want %q", message, got, want)
		}
	}
}

func TestCheckApplicationPassword(t *testing.T) {
	const (
		fast = "$generic$-r4FB5NrhNs1VZlhj9uMueqVu30SZqjhd5q-NUtA"
		old  = "$P$Babcdefghsrz.pnv6zFMHZouN67Bmn/"
		bare = "$2y$10$abcdefghijklmnopqrstuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbK"
	)
	tests := []struct {
		hash, password string
		want           bool
	}{
		{fast, "abcd1234EFGH5678ijkl9012", true},
		{fast, "abcd 1234 EFGH 5678 ijkl 9012", true},
		{fast, "abcd-1234-EFGH-5678-ijkl-9012", true},
		{fast, "\tabcd1234EFGH5678ijkl9012éß\xff\x00", true},
		{fast, "ABCD 1234 EFGH 5678 ijkl 9012", false},
		{fast, "abcd 1234 EFGH 5678 ijkl 901", false},
		{fast, "", false},
		{fast[:48], "abcd1234EFGH5678ijkl9012", false},
		{fast + "=", "abcd1234EFGH5678ijkl9012", false},
		{old, "abcd1234EFGH5678ijkl9012", true},
		{old, "abcd 1234 EFGH 5678 ijkl 9012", true},
		{old, "abcd 1234 EFGH 5678 ijkl 9013", false},
		{bare, "pass-word", true},
		{"$wp$2y$10$abcdefghijklmnopqrstuumEoo.ju1cwQjKzeYRkDL5edk3VdeiFy", "pass word", true},
		{"", "", false},
		{"$generic$", "", false},
	}
	for _, tt := range tests {
		if got := CheckApplicationPassword(tt.hash, tt.password); got != tt.want {
			t.Errorf("CheckApplicationPassword(%q, %q) = %v", tt.hash, tt.password, got)
		}
	}
}

func TestPostPasswordRequired(t *testing.T) {
	const cookie = "$P$BtOh5EL/.Mf6WbjGdDtzl/S680mmou1" // of "password"
	tests := []struct {
		post, cookie string
		want         bool
	}{
		{"", "", false},
		{"", cookie, false},
		{"password", "", true},
		{"password", "password", true},
		{"password", cookie, false},
		{"Password", cookie, true},
		{"password", "$P$7abcdefghYnUeeP9OIovbnQLOKRJX7/", true},
		{"password", cookie[:30], true},
		{"password", "$2y$10$abcdefghijklmnopqrstuu5Lo0g67CiD3M4RpN1BmBb4Crp5w7dbK", true},
	}
	for _, tt := range tests {
		if got := PostPasswordRequired(tt.post, tt.cookie); got != tt.want {
			t.Errorf("PostPasswordRequired(%q, %q) = %v", tt.post, tt.cookie, got)
		}
	}
	// A cookie that is a phpass hash, but not of 8192 rounds, does not count.
	if !PostPasswordRequired("x", phpassHash("$P$7abcdefgh", "x")) {
		t.Error("cookie of 512 rounds accepted")
	}
}
