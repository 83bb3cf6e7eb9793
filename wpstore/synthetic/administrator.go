package synthetic

import (
	"context"
	"database/sql"
	"fmt"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// AddAdministrator adds a user with id 1 and all rights on events to a generated calendar.
// passwords are the user's application passwords as WordPress stores them.
func AddAdministrator(ctx context.Context, db *sql.DB, prefix, login, passwords string) error {
	may := php.Pairs("read", true, "upload_files", true, "unfiltered_html", true, "manage_categories", true)
	for _, plural := range []string{"posts", "tribe_events", "tribe_venues", "tribe_organizers"} {
		for _, verb := range []string{"edit_", "edit_others_", "edit_published_", "edit_private_", "publish_", "read_private_",
			"delete_", "delete_others_", "delete_published_", "delete_private_"} {
			may.SetString(verb+plural, true)
		}
	}
	statements := []struct {
		text string
		args []any
	}{
		{"INSERT INTO `" + prefix + "users` (ID, user_login, user_nicename, user_pass, user_email, display_name) VALUES (1, ?, ?, '!', ?, ?)",
			[]any{login, login, login + "@generated.example", login}},
		{"INSERT INTO `" + prefix + "usermeta` (user_id, meta_key, meta_value) VALUES (1, ?, ?), (1, '_application_passwords', ?)",
			[]any{prefix + "capabilities", phpserial.Serialize(may), passwords}},
		{"INSERT INTO `" + prefix + "options` (option_name, option_value) VALUES ('using_application_passwords', '1')", nil},
	}
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, s.text, s.args...); err != nil {
			return fmt.Errorf("add an administrator: %w", err)
		}
	}
	return nil
}

// Analyze updates the index statistics of a MariaDB or MySQL server, which would otherwise
// take the server some seconds.
func Analyze(ctx context.Context, db *sql.DB, prefix string) error {
	for _, table := range []string{"posts", "postmeta", "tec_events", "tec_occurrences", "terms", "term_taxonomy", "term_relationships"} {
		rows, err := db.QueryContext(ctx, "ANALYZE TABLE `"+prefix+table+"`")
		if err != nil {
			return fmt.Errorf("analyze %s: %w", table, err)
		}
		rows.Close()
	}
	return nil
}
