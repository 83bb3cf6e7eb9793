package recording

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// Site is the description of a recorded site: the JSON file next to its dump. Members
// that compat does not need are ignored.
type Site struct {
	Name string `json:"site"`
	// Home is the site's home URL. Its host goes into the Host header and its
	// scheme into X-Forwarded-Proto of every replayed request.
	Home  string              `json:"home"`
	Users map[string]SiteUser `json:"users"`
	Clock SiteClock           `json:"clock"`
	// Sites are those of a network; nil for a single site.
	Sites []NetworkSite `json:"sites"`
}

// NetworkSite is one site of a recorded network.
type NetworkSite struct {
	Domain   string `json:"domain"`
	Path     string `json:"path"` // with slashes at both ends
	Archived int    `json:"archived"`
	Spam     int    `json:"spam"`
	Deleted  int    `json:"deleted"` // 2 for a site that was never activated
}

// ClosedAt returns why WordPress answers a request with 410: "archived", which marked as spam is too,
// "deleted" or "inactive"; "" if the request isn't for a closed site of a network.
func (s *Site) ClosedAt(r Request) string {
	if s == nil {
		return ""
	}
	for _, site := range s.Sites {
		path := strings.ToLower(strings.TrimLeft(r.Path, "/"))
		if site.Path == "/" || !strings.EqualFold(r.Host, site.Domain) || !strings.HasPrefix(path, strings.ToLower(site.Path[1:])) {
			continue
		}
		switch {
		case site.Deleted == 2:
			return "inactive"
		case site.Deleted != 0:
			return "deleted"
		case site.Archived+site.Spam != 0:
			return "archived"
		}
	}
	return ""
}

// SiteUser is an account of a recorded site; its values are test values.
type SiteUser struct {
	ID                  int64  `json:"id"`
	Role                string `json:"role"`
	ApplicationPassword string `json:"application_password"`
}

// SiteClock is the instant at which the site was recorded, in Unix seconds. Start the
// target with this clock.
type SiteClock struct {
	Epoch int64 `json:"epoch"`
}

// LoadSite reads a site file.
func LoadSite(file string) (*Site, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("site file cannot be read: %w", err)
	}
	site := new(Site)
	if err := json.Unmarshal(data, site); err != nil {
		return nil, fmt.Errorf("site file %s is not as expected: %w", file, err)
	}
	if _, err := site.HomeURL(); err != nil {
		return nil, fmt.Errorf("site file %s: %w", file, err)
	}
	return site, nil
}

// HomeURL returns the parsed and checked home URL.
func (s *Site) HomeURL() (*url.URL, error) {
	home, err := url.Parse(s.Home)
	if err != nil {
		return nil, fmt.Errorf("bad home URL: %w", err)
	}
	if home.Host == "" || (home.Scheme != "http" && home.Scheme != "https") {
		return nil, fmt.Errorf("home %q is not an http or https URL", s.Home)
	}
	return home, nil
}

// LoadLogins reads a password file: lines of login:application password, "#"
// starting a comment line.
func LoadLogins(file string) (map[string]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("password file cannot be read: %w", err)
	}
	logins := map[string]string{}
	for number, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		login, password, found := strings.Cut(line, ":")
		if !found || login == "" || password == "" {
			return nil, fmt.Errorf("%s:%d: expected login:application password", file, number+1)
		}
		logins[login] = strings.TrimSpace(password)
	}
	return logins, nil
}

// Authorization returns the Authorization header that a login's requests were
// recorded with: HTTP Basic with the application password.
func (s *Site) Authorization(login string) (string, error) {
	if s == nil {
		return "", errors.New("logins need their application passwords, from a site file (--site) or a password file")
	}
	user, known := s.Users[login]
	if !known || user.ApplicationPassword == "" {
		return "", fmt.Errorf("the site file has no application password of %q", login)
	}
	return BasicAuthorization(login, user.ApplicationPassword), nil
}

// BasicAuthorization returns the Authorization header of HTTP Basic.
func BasicAuthorization(login, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(login+":"+password))
}
