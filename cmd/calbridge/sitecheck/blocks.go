package sitecheck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/wptext/blocks"
	"calbridge/wpstore"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
)

// mostTexts bounds the texts that Blocks reads, the newest ones.
const mostTexts = 5000

// Blocks names the blocks in published texts that calbridge can't render: those that WordPress or
// a plugin renders from data that is not in the text. profile may be nil.
func Blocks(ctx context.Context, store *sitedb.DB, profile *api.Profile, static []string) check.Report {
	const name = "site.blocks"
	known := api.NewWording(profile, "", nil).Blocks()
	posts := map[string][]int64{} // by block
	texts := 0
	err := store.Session(nil).Posts.BlockTexts(ctx, []string{wpstore.EventType, wpstore.VenueType, wpstore.OrganizerType}, mostTexts, func(id int64, content string) {
		texts++
		for _, block := range blocks.Unrendered(content, known, static) {
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
