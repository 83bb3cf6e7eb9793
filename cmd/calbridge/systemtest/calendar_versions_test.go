package systemtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// TestReplayCalendarVersions replays the recordings of older versions of The Events Calendar:
// reads, and where they are recorded writes with every row that they change.
func TestReplayCalendarVersions(t *testing.T) {
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
			t.Run("writes", func(t *testing.T) { replayWrites(t, client, db) })
		})
	}
}
