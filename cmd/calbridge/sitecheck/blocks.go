package sitecheck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/api"
	"calbridge/rest/sitefacts"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/blocks"
	"calbridge/rest/wptext/shortcode"
	"calbridge/wpstore"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
)

// mostTexts bounds the texts that Blocks reads, the newest ones.
const mostTexts = 5000

// PluginBlocks returns the blocks of plugins by the settings and the facts, which may be nil.
func PluginBlocks(s *settings.Settings, d *sitefacts.Document) wptext.PluginBlocks {
	dynamic, complete := registered(d, sitefacts.Blocks)
	return wptext.PluginBlocks{Static: s.Rollout.StaticBlocks, Dynamic: dynamic, Complete: complete}
}

// Shortcodes returns the shortcodes of plugins by the settings and the facts, which may be nil.
func Shortcodes(s *settings.Settings, d *sitefacts.Document) shortcode.Foreign {
	names, complete := registered(d, sitefacts.Shortcodes)
	return shortcode.Foreign{Names: slices.Concat(s.Rollout.Shortcodes, names), Complete: complete}
}

// registered returns a fact that lists what is registered. complete is false if no source reports it.
func registered(d *sitefacts.Document, name sitefacts.Name) (names []string, complete bool) {
	if d == nil {
		return nil, false
	}
	return d.Texts(name), d.From(name) != ""
}

// Blocks names the blocks in published texts that calbridge can't render: those that WordPress or
// a plugin renders from data that is not in the text. profile may be nil.
func Blocks(ctx context.Context, store *sitedb.DB, profile *api.Profile, plugins wptext.PluginBlocks) check.Report {
	const name = "site.blocks"
	known := api.NewWording(profile, "", nil).Blocks()
	posts := map[string][]int64{} // by block
	texts := 0
	err := store.Session(nil).Posts.BlockTexts(ctx, []string{wpstore.EventType, wpstore.VenueType, wpstore.OrganizerType}, mostTexts, func(id int64, content string) {
		texts++
		for _, block := range blocks.Unrendered(content, known, &plugins) {
			posts[block] = append(posts[block], id)
		}
	})
	switch {
	case err != nil:
		return check.Report{Warning(name, err.Error(), "")}
	case texts == 0:
		return nil
	case len(posts) == 0:
		return check.Report{Success(name, fmt.Sprintf("all blocks in %s are rendered", Counted(texts, "text")))}
	}
	var found []string
	for _, block := range slices.Sorted(maps.Keys(posts)) {
		found = append(found, fmt.Sprintf("%s (in %s, such as %d)", block, Counted(len(posts[block]), "text"), posts[block][0]))
	}
	return check.Report{Warning(name, "not rendered: "+strings.Join(found, ", "),
		"Texts show what is stored of these blocks. Set --mode auto and --upstream, so that WordPress answers where they occur; --static-blocks names blocks that show nothing else.")}
}
