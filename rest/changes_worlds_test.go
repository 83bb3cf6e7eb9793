package rest

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/api"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
)

// TestHiddenChangesDoNotShow: what a client can't read shows in no answer about changes, nor
// does its becoming visible tell what it was. Two worlds differ as in
// TestHiddenContentsDoNotShow, posts change in both at the same time, and hidden ones in one
// alone, also between two pages. All answers are the same but for what is in the tokens, and so is
// whether there is another page.
func TestHiddenChangesDoNotShow(t *testing.T) {
	seeds := 6
	if testing.Short() {
		seeds = 3
	}
	seeds = envNumber(t, "CALBRIDGE_CHANGES_WORLDS", seeds)
	total := map[string]int{}
	for seed := range uint64(seeds) {
		if differ := syncBothWorlds(t, seed+1, total); differ != "" {
			t.Fatalf("seed %d: %s", seed+1, differ)
		}
	}
	t.Log(total)
	if total["deleted"] == 0 || total["whole"] == 0 || total["410"] > total["200"]/4 {
		t.Errorf("the answers are %v", total)
	}
}

// journaledWorld is a world whose changes are recorded as its test reports them.
type journaledWorld struct {
	*testSite
	journal *journal.Journal
	posts   []*worldPost
	token   url.Values
	held    bool // put reports nothing; tags has it
	tags    []invalidation.Tag
}

func newJournaledWorld(t *testing.T, posts []*worldPost) *journaledWorld {
	t.Helper()
	w := &journaledWorld{posts: posts, token: url.Values{}}
	w.testSite = world(t, posts, nil, func(cfg *Config) { cfg.Compat, cfg.Extensions = api.Safe, true })
	j, err := journal.Open(journal.Config{
		Dir: t.TempDir(), Of: journal.Identity{Site: "world"}, Site: w.JournalSite(), CatchUp: func(context.Context) error { return nil }, Keep: time.Hour, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	j.Begin(true, nil)
	w.journal, w.cfg.Changes = j, Changes{Journal: j, MaxStreams: 100, MaxStreamsPerClient: 100}
	w.srv.Close()
	w.srv = New(w.DB, w.cfg)
	return w
}

// put replaces a post.
func (w *journaledWorld) put(i int, p *worldPost) {
	for _, statement := range []string{
		"DELETE FROM wp_posts WHERE ID = %d", "DELETE FROM wp_postmeta WHERE post_id = %d", "DELETE FROM wp_tec_occurrences WHERE post_id = %d",
		"DELETE FROM wp_term_relationships WHERE object_id = %d",
	} {
		w.exec(fmt.Sprintf(statement, p.id))
	}
	w.addWorldPost(p)
	w.posts[i] = p
	w.tags = append(w.tags, invalidation.Tag{Kind: invalidation.Post, ID: p.id}, invalidation.Tag{Kind: invalidation.Posts}, invalidation.Tag{Kind: invalidation.Events})
	if !w.held {
		w.report()
	}
}

// report reports what put has changed.
func (w *journaledWorld) report() {
	w.journal.Record(w.tags, false, nil)
	w.tags = nil
}

var tokenText = regexp.MustCompile(`"(page|sync)_token":"([A-Za-z0-9_-]+)"`)

func syncBothWorlds(t *testing.T, seed uint64, total map[string]int) string {
	m := newMaker(seed)
	c := worldClients[int(seed)%len(worldClients)]
	posts := m.posts()
	m.file(posts)
	other := make([]*worldPost, len(posts))
	for i, p := range posts {
		other[i] = m.unlike(p, &c)
	}
	m.file(other)
	worlds := []*journaledWorld{newJournaledWorld(t, posts), newJournaledWorld(t, other)}
	args := url.Values{"per_page": {fmt.Sprint(1 + m.IntN(6))}}
	m.listArgs(&c, api.Events, func(percent int, name string, value any) {
		if m.chance(percent) && name != "page" && name != "per_page" {
			args.Set(name, fmt.Sprint(value))
		}
	})
	for range 25 {
		for complete := false; !complete; {
			var got [2]answer
			var text [2]string
			for i, w := range worlds {
				q := url.Values{}
				for _, from := range []url.Values{args, w.token} {
					for name, values := range from {
						q[name] = values
					}
				}
				got[i] = w.do(ask{target: "events/changes?" + q.Encode(), as: c.login, header: c.header()})
				clear(w.token)
				if found := tokenText.FindStringSubmatch(got[i].body); found != nil {
					w.token.Set(found[1]+"_token", found[2])
				}
				complete = !strings.Contains(got[i].body, `"page_token"`)
				text[i] = tokenText.ReplaceAllStringFunc(got[i].body, func(token string) string { return fmt.Sprint(token[:6], "token of ", len(token)) })
			}
			total[fmt.Sprint(got[0].status)]++
			total["deleted"] += strings.Count(text[0], `"deleted":true`)
			total["whole"] += strings.Count(text[0], `"global_id":`)
			if got[0].status != got[1].status || text[0] != text[1] {
				return fmt.Sprintf("%s, %s:\n%d %d\n%s", &c, args.Encode(), got[0].status, got[1].status, cmp.Diff(strings.Split(text[0], ","), strings.Split(text[1], ",")))
			}
			if !cmp.Equal(got[0].header, got[1].header) {
				return cmp.Diff(got[0].header, got[1].header)
			}
			if got[0].status >= 500 {
				return fmt.Sprintf("%d %s", got[0].status, got[0].body)
			}
			if got[0].status == 400 {
				return ""
			}
			if m.chance(20) { // also between two pages
				m.changeHidden(worlds, &c, total)
			}
		}
		if m.chance(30) {
			m.changeHidden(worlds, &c, total)
			continue
		}
		for range 1 + m.IntN(4) {
			m.changeWorlds(worlds, &c)
		}
	}
	return ""
}

// mustNotKnow reports whether a change of the post alone, whatever shows it, must not be noticed
// by the client: events behind a password aside, which no list has.
func (c *client) mustNotKnow(p *worldPost) bool {
	return !c.reads(p) || p.kind != wpstore.EventType && p.kind != wpstore.AttachmentType && p.password != ""
}

// changeWorlds changes a post in both worlds, or a hidden one in one of them.
func (m maker) changeWorlds(worlds []*journaledWorld, c *client) {
	i := m.IntN(len(worlds[0].posts))
	p := *worlds[0].posts[i]
	if c.mustNotKnow(&p) && m.chance(50) {
		one := m.IntN(2)
		worlds[one].put(i, m.unlike(worlds[one].posts[i], c))
		return
	}
	switch m.IntN(4) {
	case 0:
		if p.kind == wpstore.EventType || p.kind == wpstore.VenueType {
			p.status = oneOf(m, "publish", "draft", "private", "pending", "trash")
		}
	case 1:
		if p.kind != wpstore.AttachmentType { // as posts makes them: a picture shows where it is linked
			p.password = oneOf(m, "", "sesame", "tulip")
		}
	case 2:
		p.title = m.words(2)
	default:
		p.meta = slices.Clone(p.meta)
		p.start = p.start.Add(time.Duration(m.IntN(100*24)-50*24) * time.Hour)
	}
	worlds[0].put(i, &p)
	worlds[1].put(i, m.unlike(&p, c))
}
