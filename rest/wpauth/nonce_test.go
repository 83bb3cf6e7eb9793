package wpauth

import (
	"crypto/hmac"
	"crypto/md5"
	"encoding/hex"
	"testing"
	"time"
)

func TestKeyedHash(t *testing.T) {
	mac := hmac.New(md5.New, []byte(Salt(SchemeNonce, testKeys, nil)))
	writeParts(mac, "abc")
	if got := hex.EncodeToString(mac.Sum(nil)); got != "a78c69883f1c15f908c5e547fcfe51b9" {
		t.Error(got)
	}
}

func TestNonce(t *testing.T) {
	salt := Salt(SchemeNonce, testKeys, nil)
	tests := []struct {
		now, tick, uid int64
		token, want    string
	}{
		{1795258463, 41557, 2, testToken, "81a1c55353"},
		{1795258463, 41557, 0, "", "eda9f17723"},
		{1795219200, 41556, 2, testToken, "f47a125c71"},
		{1795219201, 41557, 2, testToken, "81a1c55353"},
		{1700000000, 39352, 1, "t", "e02be01fdf"},
	}
	for _, tt := range tests {
		now := time.Unix(tt.now, 999)
		if got := NonceTick(now); got != tt.tick {
			t.Errorf("NonceTick(%d) = %d, want %d", tt.now, got, tt.tick)
		}
		if got := Nonce(tt.tick, tt.uid, tt.token, salt); got != tt.want {
			t.Errorf("Nonce(%d, %d, %q) = %q, want %q", tt.tick, tt.uid, tt.token, got, tt.want)
		}
		if got := VerifyNonce(tt.want, now, tt.uid, tt.token, salt); got != 1 {
			t.Errorf("%s: age %d", tt.want, got)
		}
	}
	for at, want := range map[int64]int64{0: 0, 1: 1, 43200: 1, 43201: 2, -1: 0, -43200: -1} {
		if got := NonceTick(time.Unix(at, 0)); got != want {
			t.Errorf("NonceTick(%d) = %d, want %d", at, got, want)
		}
	}
}

func TestVerifyNonce(t *testing.T) {
	salt := Salt(SchemeNonce, testKeys, nil)
	now := time.Unix(1795258463, 0)
	tests := []struct {
		name, nonce string
		uid         int64
		token       string
		want        int
	}{
		{"current", "81a1c55353", 2, testToken, 1},
		{"half-day before", "f47a125c71", 2, testToken, 2},
		{"older", "8373f27b19", 2, testToken, 0},
		{"anonymous", "eda9f17723", 0, "", 1},
		{"anonymous as user", "eda9f17723", 2, testToken, 0},
		{"other user", "81a1c55353", 3, testToken, 0},
		{"other session", "81a1c55353", 2, "x", 0},
		{"upper case", "81A1C55353", 2, testToken, 0},
		{"longer", "81a1c553530", 2, testToken, 0},
		{"empty", "", 2, testToken, 0},
	}
	for _, tt := range tests {
		if got := VerifyNonce(tt.nonce, now, tt.uid, tt.token, salt); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func FuzzNonce(f *testing.F) {
	f.Add("81a1c55353", int64(2), testToken, int64(1795258463))
	f.Add("eda9f17723", int64(0), "", int64(1795258463))
	f.Add("", int64(-1), "|", int64(-1<<62))
	f.Fuzz(func(t *testing.T, nonce string, uid int64, token string, at int64) {
		salt := "nonce-keynonce-salt"
		now := time.Unix(at, 0)
		tick := NonceTick(now)
		want := 0
		switch nonce {
		case Nonce(tick, uid, token, salt):
			want = 1
		case Nonce(tick-1, uid, token, salt):
			want = 2
		}
		if got := VerifyNonce(nonce, now, uid, token, salt); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
		if got := VerifyNonce(Nonce(tick-1, uid, token, salt), now, uid, token, salt); got != 2 {
			t.Fatalf("last half-day's nonce: %d", got)
		}
		if len(Nonce(tick, uid, token, salt)) != 10 {
			t.Fatal("length")
		}
	})
}

// TestNonceAfterClockJump checks that a nonce counts only in its half-day and the next one, whichever
// way the clock jumps, and is valid again when the clock is right again.
func TestNonceAfterClockJump(t *testing.T) {
	now := time.Unix(10*nonceTick, 0)
	nonce := Nonce(NonceTick(now), 7, "token", "salt")
	for _, c := range []struct {
		name string
		at   time.Time
		age  int
	}{
		{"made", now, 1}, {"half a day forwards", now.Add(12 * time.Hour), 2}, {"a day forwards", now.Add(24 * time.Hour), 0},
		{"a second backwards", now.Add(-time.Second), 1}, {"half a day backwards", now.Add(-12 * time.Hour), 0}, {"right again", now, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := VerifyNonce(nonce, c.at, 7, "token", "salt"); got != c.age {
				t.Errorf("age %d, want %d", got, c.age)
			}
		})
	}
}
