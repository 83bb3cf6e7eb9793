package changefeed

import (
	"errors"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/binlog"
)

// Node is a server and its state. Its position lacks transactions that are being committed.
// MySQL shows rows of them before their GTIDs are in the set of executed ones.
type Node struct {
	// GTIDs is its position as the server writes it.
	GTIDs         string
	server, owned string
	readOnly      bool
}

// committing returns the position of a server with the transactions that are being committed.
func (n Node) committing(flavor binlog.Flavor) (binlog.Position, error) {
	position, err := binlog.ParsePosition(flavor, n.GTIDs)
	if err != nil || n.owned == "" {
		return position, err
	}
	owned, err := binlog.ParseOwned(n.owned)
	if err != nil {
		return nil, err
	}
	return position.Merge(owned), nil
}

func positionVariable(flavor binlog.Flavor) string {
	if flavor == binlog.MariaDB {
		return "@@global.gtid_binlog_pos"
	}
	return "@@global.gtid_executed"
}

// ownedVariable returns the SQL variable with the transactions that are being committed. On
// MariaDB the position already includes them.
func ownedVariable(flavor binlog.Flavor) string {
	if flavor == binlog.MariaDB {
		return "''"
	}
	return "@@global.gtid_owned"
}

// IsFull reports whether a server refused a connection because it has too many.
func IsFull(err error) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused) && (refused.Number == 1040 || refused.Number == 1203 || refused.Number == 1226)
}
