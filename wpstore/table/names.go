package table

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Config describes how a site's tables are named.
type Config struct {
	// Prefix is $table_prefix of wp-config.php.
	Prefix string
	// BlogID is the number of a site of a network. 0 or 1 is the main site, whose tables
	// have the plain prefix; the tables of the others are {prefix}{id}_….
	BlogID int64
	// Network reports that the database belongs to a network. A site with a number above 1 does anyway.
	Network bool
	// CustomUsers and CustomUserMeta are the constants CUSTOM_USER_TABLE and
	// CUSTOM_USER_META_TABLE, usually empty.
	CustomUsers, CustomUserMeta string
}

// Names holds the physical name of each WordPress table.
type Names struct {
	id      int64             // of this site
	blog    string            // prefix of this site
	base    string            // prefix of the main site
	network bool              // there may be other sites
	own     map[string]string // names of tables with another prefix or name
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
	n := Names{id: max(1, cfg.BlogID), blog: cfg.Prefix, base: cfg.Prefix, network: cfg.Network || cfg.BlogID > 1, own: map[string]string{}}
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

// Network reports whether the site belongs to a network.
func (n Names) Network() bool { return n.network }

// Prefix returns the prefix of this site's tables. The user meta keys {prefix}capabilities
// and {prefix}user_level have it as well.
func (n Names) Prefix() string { return n.blog }

// numbered matches what follows the prefix of the main site in the names of another site's tables.
var numbered = regexp.MustCompile(`^([1-9][0-9]*)_(.+)$`)

// Short returns the name of a physical table without the prefix of the site or, for tables that all sites
// of a network may share, without that of the main site. foreign reports whether the table belongs to
// another site of the network: tables with the prefix and a number belong to the site with this number.
// Some servers lower the names of tables.
func (n Names) Short(physical string) (name string, foreign bool) {
	rest, ok := trimPrefix(physical, n.base)
	if !ok {
		return physical, false
	}
	if !n.network {
		return rest, false
	}
	if m := numbered.FindStringSubmatch(rest); m != nil && m[1] != "1" {
		return m[2], m[1] != strconv.FormatInt(n.id, 10)
	}
	return rest, n.id != 1 && ofEachSite(strings.ToLower(rest))
}

// ofEachSite reports whether WordPress has a table for each site of a network.
func ofEachSite(name string) bool {
	return slices.Contains([]string{"posts", "postmeta", "terms", "termmeta", "term_taxonomy", "term_relationships", "comments", "commentmeta", "links", "options"}, name)
}

// trimPrefix returns s without a prefix, whose case doesn't matter.
func trimPrefix(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
