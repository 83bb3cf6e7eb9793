package changefeed

import "testing"

func TestParseDML(t *testing.T) {
	for statement, want := range map[string]dml{
		"INSERT INTO `wp_options` (`a`) VALUES ('x')":           {table: "wp_options"},
		"insert ignore into wp_posts values (1)":                {table: "wp_posts"},
		"REPLACE INTO site.wp_terms SET a = 1":                  {schema: "site", table: "wp_terms"},
		"INSERT wp_posts SELECT * FROM x":                       {table: "wp_posts"},
		"UPDATE LOW_PRIORITY `a b`.`c``d` SET x = 1":            {schema: "a b", table: "c`d"},
		"DELETE FROM wp_postmeta WHERE meta_id = 1":             {table: "wp_postmeta"},
		"DELETE FROM `wp_postmeta`":                             {table: "wp_postmeta"},
		" \n UPDATE\twp_posts\nSET post_title = 'UPDATE x SET'": {table: "wp_posts"},
		"DELETE QUICK FROM wp_posts ORDER BY ID LIMIT 1":        {table: "wp_posts"},
		"UPDATE wp_posts, wp_terms SET a = 1":                   {},
		"UPDATE wp_posts p JOIN wp_terms t SET a = 1":           {},
		"UPDATE wp_posts AS p SET a = 1":                        {},
		"DELETE wp_posts FROM wp_posts JOIN x":                  {},
		"DELETE FROM wp_posts USING wp_posts JOIN x":            {},
		"DELETE FROM a, b USING a JOIN b":                       {},
		"/* x */ UPDATE wp_posts SET a = 1":                     {},
		"CREATE TABLE a (id int)":                               {},
		"WITH x AS (SELECT 1) DELETE FROM wp_posts":             {},
		"CALL f()": {},
		"LOAD DATA INFILE 'x' INTO TABLE wp_posts": {},
	} {
		got, ok := parseDML(statement)
		if got != want || ok != (want != dml{}) {
			t.Errorf("%s: %+v, %v", statement, got, ok)
		}
	}
}

func TestOptionOf(t *testing.T) {
	for statement, want := range map[string]string{
		"UPDATE `wp_options` SET `option_value` = 'a:0:{}' WHERE `option_name` = 'cron'":                                            "cron",
		"DELETE FROM `wp_options` WHERE `option_name` = '_transient_x-1'":                                                           "_transient_x-1",
		"UPDATE `wp_options` SET `option_name` = 'home' WHERE `option_name` = 'cron'":                                               "",
		"UPDATE `wp_options` SET `option_value` = 'x' WHERE `option_name` = 'cron' OR 1":                                            "",
		"UPDATE `wp_options` SET `option_value` = \"x WHERE `option_name` = 'cron'\"":                                               "",
		"UPDATE `wp_options` SET `option_value` = 'x'":                                                                              "",
		"UPDATE `wp_options` SET `option_value` = 'x' WHERE `option_name` = 'a' OR `option_name` = 'cron'":                          "",
		"UPDATE `wp_options` SET `option_value` = 'WHERE `option_name` = \\'cron\\'' WHERE `option_name` LIKE 'cron'":               "",
		"INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('_transient_x', 'it\\'s ''a'' (b), ', 'off')": "_transient_x",
		"INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('home', '', 'on') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`)": "home",
		"INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('a', 'b', 'on'), ('home', 'b', 'on')":                                                                                                                      "",
		"INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('a', 'b\\', 'on'), ('home', 'b', 'on')":                                                                                                                    "",
		"INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('a', (SELECT 1), 'on')":                                                                                                                                    "",
		"INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('ä', 'b', 'on')":                                                                                                                                           "",
		"INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('a', 'b', 'on') ON DUPLICATE KEY UPDATE `option_name` = 'home'":                                                                                            "",
	} {
		if got, ok := optionOf(statement); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", statement, got, ok)
		}
	}
}
