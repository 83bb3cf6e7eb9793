// Package binlog reads the binary log of a MariaDB or MySQL server as a replica
// does, and tells which rows of which tables each transaction changed. It knows
// nothing of WordPress.
//
// [Open] connects, authenticates and asks for all that is committed after a
// [Position]; [Stream.Next] returns [Rows], [Statement] and [Unknown] of one
// transaction after the other, each transaction ending with a [Commit]. Of rows
// only the columns that the caller names are decoded: numbers, texts and NULL. A
// server says at least once per second that it is alive, so that silence means a
// lost connection.
//
// # What the server needs
//
// log_bin, binlog_format=ROW, the privilege REPLICATION SLAVE, and BINLOG MONITOR
// (MariaDB) or REPLICATION CLIENT (MySQL) for [Stream.Start]. MySQL needs
// gtid_mode=ON, MariaDB binlog_optimize_thread_scheduling=ON, which is the default:
// see below. MariaDB is tested from 10.11; of MySQL 8 the formats are tested on
// bytes made by hand from its documentation, since no server is at hand. GTIDs with
// tags (MySQL 8.4, if somebody sets them) are refused.
//
// # What an event proves
//
// The event of a transaction may arrive before its rows can be read: servers write
// the binary log first and commit in the engine afterwards. [Commit] therefore
// carries both the GTID and the place in the log, to be compared with what the
// server says is visible:
//
//   - MariaDB moves Binlog_snapshot_file and Binlog_snapshot_position (SHOW STATUS)
//     under the lock under which it commits in the engine, in the same order: it is
//     what START TRANSACTION WITH CONSISTENT SNAPSHOT rests on. What ends at or
//     before that place can be read. @@gtid_binlog_pos moves earlier, with the write
//     to the log. With binlog_optimize_thread_scheduling=OFF each session commits
//     by itself after the place has moved, and it proves nothing.
//   - MySQL adds a GTID to @@gtid_executed after the commit in the engine.
//
// Both on the server whose log is read: not through a proxy that spreads queries.
//
// # Bounds
//
// Packets are kept up to [Config.MaxEvent]; of longer events only the table is
// told, as [Unknown]. Table maps are forgotten with their file.
package binlog
