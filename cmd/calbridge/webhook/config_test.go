package webhook

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestParse checks which files are taken.
func TestParse(t *testing.T) {
	const start, end = `{"targets":[{"name":"crm","url":"https://crm.example/hook","secret_file":"s"`, `}]}`
	for _, c := range []struct{ name, file, want string }{
		{"one", start + end, ""},
		{"everything", start + `,"kinds":["event.created","event.deleted"],"filters":"categories=music&featured=true","format":"cloudevents","private":true` + end, ""},
		{"none", `{"targets":[]}`, ""},
		{"no JSON", `targets:`, "invalid character"},
		{"unknown member", start + `,"secret":"x"` + end, "unknown field"},
		{"something behind", start + end + "{}", "something follows"},
		{"name", strings.Replace(start, "crm", "../crm", 1) + end, "name has"},
		{"no address", strings.Replace(start, "https://crm.example/hook", "crm", 1) + end, "not an HTTP address"},
		{"user", strings.Replace(start, "https://", "https://a:b@", 1) + end, "url has a user"},
		{"file", strings.Replace(start, "https://", "file://", 1) + end, "not an HTTP address"},
		{"no secret", `{"targets":[{"name":"crm","url":"https://crm.example/"}]}`, "secret_file is missing"},
		{"kind", start + `,"kinds":["event.moved"]` + end, "kinds are event.created"},
		{"format", start + `,"format":"xml"` + end, "format is changes or cloudevents"},
		{"page", start + `,"filters":"page=2"` + end, "must not have page"},
		{"filters", start + `,"filters":"%zz"` + end, "not a query"},
		{"twice", start + `},` + strings.TrimPrefix(start, `{"targets":[`) + end, "two targets"},
		{"too long", strings.Repeat(" ", maxFile+1), "more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.file))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestLoad checks secrets in files of their own.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	file, secret := filepath.Join(dir, "targets.json"), filepath.Join(dir, "secret")
	if err := os.WriteFile(file, []byte(`{"targets":[{"name":"crm","url":"https://crm.example/","secret_file":"`+secret+`"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, secret, want string }{
		{"right", testSecret + "\n", ""},
		{"too short", "whsec_c2hvcnQ=", "24 to 64 bytes"},
		{"no prefix", strings.TrimPrefix(testSecret, "whsec_"), "it must have whsec_"},
		{"empty", "", "it must have whsec_"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(secret, []byte(c.secret), 0o600); err != nil {
				t.Fatal(err)
			}
			targets, err := Load(file)
			if c.want == "" && (err != nil || len(targets[0].secret) < minSecret) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if err := os.Remove(secret); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(file); err == nil || !strings.Contains(err.Error(), "secret_file") {
		t.Error(err)
	}
}

// FuzzParse checks that whatever is in a file, its targets can be used.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"targets":[{"name":"crm","url":"https://crm.example/","secret_file":"s","filters":"a=b"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		targets, err := Parse(data)
		if err != nil {
			return
		}
		for i := range targets {
			if err := targets[i].check(); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestPublic checks which addresses a target may have.
func TestPublic(t *testing.T) {
	for _, c := range []struct {
		address string
		want    bool
	}{
		{"93.184.215.14", true}, {"2606:2800:21f:cb07:6820:80da:af6b:8b2c", true},
		{"127.0.0.1", false}, {"::1", false}, {"0.0.0.0", false}, {"::", false}, {"10.1.2.3", false}, {"172.16.0.1", false}, {"192.168.1.1", false}, {"169.254.169.254", false}, {"fe80::1", false},
		{"fd00:ec2::254", false}, {"100.64.0.1", false}, {"224.0.0.1", false}, {"255.255.255.255", false}, {"240.0.0.1", false}, {"198.18.0.1", false}, {"::ffff:127.0.0.1", false}, {"64:ff9b::7f00:1", false}, {"2002:7f00:1::", false},
	} {
		t.Run(c.address, func(t *testing.T) {
			if got := public(netip.MustParseAddr(c.address)); got != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}

// TestPrivateIsRefused checks that a target gets nothing on this machine unless that is permitted, by name
// or by number, and that redirections aren't followed.
func TestPrivateIsRefused(t *testing.T) {
	r := newReceiver(t)
	for _, host := range []string{"127.0.0.1", "localhost"} {
		t.Run(host, func(t *testing.T) {
			target := newTarget(t, "crm", strings.Replace(r.URL, "127.0.0.1", host, 1))
			target.Private = false
			if err := Test(t.Context(), &target, "test", "https://town.example", time.Now()); err == nil || !strings.Contains(err.Error(), "private network") {
				t.Error(err)
			}
		})
	}
	if len(r.seen) > 0 {
		t.Error("delivered")
	}
	r.answer(func() int { return 302 })
	target := newTarget(t, "crm", r.URL)
	if err := Test(t.Context(), &target, "test", "https://town.example", time.Now()); err == nil || err.Error() != "status 302" {
		t.Error(err)
	}
}

// TestNextDelay checks when a delivery is tried again.
func TestNextDelay(t *testing.T) {
	total := time.Duration(0)
	for attempts := 1; ; attempts++ {
		wait, ok := nextDelay(attempts, 0)
		if !ok {
			if attempts != len(delays)+1 {
				t.Errorf("%d attempts", attempts)
			}
			break
		}
		if least := delays[attempts-1]; wait < least || wait > least+least/10+1 {
			t.Errorf("attempt %d waits %s", attempts, wait)
		}
		total += wait
	}
	if total < 72*time.Hour {
		t.Errorf("disabled after %s", total)
	}
	if wait, _ := nextDelay(1, time.Hour); wait != time.Hour {
		t.Errorf("Retry-After is ignored: %s", wait)
	}
	if wait, _ := nextDelay(1, 1000*time.Hour); wait != maxAsked {
		t.Errorf("Retry-After without a bound: %s", wait)
	}
}
