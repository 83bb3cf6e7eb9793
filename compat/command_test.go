package compat

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/compat/compattest"
	"calbridge/compat/profile"
	"calbridge/compat/record"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/report"
)

func TestRunCompare(t *testing.T) {
	file := compattest.WriteRecording(t, "reads.jsonl", compattest.Exchange("a", "GET", "/wp-json/", `{"a":1}`), compattest.Exchange("b", "GET", "/wp-json/b", `{"a":1}`))
	server := compattest.ReplayServer(t, []string{file}, nil, func(x *recording.Exchange, r *recording.Response) {
		if x.ID == "b" {
			r.Body = `{"a":2}`
		}
	})
	var stdout, stderr bytes.Buffer
	code := RunCompare(context.Background(), replay.Options{Target: server.URL, Recordings: []string{file}, Verbose: true}, report.Files{}, &stdout, &stderr)
	for _, want := range []string{"same      a GET /wp-json/\n", "different b GET /wp-json/b: body $.a: recorded 1, got 2\n", "2 compared, 1 same, 1 different", "1 differ in body", "p99"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("stdout lacks %q:\n%s", want, stdout.String())
		}
	}
	if code != replay.ExitFailed || stderr.Len() > 0 {
		t.Errorf("exit %d, stderr %q", code, stderr.String())
	}
	stdout.Reset()
	if code := RunCompare(context.Background(), replay.Options{Target: "http://127.0.0.1:1", Recordings: []string{file}}, report.Files{}, &stdout, &stderr); code != replay.ExitUnreachable || stdout.Len() > 0 {
		t.Errorf("exit %d, stdout %q", code, stdout.String())
	}
	if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "cannot be reached (connect: connection refused)") {
		t.Errorf("stderr %q", got)
	}
}

func TestRunProfileBuild(t *testing.T) {
	file := compattest.WriteRecording(t, "reads.jsonl", compattest.Exchange("x", "GET", "/wp-json/tribe/events/v1/shows/1", `{"code":"shut","message":"Shut.","data":null}`), compattest.Exchange("x", "GET", "/wp-json/tribe/events/v1/shows/2", `{"code":"shut","message":"Closed.","data":null}`))
	out := filepath.Join(t.TempDir(), "p.json")
	var stdout, stderr bytes.Buffer
	if code := RunProfileBuild(profile.Options{Recordings: []string{file}}, out, &stdout, &stderr); code != replay.ExitSame {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	if !strings.Contains(stdout.String(), "1 error messages") || !strings.Contains(stderr.String(), "warning: default: 2 different texts for errors shut") {
		t.Errorf("stdout %q, stderr %q", stdout.String(), stderr.String())
	}
	if data, err := os.ReadFile(out); err != nil || !bytes.Contains(data, []byte(`"shut": "Shut."`)) {
		t.Errorf("profile %s, error %v", data, err)
	}
	stdout.Reset()
	if code := RunProfileBuild(profile.Options{Recordings: []string{file}}, "-", &stdout, &stderr); code != replay.ExitSame || !strings.HasPrefix(stdout.String(), "{\n  \"format\": \""+profile.Format) {
		t.Errorf("exit %d, stdout %q", code, stdout.String())
	}
	for name, code := range map[string]int{
		"recordings": RunProfileBuild(profile.Options{Recordings: []string{"/none/*"}}, out, &stdout, &stderr),
		"folder":     RunProfileBuild(profile.Options{Recordings: []string{file}}, filepath.Join(out, "x"), &stdout, &stderr),
	} {
		if code != replay.ExitUsage {
			t.Errorf("%s: exit %d", name, code)
		}
	}
}

func TestRunConvert(t *testing.T) {
	file := compattest.WriteRecording(t, "reads.jsonl", compattest.Exchange("a", "GET", "/wp-json/", `{}`))
	out := filepath.Join(t.TempDir(), "x.har")
	var stdout, stderr bytes.Buffer
	if code := RunConvert(recording.ConvertOptions{Recordings: []string{file}, Format: recording.FormatHAR}, out, &stdout, &stderr); code != replay.ExitSame || !strings.Contains(stdout.String(), "1 exchanges") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
	}
	stdout.Reset()
	if code := RunConvert(recording.ConvertOptions{Recordings: []string{file}, Format: recording.FormatJSONLines}, "-", &stdout, &stderr); code != replay.ExitSame || !strings.HasPrefix(stdout.String(), `{"id":"a"`) || strings.Count(stdout.String(), "\n") != 1 {
		t.Errorf("exit %d, stdout %q", code, stdout.String())
	}
	if code := RunConvert(recording.ConvertOptions{Recordings: []string{file}, Format: "xml"}, out, &stdout, &stderr); code != replay.ExitUsage {
		t.Errorf("exit %d", code)
	}
}

func TestRunRecord(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/tribe/events/v1") {
			_, _ = w.Write([]byte(`{"routes":{"\/tribe\/events\/v1":{"namespace":"tribe\/events\/v1","endpoints":[{"methods":["GET"],"args":{}}]}}}`))
			return
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"code":"none","message":"None."}`))
	}))
	defer site.Close()
	out := filepath.Join(t.TempDir(), "town.jsonl")
	o := record.Options{URL: site.URL, Out: out, Delay: -1, Gap: -1}
	var stdout, stderr bytes.Buffer
	if code := RunRecord(t.Context(), o, &stdout, &stderr); code != replay.ExitSame || !strings.Contains(stdout.String(), " exchanges (0 from before), 0 write cases") || stderr.Len() > 0 {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
	}
	for want, change := range map[int]func(*record.Options){
		replay.ExitUnreachable: func(o *record.Options) { o.URL = "http://127.0.0.1:1" },
		replay.ExitUsage:       func(o *record.Options) { o.Namespace = "none/v1" },
	} {
		o.Out = filepath.Join(t.TempDir(), "x.jsonl")
		wrong := o
		change(&wrong)
		stderr.Reset()
		if code := RunRecord(t.Context(), wrong, &stdout, &stderr); code != want || !strings.HasPrefix(stderr.String(), "calbridge record: ") {
			t.Errorf("exit %d, want %d, stderr %q", code, want, stderr.String())
		}
	}
}
