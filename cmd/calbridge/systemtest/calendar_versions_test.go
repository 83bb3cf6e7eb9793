package systemtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// TestReplayCalendarVersions replays the recordings of older versions of The Events Calendar:
// reads, and where they are recorded writes with every row that they change.
func TestReplayCalendarVersions(t *testing.T) {
	oneAtATime(t)
	t.Parallel()
	shared := testdata.Shared(t)
	for _, v := range wptest.Variants(t) {
		if !strings.HasPrefix(v.Label, "tec-") {
			continue
		}
		t.Run(v.Label, func(t *testing.T) {
			db := wptest.VariantCopy(t, &v)
			url := serveVariant(t, &v, db)
			recorded := filepath.Join(shared, "recordings", "variants", v.Label)
			t.Run("reads", func(t *testing.T) {
				replayFiles(t, shared, "mono", db.Engine, url, recorded+".jsonl.gz")
			})
			client := newWriteClient(t, shared, "mono", url)
			client.file = recorded + ".writes.jsonl.gz"
			if _, err := os.Stat(client.file); errors.Is(err, fs.ErrNotExist) {
				return
			}
			client.before = func(c *recording.Case) error { return skipOptionNumbers(t.Context(), db.DSN, c) }
			t.Run("writes", func(t *testing.T) { replayWrites(t, client, db) })
		})
	}
}

// skipOptionNumbers (D13) leaves out the numbers of options that went to rows of caches, which older
// calendars make and recordings leave out. The rebuilt tree of categories is the only other
// new option, the second in its request.
func skipOptionNumbers(ctx context.Context, dsn string, c *recording.Case) error {
	for _, row := range c.Rows["wp_options"].Inserted {
		var id int64
		if _, err := fmt.Sscan(fmt.Sprint(row["option_id"]), &id); err != nil {
			return err
		}
		db, err := sql.Open("mysql", dsn)
		if err != nil {
			return err
		}
		defer db.Close()
		if _, err := db.ExecContext(ctx, fmt.Sprintf("ALTER TABLE wp_options AUTO_INCREMENT = %d", id-1)); err != nil {
			return err
		}
	}
	return nil
}
