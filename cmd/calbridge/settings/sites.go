package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/rest/purge"
)

// Sites configures a process that serves several sites.
type Sites struct {
	File    string // the sites; "" for one site
	Network bool   // all sites of the WordPress network that the database has
	Loaded  int    // the most sites that are in memory at a time
	Metrics int    // the number of sites with series of their own
}

// Several reports whether several sites are served.
func (s *Sites) Several() bool { return s.File != "" || s.Network }

func sitesRows(s *Sites) table {
	const g = GroupSites
	return table{
		{name: "sites", arg: "FILE", group: g, help: "serve several sites: each begins with a line [NAME] and the line `address = https://host/folder/`, and the settings that follow hold for this site alone; all others hold for all sites",
			set: into(&s.File, text), restart: ifToggled},
		{name: "network", group: g, def: "false", help: "serve all sites of a WordPress network (multisite), which are found in its own tables; sites that appear, move, are archived or deleted are followed",
			set: into(&s.Network, boolean), restart: ifChanged},
		{name: "sites-loaded", arg: "N", def: "100", group: g, help: "how many sites may be in memory at a time; the one that has had no request for the longest time makes room for the next one",
			set: into(&s.Loaded, number(1, 100_000))},
		{name: "metrics-sites", arg: "N", def: "0", group: g, help: "how many sites have metrics of their own, under the label site; all others are added up under the site \"other\"",
			set: into(&s.Metrics, number(0, 10_000)), restart: ifChanged},
	}
}

// ofProcess reports whether a setting is one of the process, which no site can have for itself.
func (s *setting) ofProcess() bool {
	return s.group == GroupListening || s.group == GroupLog || s.group == GroupSites || slices.Contains([]string{"config", "clock", "state-dir", "webhooks"}, s.name)
}

// NamedSite is a site of a sites file.
type NamedSite struct {
	Name    string
	Address *url.URL
	*Settings
}

// At returns the address without its scheme, as a request names it: escaped, and in lower case.
func (n NamedSite) At() string { return strings.ToLower(n.Address.Host + n.Address.EscapedPath()) }

// siteName matches the names of sites, which are names of folders too.
var siteName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// ReadSites reads the sites of the file that --sites names. The settings in a site's section win over
// all other sources, and the others are those that Read returns for the command. Its errors are of the
// type cmdline.SettingError.
func ReadSites(p *cmdline.Process, c Command, file string) ([]NamedSite, error) {
	sites, err := readSites(p, c, file)
	if err != nil {
		return nil, cmdline.SettingError{Err: err}
	}
	return sites, nil
}

func readSites(p *cmdline.Process, c Command, file string) ([]NamedSite, error) {
	all := new(Settings).table()
	sections, err := readSections(given{file, "--sites"}, all, all)
	if err != nil {
		return nil, err
	}
	if len(sections) == 0 {
		return nil, settingError{file, errors.New("no site: each site begins with a line [NAME]")}
	}
	var sites []NamedSite
	for _, section := range sections {
		site, err := readSite(p, c, section, all)
		if err != nil {
			return nil, err
		}
		if at := slices.IndexFunc(sites, func(n NamedSite) bool { return n.At() == site.At() }); at >= 0 {
			return nil, settingError{section.where, fmt.Errorf("the site %s has the same address as %s", site.Name, sites[at].Name)}
		}
		sites = append(sites, site)
	}
	return sites, nil
}

func readSite(p *cmdline.Process, c Command, section section, all table) (NamedSite, error) {
	n := NamedSite{Name: section.name}
	var err error
	if n.Address, err = siteAddress(section.address.value); err != nil {
		return n, settingError{section.where, fmt.Errorf("the site %s: address: %w", n.Name, err)}
	}
	for name, value := range section.values {
		if all.lookup(name).ofProcess() {
			return n, settingError{value.where, fmt.Errorf("%s holds for the whole process, not for one site", name)}
		}
	}
	c.own, c.ownDefines = section.values, section.defined
	if n.Settings, err = Read(p, c); err != nil {
		return n, fmt.Errorf("the site %s: %w", n.Name, err)
	}
	n.Settings.asOneOf(n.Name)
	for name, size := range n.Settings.Cache.shared() {
		if _, own := section.values[name]; !own {
			*size = n.Settings.Sites.part(*size)
		}
	}
	return n, nil
}

// siteAddress parses the address of a site.
func siteAddress(text string) (*url.URL, error) {
	if text == "" {
		return nil, errors.New("missing; write a line such as address = https://example.org/folder/")
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q is not an address such as https://example.org/folder/", text)
	}
	u.Host, u.Path, u.RawPath = strings.ToLower(u.Host), strings.TrimSuffix(u.Path, "/")+"/", ""
	for _, port := range []string{":80", ":443"} { // which requests may leave out
		u.Host = strings.TrimSuffix(u.Host, port)
	}
	return u, nil
}

// Blog returns the settings of a site of the network. It shares everything but the number of the site
// and its part of the state folder.
func (s *Settings) Blog(id int64) *Settings {
	blog := *s
	blog.Database.BlogID = id
	blog.Origin.given = maps.Clone(s.Origin.given)
	blog.Origin.given["blog-id"] = given{strconv.FormatInt(id, 10), "the network"}
	blog.asOneOf(strconv.FormatInt(id, 10))
	for _, size := range blog.Cache.shared() {
		*size = s.Sites.part(*size)
	}
	return &blog
}

// asOneOf makes the settings those of one of several sites: it has a part of the state folder, and leaves
// webhooks to the process.
func (s *Settings) asOneOf(name string) {
	s.API.Webhooks = ""
	if s.StateDir != "" {
		s.StateDir = filepath.Join(s.StateDir, "sites", name)
	}
}

// part returns the part that each of several sites has of a size that holds for all together.
func (s *Sites) part(size int64) int64 {
	if size <= 0 {
		return size
	}
	return max(size/int64(s.Loaded), leastCache)
}

// leastCache is the smallest part, in bytes.
const leastCache = 256 << 10

// shared returns the sizes that several sites share, by the names of their settings.
func (c *Cache) shared() map[string]*int64 {
	return map[string]*int64{"cache-size": &c.Size, "search-index-size": &c.Searches}
}

// contents returns a text that changes with the contents of the files that a site is opened with.
func (s *Settings) contents() string {
	names := []string{s.API.Profile, s.Rollout.Compare.Rules, s.Cache.Purge}
	if file, err := purge.Load(s.Cache.Purge); err == nil { // otherwise the reload reports the error
		for _, target := range file.Targets {
			names = append(names, target.TokenFile)
		}
	}
	sum := sha256.New()
	for _, name := range names {
		text, err := os.ReadFile(name)
		fmt.Fprintf(sum, "%q %q %t\n", name, text, err == nil)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Fingerprint returns a text that changes with any value, and with the contents of the files that the settings
// name, as they were when the settings were read.
func (s *Settings) Fingerprint() string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s.Origin.given)) {
		fmt.Fprintf(sum, "%q %q\n", name, s.Origin.given[name].value)
	}
	if db := s.Database.Address.MySQL; db != nil { // wp-config.php has more than a text
		fmt.Fprintf(sum, "%q\n", db.FormatDSN())
	}
	fmt.Fprintf(sum, "%q\n", s.Origin.contents)
	return hex.EncodeToString(sum.Sum(nil))
}
