package systemtest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/tribev1/openapi/contract"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// TestOpenAPIOfRecordings checks our responses to all recorded reads and writes of the sites
// against each site's OpenAPI document.
func TestOpenAPIOfRecordings(t *testing.T) {
	t.Parallel()
	shared := testdata.Shared(t)
	for _, place := range []struct {
		site   string
		compat api.Compat
	}{{"mono", api.Safe}, {"poly", api.Safe}, {"wpml", api.Safe}, {"wpml", api.Fixed}} {
		t.Run(place.site+"/"+string(place.compat), func(t *testing.T) {
			t.Parallel()
			site := place.site
			db := wptest.SiteCopy(t, replayEngines()[0], site)
			store := openStore(t, db)
			profile := buildProfile(t, shared, site)
			url := serveStore(t, store, site, db.Now, profile, func(c *rest.Config) { c.Compat, c.Extensions = place.compat, true })
			checking, checked := checkedBy(t, url)
			readChecked(t, checking, shared, site, filepath.Join(shared, "recordings", site, "reads-*.jsonl.gz"))
			reads := checked.Load()
			client := newWriteClient(t, shared, site, checking)
			snapshot := takeSnapshot(t, db, notCompared...)
			err := client.cases(func(c *recording.Case) error {
				for i := range c.Steps {
					if _, err := client.ask(t.Context(), c.Exchange(i)); err != nil {
						return err
					}
				}
				snapshot.Restore(t)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			writes := checked.Load() - reads
			t.Logf("%d responses to reads and %d to writes", reads, writes)
			if reads < 500 || writes < 50 {
				t.Error("too few were checked")
			}
		})
	}
}

// TestOpenAPIOfVariants checks that the document depends on what is installed, such as old
// calendars and Event Tickets, in the same way as the responses.
func TestOpenAPIOfVariants(t *testing.T) {
	oneAtATime(t)
	t.Parallel()
	shared := testdata.Shared(t)
	for _, v := range wptest.Variants(t) {
		if !slices.Contains([]string{"tec-6.0.13", "tec-6.8.3", "tickets-plain", "tickets-rsvp-commerce", "tickets-commerce-eur"}, v.Label) {
			continue
		}
		t.Run(v.Label, func(t *testing.T) {
			db := wptest.VariantCopy(t, &v)
			checking, checked := checkedBy(t, serveVariant(t, &v, db, "--compat", "safe", "--extensions"))
			readChecked(t, checking, shared, "mono", filepath.Join(shared, "recordings", "variants", v.Label+".jsonl.gz"))
			if checked.Load() < 30 {
				t.Errorf("only %d responses were checked", checked.Load())
			}
		})
	}
}

// readChecked sends the requests of recordings.
func readChecked(t *testing.T, target, shared, site, recordings string) {
	t.Helper()
	_, err := replay.Compare(t.Context(), replay.Options{Target: target, Recordings: []string{recordings}, Site: filepath.Join(shared, "sites", site+".json"), Out: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
}

// checkedBy passes requests on to a server. It counts the responses and checks them against
// the server's document.
func checkedBy(t *testing.T, target string) (address string, checked *atomic.Int64) {
	t.Helper()
	_, document := fetch(t, target+"/wp-json/"+recording.DefaultNamespace+"/openapi.json", "X-Forwarded-Proto", "https")
	c, err := contract.New([]byte(document))
	if err != nil {
		t.Fatalf("%v: %.300s", err, document)
	}
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	checked = &atomic.Int64{}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.URL.RawQuery = to.Scheme, to.Host, r.In.URL.RawQuery
			r.Out.Host, r.Out.Header = r.In.Host, r.In.Header // includes X-Forwarded-Proto
		},
		ModifyResponse: func(res *http.Response) error {
			body, err := io.ReadAll(res.Body)
			if err != nil {
				return err
			}
			res.Body = io.NopCloser(bytes.NewReader(body))
			x, ok := contract.FromHTTP(recording.DefaultNamespace, res.Request, res, body)
			switch {
			case !ok:
				return nil
			case c.Find(x.Method, x.Path) == "":
				if x.Status < 300 {
					t.Errorf("%s %s is not described", x.Method, res.Request.URL)
				}
				return nil
			}
			checked.Add(1)
			if err := c.Check(x); err != nil {
				t.Errorf("%s %s: %v", res.Request.Method, res.Request.URL, err)
			}
			return nil
		},
	}
	srv := httptest.NewServer(proxy)
	t.Cleanup(srv.Close)
	return srv.URL, checked
}

// TestOpenAPITools checks that common tools accept the document: swagger-parser validates it,
// Redocly finds no error, ajv compiles each schema, and TypeScript compiles a program with the
// types that openapi-typescript generates.
func TestOpenAPITools(t *testing.T) {
	needModules(t, "CALBRIDGE_REQUIRE_OPENAPI", "@apidevtools/swagger-parser", "@redocly/cli/package.json", "ajv/dist/2020", "openapi-typescript", "typescript")
	t.Parallel()
	for path, args := range map[string][]string{"/openapi.json": {"demo", "--extensions", "--compat", "safe"}, "/doc": {"demo", "--compat", "fixed"}} {
		t.Run(args[len(args)-1], func(t *testing.T) {
			res, document := fetch(t, start(t, nil, args...).api+"/wp-json/calendar/events/v1"+path)
			if res.StatusCode != http.StatusOK {
				t.Fatalf("%d %.200s", res.StatusCode, document)
			}
			file := filepath.Join(t.TempDir(), "openapi.json")
			if err := os.WriteFile(file, []byte(document), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "node", "testdata/openapi/tools.js", file)
			cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
