package rowedit

import (
	"context"
	"hash/fnv"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn"
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

// LockOptions are the options whose rows are locked; a site lacks some of them at most.
func LockOptions() []string { return append(nameLocks[:], termsLock, groupsLock) }

// Name is what a post must not share with others of its type: its slug, for attachments
// also the URL of the file.
type Name struct{ Type, Slug string }

// lock is the number of the lock of a name. Slugs that are equal under the collation have
// the same.
func (n Name) lock() int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(n.Type + "\x00" + strings.ToLower(n.Slug)))
	return int(h.Sum32() % uint32(len(nameLocks)))
}

// LockNames locks names, taken or not, until the transaction ends: no other transaction
// gives them to a post meanwhile, and what is read afterwards has the names that others
// have given before. Names that are locked together are never in a deadlock.
func (r *Rows) LockNames(ctx context.Context, names ...Name) error {
	var numbers []int
	for _, n := range names {
		numbers = append(numbers, n.lock())
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		if err := r.lockOption(ctx, "names.lock", nameLocks[n]); err != nil {
			return err
		}
	}
	return nil
}

// LockTerms locks the names, slugs and parents of all terms, and the groups of their
// translations, until the transaction ends.
func (r *Rows) LockTerms(ctx context.Context) error {
	return r.lockOption(ctx, "terms.lock", termsLock)
}

// LockGroups locks the numbers of WPML's groups of translations until the transaction
// ends.
func (r *Rows) LockGroups(ctx context.Context) error {
	return r.lockOption(ctx, "wpml.lock", groupsLock)
}

// lockOption locks the row of an option. It is sent with the next statement.
func (r *Rows) lockOption(ctx context.Context, name, option string) error {
	if r.Dialect().Embedded() || r.held[option] { // the transaction of an embedded engine has locked everything
		return nil
	}
	if r.held == nil {
		r.held = map[string]bool{}
	}
	r.held[option] = true
	row := sq.Select("option_name").From(r.Table("options")).Where(sq.Eq{"option_name": option})
	lock := sq.Select("option_id").From(r.Table("options")).Where(sq.Expr("option_name = COALESCE((?), ?)", row, termsLock))
	return sqlconn.Lock(ctx, r.Runner, name, lock.Suffix(r.Dialect().ForUpdate()))
}
