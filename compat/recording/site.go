package recording

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
)

// Site is the description of a recorded site: the JSON file beside its dump.
// Members that compat does not need are ignored.
type Site struct {
	Name string `json:"site"`
	// Home is the site's home URL. Its host goes into the Host header and its
	// scheme into X-Forwarded-Proto of every replayed request.
	Home  string              `json:"home"`
	Users map[string]SiteUser `json:"users"`
	Clock SiteClock           `json:"clock"`
}

// SiteUser is an account of a recorded site; its values are test values.
type SiteUser struct {
	ID                  int64  `json:"id"`
	Role                string `json:"role"`
	ApplicationPassword string `json:"application_password"`
}

// SiteClock is the instant at which the site was recorded, in Unix seconds. The
// target has to be given this clock by whoever starts it.
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
