package webhook

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"calbridge/rest/strictjson"
)

// Kinds of changes.
const (
	Created = "event.created"
	Updated = "event.updated"
	Deleted = "event.deleted"
)

// Kinds returns all kinds of changes.
func Kinds() []string { return []string{Created, Updated, Deleted} }

// Format is the form of a body.
type Format string

// The formats.
const (
	// Changes is {"type", "timestamp", "data"}, as Standard Webhooks recommends. Data is an item of
	// events/changes.
	Changes Format = "changes"
	// CloudEvents is the structured mode of CloudEvents 1.0.
	CloudEvents Format = "cloudevents"
)

// Target is a system that is told of changes.
type Target struct {
	// Name identifies the target in the state folder and in commands.
	Name string `json:"name"`
	URL  string `json:"url"`
	// SecretFile has the secret of the signatures, "whsec_" and Base64 of 24 to 64 bytes.
	SecretFile string `json:"secret_file"`
	// Kinds are those that the target wants; all if there are none.
	Kinds []string `json:"kinds,omitempty"`
	// Filters is the query of the list of events, such as "categories=music&language_code=en".
	Filters string `json:"filters,omitempty"`
	Format  Format `json:"format,omitempty"` // Changes if empty
	// Sites are the names of the sites whose changes the target wants; all if there are none. They are for
	// a process that serves several sites.
	Sites []string `json:"sites,omitempty"`
	// Private permits addresses of private networks and of this machine.
	Private bool `json:"private,omitempty"`

	secret []byte
}

// Bounds of the file.
const (
	maxFile    = 4 << 20
	maxTargets = 10_000
	minSecret  = 24
	maxSecret  = 64
)

var targetName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// Load reads the file that lists the targets, {"targets": [TARGET, …]}, and their secrets.
func Load(name string) ([]Target, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, err
	}
	targets, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range targets {
		t := &targets[i]
		text, err := os.ReadFile(t.SecretFile)
		if err == nil {
			t.secret, err = parseSecret(string(text))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: target %q: secret_file: %w", name, t.Name, err)
		}
	}
	return targets, nil
}

// Parse parses the file without reading secrets.
func Parse(data []byte) ([]Target, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("it has more than %d bytes", maxFile)
	}
	var list struct {
		Targets []Target `json:"targets"`
	}
	if err := strictjson.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	if len(list.Targets) > maxTargets {
		return nil, fmt.Errorf("it has more than %d targets", maxTargets)
	}
	names := map[string]bool{}
	for i := range list.Targets {
		t := &list.Targets[i]
		if t.Format == "" {
			t.Format = Changes
		}
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("target %d (%.64q): %w", i+1, t.Name, err)
		}
		if names[t.Name] {
			return nil, fmt.Errorf("two targets are called %q", t.Name)
		}
		names[t.Name] = true
	}
	return list.Targets, nil
}

// check returns an error if a target can't be used.
func (t *Target) check() error {
	u, err := url.Parse(t.URL)
	switch {
	case !targetName.MatchString(t.Name):
		return errors.New("name has 1 to 64 lower-case letters, digits and ._-, and begins with a letter or digit")
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.Fragment != "":
		return errors.New("url is not an HTTP address")
	case u.User != nil:
		return errors.New("url has a user: receivers check the signature instead")
	case t.SecretFile == "":
		return errors.New("secret_file is missing")
	case t.Format != Changes && t.Format != CloudEvents:
		return fmt.Errorf("format is %s or %s", Changes, CloudEvents)
	}
	for _, kind := range t.Kinds {
		if !slices.Contains(Kinds(), kind) {
			return fmt.Errorf("kinds are %s; %.64q is none", strings.Join(Kinds(), ", "), kind)
		}
	}
	filters, err := url.ParseQuery(t.Filters)
	if err != nil {
		return errors.New("filters is not a query such as categories=music&featured=true")
	}
	for _, name := range []string{"page", "per_page", "page_token", "sync_token", "password", "_fields"} {
		if filters.Has(name) {
			return fmt.Errorf("filters must not have %s", name)
		}
	}
	return nil
}

// wants reports whether a target is told of a kind of change.
func (t *Target) wants(kind string) bool {
	return len(t.Kinds) == 0 || slices.Contains(t.Kinds, kind)
}

// wantsSite reports whether a target is told of changes of a site.
func (t *Target) wantsSite(name string) bool {
	return len(t.Sites) == 0 || slices.Contains(t.Sites, name)
}

// parseSecret parses a secret as Standard Webhooks writes it.
func parseSecret(text string) ([]byte, error) {
	encoded, found := strings.CutPrefix(strings.TrimSpace(text), "whsec_")
	secret, err := base64.StdEncoding.DecodeString(encoded)
	if !found || err != nil || len(secret) < minSecret || len(secret) > maxSecret {
		return nil, fmt.Errorf("it must have whsec_ and Base64 of %d to %d bytes; `echo whsec_$(head -c 32 /dev/urandom | base64)` makes one", minSecret, maxSecret)
	}
	return secret, nil
}
