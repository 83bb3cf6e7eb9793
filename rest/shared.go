package rest

import (
	"slices"
	"sync"
)

// shared keeps what only depends on the settings and on a site's languages, so
// that reading the site's options anew does not make it again.
type shared struct {
	cfg *Config

	mu      sync.Mutex
	words   map[string]*wording
	offered []string // that the router was made for
	router  *router
}

func newShared(cfg *Config) *shared { return &shared{cfg: cfg, words: map[string]*wording{}} }

// routerFor returns the routes with the languages that the parameter accepts.
func (k *shared) routerFor(offered []string) *router {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.router == nil || !slices.Equal(k.offered, offered) {
		k.router, k.offered = newRouter(newRoutes(languageArg(k.cfg, offered))), offered
	}
	return k.router
}

// wordings returns the wording of each language of a site, and under "" that of
// the site: the one of its default language.
func (k *shared) wordings(wpLang string, l *languages) map[string]*wording {
	k.mu.Lock()
	defer k.mu.Unlock()
	words := map[string]*wording{}
	for _, code := range slices.Concat([]string{""}, l.Codes(), l.offered) {
		language := firstNonEmpty(code, l.Default, wpLang, "en")
		if k.words[language] == nil {
			k.words[language] = newWording(k.cfg.Profile, language)
		}
		words[code] = k.words[language]
	}
	return words
}
