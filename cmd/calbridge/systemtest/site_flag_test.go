package systemtest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// TestTrialOfOne tries one site of a network, and one of a file.
func TestTrialOfOne(t *testing.T) {
	oneAtATime(t)
	t.Parallel()
	t.Run("network", func(t *testing.T) {
		t.Parallel()
		n := readNetwork(t)
		db := wptest.SiteCopy(t, "sqlite", "network")
		exact := start(t, nil, "serve", "--network", "--wp-config", n.config(t), "--dsn", db.DSN, "--namespace", recording.DefaultNamespace, "--compat", "exact",
			"--profile", buildProfileFile(t, testdata.Shared(t), "network", "mono/*.jsonl.gz"), "--read-only", "--record-password-use=false")
		calendar := asWordPress(t, exact.api, nil)
		wordpress := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch folder := strings.TrimPrefix(r.URL.Path, "/divadlo"); {
			case folder == "/" && r.URL.Query().Get("rest_route") == "/" || folder == "/wp-json/" || folder == "/wp-json":
				w.Header().Set("Content-Type", "application/json; charset=UTF-8")
				fmt.Fprintf(w, `{"name":"Divadlo","home":"https://%s/divadlo","timezone_string":"Europe/Prague","namespaces":["oembed/1.0","%s"]}`, r.Host, recording.DefaultNamespace)
			case folder == "/" && r.URL.RawQuery == "":
				io.WriteString(w, "<html></html>")
			default:
				calendar.ServeHTTP(w, r)
			}
		}))
		t.Cleanup(wordpress.Close)
		dir := filepath.Join(t.TempDir(), "trial")
		args := []string{"trial", "--network", "--wp-config", n.config(t), "--dsn", db.DSN, "--delay", "1ms", "--dir", dir, "--url", wordpress.URL + "/divadlo"}
		for name, c := range map[string]struct {
			more []string
			want string
		}{
			"missing": {nil, "trial: --site is missing: it names one of several sites; they are 1 (sit.example/), 2 (sit.example/divadlo/)"},
			"wrong":   {[]string{"--site", "999"}, `trial: --site: no site has the name, host or path "999"; the sites are 1 (sit.example/), 2 (`},
		} {
			t.Run(name, func(t *testing.T) {
				if code, _, stderr := once(t, nil, append(args, c.more...)...); code != cmdline.Usage || !strings.Contains(stderr, c.want) {
					t.Errorf("exit %d, %s", code, stderr)
				}
			})
		}
		_, stdout, stderr := once(t, nil, append(args, "--site", "/divadlo/")...)
		for _, want := range []string{"Site        " + wordpress.URL + "/divadlo (", "Site 2 of a network; run this once for each site, with --site.", "Identical   ", "Next        calbridge serve --network --wp-config ", "Report: " + dir + "/report.html"} {
			if !strings.Contains(stdout, want) {
				t.Errorf("no %q in\n%s%s", want, stdout, stderr)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "report.html")); err != nil {
			t.Error(err)
		}
	})
	t.Run("file", func(t *testing.T) {
		t.Parallel()
		dsn := "sqlite:" + plainSample(t, false)
		wordpress := standIn(t, dsn, inBody(`"all_day":`, `"plugin_field":1,"all_day":`))
		dir := t.TempDir()
		file, trial := filepath.Join(dir, "sites.conf"), filepath.Join(dir, "trial")
		writeFile(t, dir, "sites.conf", "[town]\naddress = https://town.example/\ndsn = "+dsn+"\nmode = auto\nmode-share = 50\nupstream = http://127.0.0.1:1\n"+
			"[other]\naddress = https://other.example/\ndsn = "+dsn+"\n")
		code, stdout, stderr := once(t, nil, "trial", "--sites", file, "--site", "town.example", "--url", wordpress.URL, "--dir", trial, "--delay", "1ms")
		if code != cmdline.Failed {
			t.Errorf("exit %d", code)
		}
		for _, want := range []string{
			"Site town of " + file + "; run this once for each site, with --site.", "with --mode auto: calbridge answers",
			"Next        calbridge serve --sites " + file + "\n            with these lines below [town] in " + file + ":\n            namespace = tribe/events/v1\n",
			"            profile = " + trial + "/profile.json\n            mode = auto\n            upstream = " + wordpress.URL + "\n", "            then calbridge proof warm --url " + wordpress.URL + " --namespace tribe/events/v1 --site town\n",
		} {
			if !strings.Contains(stdout, want) {
				t.Errorf("no %q in\n%s%s", want, stdout, stderr)
			}
		}
	})
	t.Run("one site", func(t *testing.T) {
		t.Parallel()
		if code, _, stderr := once(t, nil, "trial", "--dsn", "sqlite:"+sampleFile(t), "--site", "2"); code != cmdline.Usage || !strings.Contains(stderr, "--site names one of several sites: set --network or --sites too") {
			t.Errorf("exit %d, %s", code, stderr)
		}
	})
}

// TestDefinePerSite checks that a site's section defines constants for this site alone, and that they win over
// those of the process.
func TestDefinePerSite(t *testing.T) {
	t.Parallel()
	dsn := "sqlite:" + namedSample(t, "https://database.example")
	file := configFile(t, "[a]\naddress = https://a.example/\ndefine = WP_HOME=https://own.example\n[b]\naddress = https://b.example/\ndefine = UPLOADS=files\n[c]\naddress = https://c.example/\n")
	for name, c := range map[string]struct {
		args []string
		want map[string]string
	}{
		"sections alone":  {nil, map[string]string{"a": "own", "b": "database", "c": "database"}},
		"and the process": {[]string{"--define", "WP_HOME=https://process.example"}, map[string]string{"a": "own", "b": "process", "c": "process"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := start(t, nil, append([]string{"serve", "--sites", file, "--dsn", dsn}, c.args...)...)
			for site, want := range c.want {
				_, body := asNetwork(t, server, "https://"+site+".example"+eventsPath)
				if !strings.Contains(string(body), `"url":"https:\/\/`+want+`.example\/event`) {
					t.Errorf("%s: no %s in %.300s", site, want, body)
				}
				if has := strings.Contains(string(body), `\/files\/`); has != (site == "b") {
					t.Errorf("%s has uploads in files: %t", site, has)
				}
			}
		})
	}
}

// TestProofOfOne checks that proof names one of several sites, and lists them if the name is missing or wrong.
func TestProofOfOne(t *testing.T) {
	t.Parallel()
	file := "sqlite:" + sampleFile(t)
	conf := configFile(t, "[town]\naddress = https://town.example/\n[lake]\naddress = https://lake.example/folder/\n[broken]\naddress = https://broken.example/\ndsn = sqlite:none.db\n")
	several := start(t, nil, "serve", "--sites", conf, "--dsn", file)
	one := start(t, nil, "serve", "--dsn", file)
	for name, c := range map[string]struct {
		server *started
		args   []string
		code   int
		want   string
	}{
		"missing":          {several, nil, cmdline.Usage, "proof: --site is missing: it names one of several sites; they are town (town.example/), lake (lake.example/folder/), broken (broken.example/)"},
		"wrong":            {several, []string{"--site", "sea"}, cmdline.Usage, `proof: --site: no site has the name, host or path "sea"; the sites are town (`},
		"native":           {several, []string{"--site", "folder"}, cmdline.Failed, "nothing is compared with WordPress"},
		"broken":           {several, []string{"--site", "broken.example"}, cmdline.Failed, "the site broken can't be served: "},
		"one site":         {one, []string{"--site", "town"}, cmdline.Usage, "this process serves one site, https://"},
		"one without name": {one, nil, cmdline.Failed, "nothing is compared with WordPress"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, stderr := once(t, nil, append([]string{"proof", "--ops-listen", strings.TrimPrefix(c.server.ops, "http://")}, c.args...)...)
			if code != c.code || !strings.Contains(stderr, c.want) {
				t.Errorf("exit %d, want %d: %s", code, c.code, stderr)
			}
		})
	}
}
