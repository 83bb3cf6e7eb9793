package content

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"calbridge/rest/phpjson"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/media"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
	"calbridge/testdata"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sqlite"
	"calbridge/wpstore/wptest"
)

// storedSite is what a recorded site has in its database.
type storedSite struct {
	content, excerpt, thumbnail map[int64]string
	protected                   map[int64]bool
	res                         *wptext.Resources
}

func loadStoredSite(t *testing.T, name string) (storedSite, wptest.Database) {
	d := wptest.SiteCopy(t, "sqlite", name)
	connector, err := sqlite.NewConnector(strings.TrimPrefix(d.DSN, "sqlite:"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	s := storedSite{
		protected: map[int64]bool{},
		content:   map[int64]string{}, excerpt: map[int64]string{}, thumbnail: map[int64]string{},
		res: &wptext.Resources{Attachments: map[int64]*wptext.Attachment{}, Children: map[int64][]*wptext.Attachment{}, Embeds: map[string]string{}},
	}
	posts, err := db.Query("SELECT ID, post_content, post_excerpt, post_type, post_name, post_status, post_parent, post_mime_type, guid, post_password FROM " + d.TablePrefix + "posts")
	if err != nil {
		t.Fatal(err)
	}
	defer posts.Close()
	for posts.Next() {
		var a wptext.Attachment
		var content, kind, password string
		if err := posts.Scan(&a.ID, &content, &a.Caption, &kind, &a.Name, &a.Status, &a.Parent, &a.MIMEType, &a.GUID, &password); err != nil {
			t.Fatal(err)
		}
		s.content[a.ID], s.excerpt[a.ID] = content, a.Caption
		s.protected[a.ID] = password != ""
		switch kind {
		case "attachment":
			s.res.Attachments[a.ID] = &a
			if a.IsImage() {
				s.res.Children[a.Parent] = append(s.res.Children[a.Parent], &a)
			}
		case "oembed_cache":
			s.res.Embeds[a.Name] = content
		}
	}
	metas, err := db.Query("SELECT post_id, meta_key, meta_value FROM " + d.TablePrefix + "postmeta ORDER BY meta_id DESC")
	if err != nil {
		t.Fatal(err)
	}
	defer metas.Close()
	for metas.Next() {
		var id int64
		var key, value string
		if err := metas.Scan(&id, &key, &value); err != nil {
			t.Fatal(err)
		}
		a := s.res.Attachments[id]
		switch {
		case key == "_thumbnail_id":
			s.thumbnail[id] = value
		case a == nil:
		case key == "_wp_attached_file":
			a.File = value
		case key == "_wp_attachment_image_alt":
			a.Alt = value
		case key == "_wp_attachment_metadata":
			a.Metadata = phpserial.Maybe(value)
		}
	}
	return s, d
}

// TestRecordedAnswers renders the texts and pictures in the recorded answers of
// the reference again.
func TestRecordedAnswers(t *testing.T) {
	var profile struct{ HTML map[string]string }
	texttest.ReadJSON(t, &profile, "vectors", "profile-blocks.json")
	for _, name := range []string{"mono", "poly", "wpml"} {
		t.Run(name, func(t *testing.T) {
			stored, d := loadStoredSite(t, name)
			site := sitetest.Site(d.Home)
			site.ProfileBlocks = profile.HTML
			checks := recordedChecks{t: t, stored: stored, site: site, failed: map[string]bool{}}
			for _, group := range []string{"events-list", "events-single", "venues", "organizers", "auth"} {
				recording, err := os.ReadFile(testdata.Shared(t, "recordings", name, "reads-"+group+".jsonl.gz"))
				if err != nil {
					t.Fatal(err)
				}
				zipped, err := gzip.NewReader(bytes.NewReader(recording))
				if err != nil {
					t.Fatal(err)
				}
				lines := bufio.NewScanner(zipped)
				lines.Buffer(nil, 1<<24)
				for lines.Scan() {
					var exchange struct{ Response struct{ Body string } }
					if err := json.Unmarshal(lines.Bytes(), &exchange); err != nil {
						t.Fatal(err)
					}
					body, err := phpjson.Decode([]byte(exchange.Response.Body))
					if err != nil {
						continue
					}
					checks.req = &wptext.RequestState{}
					checks.walk(body)
				}
			}
			t.Logf("%d descriptions, %d excerpts, %d pictures, %d descriptions in JSON-LD; %d texts differ",
				checks.descriptions, checks.excerpts, checks.images, checks.ld, len(checks.failed))
		})
	}
}

type recordedChecks struct {
	t      *testing.T
	stored storedSite
	site   *wptext.Site
	req    *wptext.RequestState
	failed map[string]bool

	descriptions, excerpts, images, ld int
}

func (c *recordedChecks) same(what string, id int64, got, want string) {
	if got != want && !c.failed[want] {
		c.failed[want] = true
		c.t.Errorf("%s of %d\n from %q\n got  %q\n want %q", what, id, c.stored.content[id], got, want)
	}
}

// walk looks for posts in an answer. The reference renders what is linked with an
// event before the event itself.
func (c *recordedChecks) walk(v php.Value) {
	object, ok := v.(*php.Array)
	if !ok {
		return
	}
	for _, inner := range object.All() {
		c.walk(inner)
	}
	id, isID := object.At("id").(int64)
	_, isPost := object.At("global_id").(string)
	protected := c.stored.protected[id] // shown or not depending on the reader
	if isID && isPost && !protected {
		c.post(id, object)
	}
}

func (c *recordedChecks) post(id int64, object *php.Array) {
	text, known := c.stored.content[id]
	if !known {
		return
	}
	if want, ok := object.At("description").(string); ok {
		c.descriptions++
		c.same("description", id, Render(text, c.site, c.stored.res, c.req), want)
	}
	if want, ok := object.At("excerpt").(string); ok {
		c.excerpts++
		c.same("excerpt", id, Excerpt(c.stored.excerpt[id], c.site, c.stored.res, c.req), want)
	}
	if want, ok := object.Lookup("image"); ok {
		c.images++
		thumbnail := c.stored.thumbnail[id]
		got := media.ImageObject(php.ToInt(thumbnail), c.stored.res.Attachments[php.ToInt(thumbnail)], c.site.UploadsURL)
		c.same("image", id, string(phpjson.Append(nil, got)), string(phpjson.Append(nil, want)))
	}
	if ld, ok := object.At("json_ld").(*php.Array); ok {
		c.ld++
		want := php.ToString(ld.At("description"))
		c.same("json_ld", id, LDDescription(c.stored.excerpt[id], text, usualMore, c.site, c.stored.res, &wptext.RequestState{}), want)
	}
}
