package changefeed_test

import (
	"errors"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
)

// TestTaggedTransactions: those of MySQL since 8.3 are followed, and resumed behind.
func TestTaggedTransactions(t *testing.T) {
	f := follow(t, nil)
	var state states
	const unknownVariable, wrongValue = 1193, 1231
	var refused *mysql.MySQLError
	if _, err := f.SQL().Exec("SET gtid_next = 'AUTOMATIC:calbridge'"); errors.As(err, &refused) && (refused.Number == unknownVariable || refused.Number == wrongValue) {
		t.Log("the server has no tags: .ci/engines has one that does")
		return
	}
	f.SQL().SetMaxOpenConns(1)
	changed := func(want string, statements ...string) {
		t.Helper()
		if got := tagText(f.changes(append(append([]string{"SET gtid_next = 'AUTOMATIC:calbridge'"}, statements...), "SET gtid_next = 'AUTOMATIC'")...)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	changed(" user5", "INSERT INTO wp_usermeta (user_id) VALUES (5)")
	f.stop()
	f.run(changefeed.Observer{Following: state.add})
	changed(" user6", "INSERT INTO wp_usermeta (user_id) VALUES (6)")
	f.cut()
	f.eventually("following again", func() bool { return state.resumed() && f.tracker.Active() })
	changed(" user7", "INSERT INTO wp_usermeta (user_id) VALUES (7)")
	if _, everything := f.invalidated(invalidation.Tag{}); everything {
		t.Error("everything was invalidated")
	}
}
