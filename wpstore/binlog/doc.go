// Package binlog reads the binary log of a MariaDB or MySQL server as a replica does, and
// reports which rows of which tables each transaction changed. It does not depend on
// WordPress.
//
// [Open] connects and requests everything that is committed after a [Position].
// [Stream.Next] returns the [Rows], [Statement] and [Unknown] of one transaction after the
// other. Each transaction ends with a [Commit]. A [File] marks the beginning of a file, and
// reports whether the server crashed before it. The stream decodes only the columns that
// the caller names: numbers, texts and NULL. The server sends a heartbeat each second, so
// silence means a lost connection.
//
//	stream.go                  the session of a replica, and its events
//	decoder.go, event.go       events: headers, checksums, transactions, statements
//	table.go, rows.go          table maps and rows
//	value.go                   types of columns and their values
//	inflate.go, payload.go     compressed events and transactions
//	partial.go                 row events that MariaDB 12.3 splits
//	position*.go, tagged.go    GTIDs
//
// It imports mysqlwire and guard, and nothing else of this module.
//
// # What the server needs
//
// log_bin, binlog_format=ROW, the privilege REPLICATION SLAVE, and BINLOG MONITOR (MariaDB)
// or REPLICATION CLIENT (MySQL) for [Stream.Start]. MySQL needs gtid_mode=ON, MariaDB
// binlog_optimize_thread_scheduling=ON, which is the default. MariaDB is tested from 10.11.
// MySQL has GTIDs with tags since 8.3.
//
// # When a change is visible
//
// The event of a transaction may arrive before its rows can be read: servers write the
// binary log first and commit in the engine afterwards. [Commit] therefore has both the
// GTID and the place in the log. They are compared with what the server reports as visible:
//
//   - MariaDB moves Binlog_snapshot_file and Binlog_snapshot_position (SHOW STATUS)
//     under the lock under which it commits in the engine, in the same order; START
//     TRANSACTION WITH CONSISTENT SNAPSHOT relies on it. Transactions that end at or
//     before that place can be read. @@gtid_binlog_pos moves earlier, with the write to
//     the log. With binlog_optimize_thread_scheduling=OFF each session commits on its own
//     after the place has moved, which then proves nothing.
//   - MySQL adds a GTID to @@gtid_executed after the commit in the engine, so rows may be
//     visible shortly before. Until then the GTID is in @@gtid_owned: what is visible is
//     within both, if they are read in that order.
//
// Query the server whose log is read, not a proxy that distributes queries.
//
// # Bounds
//
// Events longer than [Config.MaxEvent] are reported as [Unknown] of their table. Table maps
// are dropped with their file.
package binlog
