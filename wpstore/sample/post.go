package sample

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// sqlTime is how WordPress stores dates.
const sqlTime = "2006-01-02 15:04:05"

// post is a row of the table of posts with what most rows have in common left out.
type post struct {
	kind, language, title, content, excerpt string
	status, password, mime                  string
	author                                  int64
	order, parent                           int64
	published                               time.Time
}

// addPost files a post and returns its id.
func (l *loader) addPost(p post) int64 {
	l.posts++
	if p.status == "" {
		p.status = "publish"
	}
	if p.author == 0 {
		p.author = 1
	}
	slug := l.slug(p.kind+" "+p.language, p.title)
	written := p.published
	date, gmt := written.In(l.zone).Format(sqlTime), written.UTC().Format(sqlTime)
	created := gmt
	if p.status == "draft" || p.status == "pending" {
		slug, created = "", "0000-00-00 00:00:00" // both are decided on publication
	}
	l.table("posts", "ID", "post_author", "post_date", "post_date_gmt", "post_content", "post_title", "post_excerpt", "post_status",
		"comment_status", "ping_status", "post_password", "post_name", "to_ping", "pinged", "post_modified", "post_modified_gmt",
		"post_content_filtered", "post_parent", "guid", "menu_order", "post_type", "post_mime_type").add(
		l.posts, p.author, date, created, p.content, p.title, p.excerpt, p.status,
		"closed", "closed", p.password, slug, "", "", date, gmt,
		"", p.parent, l.options.Home+"/?post_type="+p.kind+"&p="+strconv.FormatInt(l.posts, 10), p.order, p.kind, p.mime)
	return l.posts
}

func (l *loader) addMeta(postID int64, key, value string) {
	l.table("postmeta", "post_id", "meta_key", "meta_value").add(postID, key, value)
}

// slug makes a name for URLs, unlike all others so far of its scope, which is a
// kind of posts in one language.
func (l *loader) slug(scope, title string) string {
	base := slugOf(title)
	slug := base
	for n := 2; l.slugs[scope+"/"+slug]; n++ {
		slug = base + "-" + strconv.Itoa(n)
	}
	l.slugs[scope+"/"+slug] = true
	return slug
}

func slugOf(title string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(title)) {
		switch {
		case r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}
