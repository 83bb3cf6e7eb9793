package mirror

import (
	"context"
	"database/sql"
	"errors"

	"github.com/Masterminds/squirrel"
)

// position records how far a copy has followed the server's changes. Its zero value isn't
// valid: a new copy begins with only listing set.
type position struct {
	sync    string // the token of the last complete copy, or the id of the stream's last change
	page    string // the token of the next page of what is being fetched, or ""
	listing bool   // a whole list is being fetched into incoming
}

// errOtherWriter is returned when another process has moved the position.
var errOtherWriter = errors.New("another process writes to the file: use a separate file for each mirror")

// position reads the position. complete reports whether there has ever been a whole copy.
func (s *store) position(ctx context.Context) (at position, complete bool, err error) {
	err = squirrel.Select("sync_token", "page_token", "listing", "complete").From("mirror").RunWith(s.db).QueryRowContext(ctx).
		Scan(&at.sync, &at.page, &at.listing, &complete)
	return at, complete, err
}

// move changes the position in a transaction if it still equals from.
func move(ctx context.Context, tx *sql.Tx, from, to position) error {
	update := squirrel.Update("mirror").
		Set("sync_token", to.sync).Set("page_token", to.page).Set("listing", to.listing).
		Where(squirrel.Eq{"sync_token": from.sync, "page_token": from.page, "listing": from.listing})
	if !to.listing {
		update = update.Set("complete", true)
	}
	result, err := update.RunWith(tx).ExecContext(ctx)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, errOtherWriter)
	}
	return nil
}
