package notice

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var noon = time.Unix(1_800_000_000, 0)

func newHandler(t testing.TB) (h *Handler, got *[]Notice, refused *[]string) {
	t.Helper()
	got, refused = new([]Notice), new([]string)
	h = NewHandler(inForce(testSecret), func(n Notice) { *got = append(*got, n) }, func(reason string) { *refused = append(*refused, reason) })
	h.now = func() time.Time { return noon }
	return h, got, refused
}

func signed(body string, at time.Time) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	sign(r.Header, testSecret, noticeToCalbridge, at, []byte(body))
	return r
}

func TestHandler(t *testing.T) {
	const body = `{"posts":[3,4],"options":["x"],"later":1}`
	change := func(f func(*http.Request)) *http.Request {
		r := signed(body, noon)
		f(r)
		return r
	}
	another := func(purpose, secret string) *http.Request {
		return change(func(r *http.Request) { sign(r.Header, secret, purpose, noon, []byte(body)) })
	}
	for _, test := range []struct {
		name    string
		request *http.Request
		code    int
		reason  string
	}{
		{"good", signed(body, noon), 204, ""},
		{"clock a little behind", signed(body, noon.Add(-DefaultWindow)), 204, ""},
		{"clock a little ahead", signed(body, noon.Add(DefaultWindow)), 204, ""},
		{"clock behind", signed(body, noon.Add(-DefaultWindow-time.Second)), 401, "clock"},
		{"clock ahead", signed(body, noon.Add(DefaultWindow+time.Second)), 401, "clock"},
		{"epoch", signed(body, time.Unix(0, 0)), 401, "clock"},
		{"negative time", signed(body, time.Unix(-5, 0)), 401, "clock"},
		{"other secret", another(noticeToCalbridge, strings.Repeat("x", 32)), 401, "signature"},
		{"meant for WordPress", another(noticeToWordPress, testSecret), 401, "signature"},
		{"no headers", httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)), 401, "signature"},
		{"body changed", change(func(r *http.Request) {
			r.Body = http.NoBody
		}), 401, "signature"},
		{"time changed", change(func(r *http.Request) { r.Header.Set(timestampHeader, "1800000001") }), 401, "signature"},
		{"nonce changed", change(func(r *http.Request) { r.Header.Set(nonceHeader, strings.Repeat("0", 32)) }), 401, "signature"},
		{"signature cut", change(func(r *http.Request) { r.Header.Set(signatureHeader, r.Header.Get(signatureHeader)[:32]) }), 401, "signature"},
		{"signature not hexadecimal", change(func(r *http.Request) { r.Header.Set(signatureHeader, strings.Repeat("z", 64)) }), 401, "signature"},
		{"not JSON", signed("posts", noon), 400, "body"},
		{"id 0", signed(`{"posts":[0]}`, noon), 400, "body"},
		{"GET", change(func(r *http.Request) { r.Method = http.MethodGet }), 405, "method"},
		{"too large", signed(strings.Repeat(" ", MaxBody+1), noon), 413, "size"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, got, refused := newHandler(t)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, test.request)
			if w.Code != test.code || strings.Join(*refused, ",") != test.reason {
				t.Errorf("%d %s, refused %q", w.Code, w.Body, *refused)
			}
			if applied := len(*got) == 1; applied != (test.code == 204) {
				t.Errorf("applied: %+v", *got)
			}
		})
	}
}

// TestSecretInForce: of two secrets that follow each other only the present one is accepted, and
// none that is too short.
func TestSecretInForce(t *testing.T) {
	secret := testSecret
	h := NewHandler(func() string { return secret }, func(Notice) {}, func(string) {})
	status := func(signedWith string) int {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
		sign(r.Header, signedWith, noticeToCalbridge, time.Now(), []byte("{}"))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	other := strings.Repeat("n", MinSecret)
	for _, c := range []struct {
		secret, signed string
		want           int
	}{{testSecret, testSecret, 204}, {testSecret, other, 401}, {other, other, 204}, {other, testSecret, 401}, {"", "", 404}, {other[1:], other[1:], 404}, {testSecret, testSecret, 204}} {
		secret = c.secret
		if got := status(c.signed); got != c.want {
			t.Errorf("secret %q, signed with %q: %d, want %d", c.secret, c.signed, got, c.want)
		}
	}
}

func inForce(secret string) func() string { return func() string { return secret } }

func TestReplayIsRefused(t *testing.T) {
	h, got, _ := newHandler(t)
	header := signed("{}", noon).Header
	for i, want := range []int{204, 409, 409} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
		r.Header = header
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("time %d: %d", i+1, w.Code)
		}
	}
	if len(*got) != 1 {
		t.Errorf("applied %d times", len(*got))
	}
}

// TestRacingCopies: of copies of one message that arrive at once, one is applied.
func TestRacingCopies(t *testing.T) {
	var applied atomic.Int64
	h := NewHandler(inForce(testSecret), func(Notice) { applied.Add(1) }, func(string) {})
	const messages, copies = 50, 32
	for range messages {
		header := signed("{}", time.Now()).Header
		start := make(chan struct{})
		var senders sync.WaitGroup
		for range copies {
			senders.Go(func() {
				<-start
				h.ServeHTTP(httptest.NewRecorder(), &http.Request{Method: http.MethodPost, Header: header, Body: io.NopCloser(strings.NewReader("{}"))})
			})
		}
		close(start)
		senders.Wait()
	}
	if n := applied.Load(); n != messages {
		t.Errorf("%d of %d messages were applied", n, messages)
	}
}

// Forgetting for want of room never lets a message in again.
func TestReplayMemoryIsBounded(t *testing.T) {
	now := noon
	h, got, _ := newHandler(t)
	h.replays, h.now = newReplays(4), func() time.Time { return now }
	serve := func(header http.Header) int {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
		r.Header = header
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	var old []http.Header
	for range 100 {
		header := signed("{}", now).Header
		if code := serve(header); code != 204 {
			t.Fatalf("a new message: %d", code)
		}
		old = append(old, header)
		now = now.Add(time.Second)
	}
	for i, header := range old {
		if code := serve(header); code != 409 {
			t.Errorf("message %d again: %d", i, code)
		}
	}
	if len(*got) != 100 || len(h.replays.seen) > 4 {
		t.Errorf("%d applied, %d remembered", len(*got), len(h.replays.seen))
	}
	// What is too old for its clock anyway leaves no floor behind.
	now = now.Add(time.Hour)
	for range 5 {
		if code := serve(signed("{}", now).Header); code != 204 {
			t.Errorf("an hour later: %d", code)
		}
	}
}

// The signature is a contract with a file in another language.
func TestSignatureIsFixed(t *testing.T) {
	got := fmt.Sprintf("%x", mac(testSecret, noticeToCalbridge, "1800000000", strings.Repeat("0a", 16), []byte(`{"posts":[1]}`)))
	const want = "0b74f2363e0f447216c3a126af58a427e992c7c668833d44b96136797beb46a2"
	if got != want {
		t.Errorf("signature %s", got)
	}
}

func TestMergeKeepsEverythingOnce(t *testing.T) {
	got := merge([]Notice{
		{Posts: []int64{2, 1}, Saved: []Saved{{ID: 2}}, Options: []string{"a"}},
		{Posts: []int64{1, 3}, Terms: []int64{4}, Cron: true, Saved: []Saved{{ID: 2}, {ID: 3}}, Taxonomies: []string{"t", "t"}, Users: []int64{1}},
	})
	if !slices.Equal(got.Posts, []int64{2, 1, 3}) || len(got.Saved) != 3 || !got.Cron || got.All || !slices.Equal(got.Taxonomies, []string{"t"}) {
		t.Errorf("%+v", got)
	}
	if got.size() != 3+1+1+1+3+1 {
		t.Errorf("size %d", got.size())
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{}`, `null`, `[]`, `{"posts":[1,2],"options":["a"],"all":true}`, `{"posts":[1.5]}`, `{"posts":[-1]}`,
		`{"saved":[{"id":1,"old_terms":{"t":[1]}}]}`, `{"posts":null,"POSTS":[9223372036854775807]}`, `{"posts":[9223372036854775808]}`, strings.Repeat("[", 20000)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		n, err := Decode(body)
		if err != nil {
			return
		}
		if n.size() > MaxItems {
			t.Errorf("%d things", n.size())
		}
		for _, id := range slices.Concat(n.Posts, n.Terms, n.Users) {
			if id <= 0 {
				t.Errorf("id %d", id)
			}
		}
	})
}

// Nothing gets past the verifier that was not signed with the secret.
func FuzzHandler(f *testing.F) {
	good := signed(`{"posts":[1]}`, noon).Header
	f.Add("POST", good.Get(timestampHeader), good.Get(nonceHeader), good.Get(signatureHeader), []byte(`{"posts":[1]}`))
	f.Add("POST", "99999999999999999999", "", "00", []byte(`{}`))
	f.Add("POST", "-1", strings.Repeat("0", 32), strings.Repeat("0", 64), []byte(``))
	h, _, _ := newHandler(f)
	f.Fuzz(func(t *testing.T, method, timestamp, nonce, signature string, body []byte) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(string(body)))
		r.Method = method
		r.Header.Set(timestampHeader, timestamp)
		r.Header.Set(nonceHeader, nonce)
		r.Header.Set(signatureHeader, signature)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		genuine := strings.EqualFold(signature, fmt.Sprintf("%x", mac(testSecret, noticeToCalbridge, timestamp, nonce, body)))
		if w.Code == 204 && !genuine {
			t.Errorf("accepted %q %q %q", timestamp, nonce, signature)
		}
	})
}
