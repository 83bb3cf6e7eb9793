package changefeed_test

import (
	"strings"
	"testing"
)

// TestOtherStatements: statements that alter, swap or drop tables, or commit what was
// prepared before, invalidate everything, in whatever database the session is.
func TestOtherStatements(t *testing.T) {
	f := follow(t, nil)
	here := "`" + f.Servers.Feed().Config().DBName + "`."
	f.exec("CREATE DATABASE elsewhere")
	f.exec("CREATE TABLE elsewhere.wp_posts (id int PRIMARY KEY, v int)")
	insert := "INSERT INTO HEREwp_postmeta (post_id, meta_key) VALUES (11, 'a')"
	for _, test := range []struct {
		run  []string
		want string
	}{
		{[]string{"XA START 'a'", insert, "XA END 'a'", "XA PREPARE 'a'"}, " post11 posts events"},
		{[]string{"XA COMMIT 'a'"}, "everything"}, // which makes the row readable
		{[]string{"XA START 'b'", insert, "XA END 'b'", "XA PREPARE 'b'", "XA ROLLBACK 'b'"}, " post11 posts events"},
		{[]string{"XA START 'c'", insert, "XA END 'c'", "XA COMMIT 'c' ONE PHASE"}, " post11 posts events"},
		{[]string{"BEGIN", insert, "SAVEPOINT s", "DELETE FROM HEREwp_usermeta", "ROLLBACK TO s", "COMMIT"}, " post11 posts events"},
		{[]string{"ALTER TABLE wp_posts ADD w int", "INSERT INTO wp_posts VALUES (1, 2, 3)", "DROP TABLE wp_posts"}, "everything"}, // by its name, to be safe
		{[]string{"CREATE TABLE other (id int)", "INSERT INTO other VALUES (1)", "ALTER TABLE other ADD x int", "TRUNCATE other", "RENAME TABLE other TO another", "DROP TABLE another"}, ""},
		{[]string{"ALTER TABLE HEREwp_postmeta MODIFY meta_key varchar(255) FIRST"}, "everything"},
		{[]string{insert}, " post11 posts events"},
		{[]string{"CREATE INDEX x ON HEREwp_postmeta (post_id)"}, "everything"},
		{[]string{"RENAME TABLE HEREwp_postmeta TO HEREaside, HEREaside TO HEREwp_postmeta"}, "everything"},
		{[]string{"CREATE TABLE HEREwp_new LIKE HEREwp_postmeta", "INSERT INTO HEREwp_new (post_id) VALUES (12)", "DROP TABLE HEREwp_postmeta", "RENAME TABLE HEREwp_new TO HEREwp_postmeta"}, "everything"},
		{[]string{insert}, " post11 posts events"},
		{[]string{"TRUNCATE HEREwp_postmeta"}, "everything"},
		{[]string{"DROP TABLE IF EXISTS HEREwp_termmeta"}, "everything"},
		{[]string{"CREATE TABLE HEREwp_termmeta (term_id int)"}, "everything"},
		{[]string{"INSERT INTO HEREwp_termmeta VALUES (5)"}, " term5 terms"},
		{[]string{"DROP DATABASE " + strings.TrimSuffix(here, ".")}, "everything"},
	} {
		statements := []string{"USE elsewhere"}
		for _, statement := range test.run {
			statements = append(statements, strings.ReplaceAll(statement, "HERE", here))
		}
		if got := tagText(f.changes(statements...)); got != test.want {
			t.Errorf("%q:\n got %s\nwant %s", test.run, got, test.want)
		}
	}
}

// TestStatementsOfOptions: with binlog_format=STATEMENT a change of an option is one of that
// option, or of all options, and no more.
func TestStatementsOfOptions(t *testing.T) {
	f := follow(t, nil)
	f.exec("CREATE TABLE log (id int AUTO_INCREMENT PRIMARY KEY, v double)")
	add := "INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('NAME', 'it\\'s', 'off') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`)"
	for statement, want := range map[string]string{
		strings.ReplaceAll(add, "NAME", "_transient_x"):                                        "",
		strings.ReplaceAll(add, "NAME", "home"):                                                " site",
		"INSERT INTO wp_options (option_name, option_value) VALUES ('a', ''), ('siteurl', '')": " site",
		"DELETE FROM wp_options WHERE option_name LIKE '\\_transient\\_%'":                     " site",
		"INSERT INTO log (v) VALUES (RAND())":                                                  "",
		"INSERT INTO log (v) VALUES (@x)":                                                      "",
		"INSERT INTO wp_usermeta (user_id) VALUES (1)":                                         "everything",
	} {
		if got := tagText(f.changes("SET binlog_format = STATEMENT", "SET @x = 1", statement, "SET binlog_format = ROW")); got != want {
			t.Errorf("%s:\n got %s\nwant %s", statement, got, want)
		}
	}
}
