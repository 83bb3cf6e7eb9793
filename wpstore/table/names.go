package table

import (
	"fmt"
	"regexp"
	"strconv"
)

// Config describes how a site's tables are named.
type Config struct {
	// Prefix is $table_prefix of wp-config.php.
	Prefix string
	// BlogID is the number of a site of a network. 0 or 1 is the main site, whose tables
	// have the plain prefix; the tables of the others are {prefix}{id}_….
	BlogID int64
	// CustomUsers and CustomUserMeta are the constants CUSTOM_USER_TABLE and
	// CUSTOM_USER_META_TABLE, usually empty.
	CustomUsers, CustomUserMeta string
}

// Names holds the physical name of each WordPress table.
type Names struct {
	id   int64             // of this site
	blog string            // prefix of this site
	own  map[string]string // names of tables with another prefix or name
}

// identifier matches a table name that WordPress accepts, up to MySQL's limit.
var identifier = regexp.MustCompile(`^[0-9A-Za-z_]{1,64}$`)

// New returns the names, or an error if the settings don't form valid names.
func New(cfg Config) (Names, error) {
	if cfg.Prefix != "" && !identifier.MatchString(cfg.Prefix) {
		return Names{}, fmt.Errorf("table prefix %q: use only letters, digits and underscores, as in WordPress", cfg.Prefix)
	}
	if cfg.BlogID < 0 {
		return Names{}, fmt.Errorf("blog id %d: use the number of a site, 1 or more", cfg.BlogID)
	}
	n := Names{id: max(1, cfg.BlogID), blog: cfg.Prefix, own: map[string]string{}}
	if cfg.BlogID > 1 {
		n.blog += strconv.FormatInt(cfg.BlogID, 10) + "_"
	}
	for _, shared := range []string{"users", "usermeta", "blogs", "blogmeta", "site", "sitemeta"} {
		n.own[shared] = cfg.Prefix + shared
	}
	for table, custom := range map[string]string{"users": cfg.CustomUsers, "usermeta": cfg.CustomUserMeta} {
		if custom == "" {
			continue
		}
		if !identifier.MatchString(custom) {
			return Names{}, fmt.Errorf("custom table name %q for %s: use only letters, digits and underscores", custom, table)
		}
		n.own[table] = custom
	}
	return n, nil
}

// Plain returns the physical name, unquoted: "posts" is wp_posts, or wp_3_posts on the third
// site of a network.
func (n Names) Plain(table string) string {
	if own, ok := n.own[table]; ok {
		return own
	}
	return n.blog + table
}

// Quoted returns the physical name, quoted: "posts" is `wp_posts`.
func (n Names) Quoted(table string) string { return "`" + n.Plain(table) + "`" }

// Blog returns the number of this site; the main site of a network is 1, and so is a site without
// one.
func (n Names) Blog() int64 { return n.id }

// Prefix returns the prefix of this site's tables. The user meta keys {prefix}capabilities
// and {prefix}user_level have it as well.
func (n Names) Prefix() string { return n.blog }
