package sites

import (
	"context"
	"strings"
	"sync/atomic"

	"calbridge/cmd/calbridge/settings"
)

// Listed is the Source of a file of sites.
type Listed struct {
	read func(*settings.Settings) ([]settings.NamedSite, error)
	now  atomic.Pointer[listing]
}

// listing holds the sites of a file, and by address.
type listing struct {
	all   []*Site
	at    map[string]*Site
	depth int
	moved chan struct{}
}

// NewListed returns the Source of the sites that read returns for the settings of the process.
func NewListed(s *settings.Settings, read func(*settings.Settings) ([]settings.NamedSite, error)) (*Listed, error) {
	l := &Listed{read: read}
	return l, l.load(s)
}

func (l *Listed) load(s *settings.Settings) error {
	sites, err := l.read(s)
	if err != nil {
		return err
	}
	next := &listing{at: map[string]*Site{}, moved: make(chan struct{})}
	for _, s := range sites {
		site := &Site{Name: s.Name, Address: s.At(), URL: strings.TrimSuffix(s.Address.String(), "/"), Public: true, Settings: s.Settings}
		next.all = append(next.all, site)
		next.at[site.Address] = site
		next.depth = max(next.depth, depthOf(site.Address))
	}
	if last := l.now.Swap(next); last != nil {
		close(last.moved)
	}
	return nil
}

// Find implements Source.
func (l *Listed) Find(host, path string) Match {
	now := l.now.Load()
	for _, address := range candidates(hostOf(host), path, now.depth) {
		if site := now.at[address]; site != nil {
			return Match{Site: site}
		}
	}
	return Match{}
}

// All implements Source.
func (l *Listed) All() []*Site { return l.now.Load().all }

// Renew implements Source.
func (l *Listed) Renew(_ context.Context, s *settings.Settings) error { return l.load(s) }

// Moved implements Source.
func (l *Listed) Moved() <-chan struct{} { return l.now.Load().moved }

// Close implements Source.
func (l *Listed) Close() error { return nil }
