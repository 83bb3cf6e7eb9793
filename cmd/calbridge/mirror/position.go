package mirror

import (
	"context"
	"database/sql"
	"errors"

	"github.com/Masterminds/squirrel"
)

// position is how far a copy is in the server's changes. Its zero value isn't valid; a copy
// begins with listing alone.
type position struct {
	sync    string // the token of the last complete copy, or the id of the stream's last change
	page    string // the token of the next page of what is being fetched, or ""
	listing bool   // what is being fetched is a whole list, in incoming
}

// errOtherWriter is a position that somebody else has moved.
var errOtherWriter = errors.New("another process writes to the file: use a separate file for each mirror")

// position reads the position. complete reports whether there has ever been a whole copy.
func (s *store) position(ctx context.Context) (at position, complete bool, err error) {
	err = squirrel.Select("sync_token", "page_token", "listing", "complete").From("mirror").RunWith(s.db).QueryRowContext(ctx).
		Scan(&at.sync, &at.page, &at.listing, &complete)
	return at, complete, err
}

// move changes the position in a transaction, if it is still what the caller knows.
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
