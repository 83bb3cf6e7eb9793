package recording_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
)

func secretive() *recording.Exchange {
	x := compattest.Exchange("a", "GET", "/wp-json/x?_wpnonce=0123&password=sesame&page=1&_wpnonce=", `{"token":"hunter2"}`)
	x.Request.Headers = map[string]string{"Authorization": "Basic eDp5", "cookie": "a=1", "X-WP-Nonce": "", "Accept": "*/*"}
	x.Response.Headers["set-cookie"] = recording.HeaderValues{"session=1; path=/", "plain=2", "odd"}
	x.Response.Headers["x-wp-nonce"] = recording.HeaderValues{"0123"}
	x.Noise = []string{"$.a", "headers.x-wp-nonce"}
	return x
}

func TestRedact(t *testing.T) {
	x := secretive()
	got := recording.Redact(x, []string{"hunter2", ""})
	if got.Request.Path != "/wp-json/x?_wpnonce=(redacted)&password=sesame&page=1&_wpnonce=" || got.Response.Body != `{"token":"(redacted)"}` {
		t.Errorf("%s with %s", got.Request.Path, got.Response.Body)
	}
	if diff := cmp.Diff(map[string]string{"Authorization": "(redacted)", "cookie": "(redacted)", "X-WP-Nonce": "", "Accept": "*/*"}, got.Request.Headers); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(recording.HeaderValues{"session=(redacted); path=/", "plain=(redacted)", "(redacted)"}, got.Response.Headers["set-cookie"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"$.a", "headers.x-wp-nonce", "headers.set-cookie"}, got.Noise); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(secretive(), x, cmp.AllowUnexported(recording.Exchange{})); diff != "" {
		t.Errorf("the original was changed: %s", diff)
	}
	if live := recording.RedactLive(x); live.Request.Path != "/wp-json/x?_wpnonce=(redacted)&password=(redacted)&page=1&_wpnonce=" {
		t.Errorf("live: %s", live.Request.Path)
	}
}

// TestRedactArguments checks that only values of known arguments stay, in every spelling
// of their names.
func TestRedactArguments(t *testing.T) {
	known := func(name string) bool { return name == "page" || name == "tags" }
	for path, want := range map[string]string{
		"/x":                                    "/x",
		"/x?":                                   "/x?",
		"/x?page=2&tags=":                       "/x?page=2&tags=",
		"/x?access_token=s&page=2&Token=s&flag": "/x?access_token=(redacted)&page=2&Token=(redacted)&flag",
		"/x?access%5Ftoken=s&pag%65=2&a=b=s":    "/x?access%5Ftoken=(redacted)&pag%65=2&a=(redacted)",
		"/x?tags[]=1&tags%5Ba%5D=2&key[page]=s": "/x?tags[]=1&tags%5Ba%5D=2&key[page]=(redacted)",
		"/x?%zz=s&=s&+page=3&page%00=s":         "/x?%zz=(redacted)&=(redacted)&+page=3&page%00=(redacted)",
		"/x?page=1?key=2&key=s?page=3":          "/x?page=1?key=2&key=(redacted)",
	} {
		if got := recording.RedactArguments(path, known); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	x := secretive()
	x.Request.Path = "/x?%5Fwpnonce=s&_wpnonce[]=s&pass%77ord=s&password[0]=s"
	if got, want := recording.RedactLive(x).Request.Path, "/x?%5Fwpnonce=(redacted)&_wpnonce[]=(redacted)&pass%77ord=(redacted)&password[0]=(redacted)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestRedactOrder checks that redacting the same exchange always gives the same result,
// noise included.
func TestRedactOrder(t *testing.T) {
	x := compattest.Exchange("a", "GET", "/", "")
	for _, name := range []string{"set-cookie", "x-wp-nonce", "authorization", "cookie", "proxy-authorization"} {
		x.Response.Headers[name] = recording.HeaderValues{"secret"}
	}
	want := []string{"headers.authorization", "headers.cookie", "headers.proxy-authorization", "headers.set-cookie", "headers.x-wp-nonce"}
	for range 20 {
		if got := recording.Redact(x, nil).Noise; !slices.Equal(got, want) {
			t.Fatalf("noise %v", got)
		}
	}
}

func TestRedactedRequest(t *testing.T) {
	for want, requests := range map[bool][]recording.Request{
		true:  {{Headers: map[string]string{"cookie": recording.Redacted}}, {Path: "/?_wpnonce=(redacted)"}, {Path: "/?password=(redacted)"}},
		false: {{Headers: map[string]string{"cookie": "a=1", "x-other": recording.Redacted}, Path: "/?a=(redacted)"}},
	} {
		for _, r := range requests {
			if recording.RedactedRequest(r) != want {
				t.Errorf("%+v: %v", r, !want)
			}
		}
	}
}

// TestConvertRedacts checks that exchanges and the steps of write cases lose their
// credentials, unless the caller keeps them.
func TestConvertRedacts(t *testing.T) {
	file := compattest.WriteRecording(t, "x.jsonl", recording.Header{Format: recording.HeaderFormat, Home: "https://town.example"}, secretive(),
		&recording.Case{ID: "w", As: "jana", Steps: []recording.Step{{As: "petr", Request: secretive().Request, Response: secretive().Response}}})
	for _, keep := range []bool{false, true} {
		out := compattest.WriteFile(t, "y.jsonl", "")
		n, err := convertFile(recording.ConvertOptions{Recordings: []string{file}, Format: recording.FormatJSONLines, KeepCredentials: keep}, out)
		if err != nil || n != 2 {
			t.Fatalf("%d exchanges, %v", n, err)
		}
		var seen []string
		if err := recording.Read([]string{out}, func(e recording.Entry) error {
			switch {
			case e.Exchange != nil:
				seen = append(seen, e.Exchange.Request.Headers["cookie"], fmt.Sprint(e.Exchange.Homes()[1]))
			case e.Case != nil:
				seen = append(seen, e.Case.Steps[0].Request.Headers["cookie"], e.Case.Steps[0].As)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		cookie := map[bool]string{false: "(redacted)", true: "a=1"}[keep]
		if want := []string{cookie, "https://town.example", cookie, "petr"}; !slices.Equal(seen, want) {
			t.Errorf("KeepCredentials %v: %q", keep, seen)
		}
	}
	if _, err := recording.Convert(recording.ConvertOptions{Recordings: []string{"/none/*"}}, nil); err == nil {
		t.Error("no recordings are converted")
	}
}
