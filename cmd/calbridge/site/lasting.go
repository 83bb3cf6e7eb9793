package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/journal"
)

// journalOf returns what the journal of a site belongs to. The name of the site covers the settings
// and the facts that determine the events that clients hold. It doesn't cover the build: that is
// how events are shown.
func journalOf(s *settings.Settings, p Parts, build buildinfo.Build) journal.Identity {
	posts := ""
	if p.Store != nil {
		posts = p.Store.Table("posts")
	}
	text, err := lasting(struct {
		Home         string
		API          settings.API
		Site         settings.Site
		TablePrefix  string
		BlogID       int64
		Posts        string
		StaticBlocks []string
		Facts        *sitefacts.Document
	}{p.Home, s.API, s.Site, s.Database.TablePrefix, s.Database.BlogID, posts, s.Rollout.StaticBlocks, p.Facts})
	if err != nil { // the name then differs at each start
		text = []byte(time.Now().String())
	}
	sum := sha256.Sum256(text)
	return journal.Identity{Site: hex.EncodeToString(sum[:]), Shows: showsAs(build)}
}

// showsAs names how a build shows events: as its version, or, between versions, as its revision.
func showsAs(build buildinfo.Build) string {
	if strings.HasSuffix(build.Version, "-dev") {
		return build.Version + " " + build.Revision
	}
	return build.Version
}

// lasting returns the JSON of a value without what is zero or empty, with sorted keys. So a field
// that a later version adds changes nothing where nobody uses it.
func lasting(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var plain any
	if err := in.Decode(&plain); err != nil {
		return nil, err
	}
	pruned, _ := prune(plain)
	return json.Marshal(pruned)
}

// prune removes the members of objects that are zero or empty. It returns false if nothing is left
// of a value.
func prune(v any) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if left, ok := prune(member); ok {
				v[name] = left
			} else {
				delete(v, name)
			}
		}
		return v, len(v) > 0
	case []any: // the places of its elements count
		for i := range v {
			v[i], _ = prune(v[i])
		}
		return v, len(v) > 0
	case json.Number:
		return v, v != "0"
	case string:
		return v, v != ""
	case bool:
		return v, v
	}
	return v, v != nil
}
