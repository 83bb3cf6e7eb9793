package rowedit

import (
	"context"
	"crypto/rand"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Rows that are locked for what has no row of its own. Every site has them, and nothing
// but a page of settings changes them.
const (
	termsLock  = "siteurl"
	groupsLock = "home"
)

// nameLocks are the options whose rows are locked for the slugs of posts. Where a site
// lacks one, its slugs have the lock of the terms.
var nameLocks = [64]string{
	"avatar_default", "avatar_rating", "blog_charset", "blog_public", "category_base",
	"close_comments_days_old", "close_comments_for_old_posts", "comment_max_links",
	"comment_moderation", "comment_order", "comment_previously_approved", "comment_registration",
	"comments_notify", "comments_per_page", "date_format", "default_category",
	"default_comment_status", "default_comments_page", "default_email_category",
	"default_link_category", "default_ping_status", "default_pingback_flag",
	"default_post_format", "default_role", "disallowed_keys", "hack_file", "html_type",
	"image_default_align", "image_default_link_type", "image_default_size", "initial_db_version",
	"large_size_h", "large_size_w", "link_manager_enabled", "links_updated_date_format",
	"mailserver_login", "mailserver_pass", "mailserver_port", "mailserver_url",
	"medium_large_size_h", "medium_large_size_w", "medium_size_h", "medium_size_w",
	"moderation_keys", "moderation_notify", "page_comments", "ping_sites", "posts_per_rss",
	"require_name_email", "rss_use_excerpt", "show_avatars", "start_of_week", "tag_base",
	"thread_comments", "thread_comments_depth", "thumbnail_crop", "thumbnail_size_h",
	"thumbnail_size_w", "time_format", "upload_url_path", "uploads_use_yearmonth_folders",
	"use_balanceTags", "use_smilies", "users_can_register",
}

// LockOptions returns the options whose rows are locked; a site lacks some of them at most.
func LockOptions() []string { return append(nameLocks[:], termsLock, groupsLock) }

// lockOf returns the number of the lock of a name. Slugs that are equal under the collation have
// the same.
func lockOf(n wpstore.PostName) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(n.Type + "\x00" + strings.ToLower(n.Slug)))
	return int(h.Sum32() % uint32(len(nameLocks)))
}

// Locks are those of a transaction, which hold until it ends.
type Locks struct {
	run     *sqlconn.Runner
	options string // the quoted name of the table
	cluster bool
	held    map[string]bool // the options whose rows are locked
}

// NewLocks returns the locks of a transaction on a site's tables. cluster: other nodes that
// are written too don't see the locks of this one.
func NewLocks(run *sqlconn.Runner, tables table.Names, cluster bool) *Locks {
	return &Locks{run: run, options: tables.Quoted("options"), cluster: cluster, held: map[string]bool{}}
}

// Names locks names, taken or not, until the transaction ends: no other transaction
// gives them to a post meanwhile, and what is read afterwards has the names that others
// have given before. Names that are locked together are never in a deadlock.
func (l *Locks) Names(ctx context.Context, names ...wpstore.PostName) error {
	var numbers []int
	for _, n := range names {
		numbers = append(numbers, lockOf(n))
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		if err := l.option(ctx, "names.lock", nameLocks[n]); err != nil {
			return err
		}
	}
	return nil
}

// Terms locks the names, slugs and parents of all terms, and the groups of their
// translations, until the transaction ends.
func (l *Locks) Terms(ctx context.Context) error {
	return l.option(ctx, "terms.lock", termsLock)
}

// Groups locks the numbers of WPML's groups of translations until the transaction
// ends.
func (l *Locks) Groups(ctx context.Context) error {
	return l.option(ctx, "wpml.lock", groupsLock)
}

// across locks a name on all nodes of a cluster. They see none of each other's locks,
// but of two transactions that change the same row one fails, at COMMIT at the latest, and
// runs again. So this adds a row of its own and deletes it: what a transaction has touched
// counts, whether anything is left of it or not.
func (l *Locks) across(ctx context.Context, name string) error {
	if !l.cluster {
		return nil
	}
	name = "calbridge_lock_" + name
	// A row of this name is left over from an earlier version.
	add := sq.Insert(l.options).Columns("option_name", "option_value", "autoload").Values(name, rand.Text(), "no").
		Suffix(l.run.Dialect().Upsert("option_name", []string{"option_value"}))
	if err := sqlconn.Lock(ctx, l.run, "cluster.lock", add); err != nil {
		return err
	}
	return sqlconn.Lock(ctx, l.run, "cluster.lock", sq.Delete(l.options).Where(sq.Eq{"option_name": name}))
}

// posts locks posts on all nodes of a cluster.
func (l *Locks) posts(ctx context.Context, ids []int64) error {
	if !l.cluster {
		return nil
	}
	var numbers []int64
	for _, id := range ids {
		numbers = append(numbers, id%int64(len(nameLocks)))
	}
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		if err := l.across(ctx, "post_"+strconv.FormatInt(n, 10)); err != nil {
			return err
		}
	}
	return nil
}

// option locks the row of an option: on this node first, where others then wait instead of
// failing. It is sent with the next statement.
func (l *Locks) option(ctx context.Context, name, option string) error {
	if l.run.Dialect().Embedded() || l.held[option] { // the transaction of an embedded engine has locked everything
		return nil
	}
	l.held[option] = true
	lock, err := l.run.Templates().Shaped(name, "", []any{option, termsLock}, func() sq.Sqlizer {
		row := sq.Select("option_name").From(l.options).Where(sq.Eq{"option_name": option})
		return sq.Select("option_id").From(l.options).Where(sq.Expr("option_name = COALESCE((?), ?)", row, termsLock)).Suffix(l.run.Dialect().ForUpdate())
	})
	if err != nil {
		return err
	}
	if err := sqlconn.Lock(ctx, l.run, name, lock); err != nil {
		return err
	}
	return l.across(ctx, option)
}
