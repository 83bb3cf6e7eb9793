package sitedb

import (
	"fmt"
	"strconv"
)

// tableNames knows the physical name of each WordPress table.
type tableNames struct {
	base string // shared by all sites of a network
	blog string // of this site
	own  map[string]string
}

// maxIdentifier is the longest table name a MySQL server takes.
const maxIdentifier = 64

func newTableNames(cfg Config) (tableNames, error) {
	if !isIdentifier(cfg.TablePrefix) && cfg.TablePrefix != "" {
		return tableNames{}, fmt.Errorf("table prefix %q: only letters, digits and underscores are possible, as in WordPress", cfg.TablePrefix)
	}
	if cfg.BlogID < 0 {
		return tableNames{}, fmt.Errorf("blog id %d: the number of a site is 1 or more", cfg.BlogID)
	}
	n := tableNames{base: cfg.TablePrefix, blog: cfg.TablePrefix, own: map[string]string{}}
	if cfg.BlogID > 1 {
		n.blog += strconv.FormatInt(cfg.BlogID, 10) + "_"
	}
	for _, shared := range []string{"users", "usermeta", "blogs", "blogmeta", "site", "sitemeta"} {
		n.own[shared] = n.base + shared
	}
	for table, custom := range map[string]string{"users": cfg.CustomUserTable, "usermeta": cfg.CustomUserMetaTable} {
		if custom == "" {
			continue
		}
		if !isIdentifier(custom) {
			return tableNames{}, fmt.Errorf("custom table name %q for %s: only letters, digits and underscores are possible", custom, table)
		}
		n.own[table] = custom
	}
	return n, nil
}

// plain is the physical name, unquoted.
func (n tableNames) plain(table string) string {
	if own, ok := n.own[table]; ok {
		return own
	}
	return n.blog + table
}

// table gives the quoted physical name of a WordPress table: "posts" is
// `wp_posts`, or `wp_3_posts` on the third site of a network.
func (db *DB) table(name string) string { return "`" + db.names.plain(name) + "`" }

// Table gives the physical name of a WordPress table, unquoted, for messages.
func (db *DB) Table(name string) string { return db.names.plain(name) }

// blogPrefix is the prefix of this site's tables; the user meta keys
// {prefix}capabilities and {prefix}user_level carry it as well.
func (db *DB) blogPrefix() string { return db.names.blog }

func isIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return s != "" && len(s) <= maxIdentifier
}
