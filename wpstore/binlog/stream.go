package binlog

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/google/uuid"

	"calbridge/wpstore/guard"
	"calbridge/wpstore/mysqlwire"
)

const (
	// heartbeat is the time between two heartbeats when nothing happens.
	heartbeat = time.Second
	// silence is how long the server may send nothing before the connection counts as lost.
	silence = 3 * time.Second
	// loginTimeout limits everything that comes before the first event.
	loginTimeout = 10 * time.Second
	// defaultMaxEvent is larger than the longest rows of WordPress's tables.
	defaultMaxEvent = 32 << 20
)

// Config describes the server to connect to and what to read.
type Config struct {
	// MySQL holds the connection settings, as mysql.ParseDSN returns them.
	MySQL *mysql.Config
	// ServerID is the id of this replica, which no other replica of the server may have. 0
	// picks a random one among the high ids.
	ServerID uint32
	// From is the position to start after; nil means the server's current position.
	From Position
	// Columns returns the columns of a table to decode, by their ordinals from 0, in
	// ascending order; nil for tables of no interest. Next calls it once for each
	// description of a table in the log.
	Columns func(*Table) []int
	// MaxEvent is the longest event that is decoded, in bytes; 0 means 32 MB.
	MaxEvent int
	// Guard catches panics of the driver.
	Guard *guard.Guard
}

// Stream is the binary log as a server sends it. It is used by one goroutine.
type Stream struct {
	conn    *mysqlwire.Conn
	flavor  Flavor
	decoder *decoder
	limit   int
	next    int // index into the decoder's events
	server  string
	start   Position
	place   Place
	filters [2]string // databases that are logged, "" for all; and databases that are not
	broken  error
}

// Open connects and requests events. The context limits only this call. Errors of the
// server are *mysql.MySQLError; number 1236 means that it no longer has what comes after
// Config.From.
func Open(ctx context.Context, cfg Config) (*Stream, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	c, err := mysqlwire.Dial(ctx, cfg.MySQL, cfg.Guard)
	if err != nil {
		return nil, fmt.Errorf("binlog: %w", err)
	}
	done := c.Bound(ctx, loginTimeout)
	defer done()
	s := &Stream{conn: c, limit: cfg.MaxEvent}
	if s.limit <= 0 {
		s.limit = defaultMaxEvent
	}
	if err := s.begin(ctx, cfg); err != nil {
		return nil, errors.Join(fmt.Errorf("binlog: %w", err), s.Close())
	}
	return s, nil
}

func (s *Stream) begin(ctx context.Context, cfg Config) error {
	row, err := s.row(ctx, "SELECT VERSION(), @@global.binlog_checksum", 2)
	if err != nil {
		return err
	}
	s.flavor = MySQL
	if strings.Contains(strings.ToLower(row[0]), "mariadb") {
		s.flavor = MariaDB
	}
	s.decoder = newDecoder(cfg.Columns, s.limit, strings.EqualFold(row[1], "CRC32"))
	if err := s.conn.Exec(ctx, s.session()); err != nil {
		return err
	}
	if err := s.locate(ctx); err != nil {
		return err
	}
	id := cfg.ServerID
	if id == 0 {
		const high = 1 << 31
		id = high + rand.Uint32N(high-1)
	}
	if err := s.conn.Command(mysqlwire.ComRegisterSlave, registration(id)); err != nil {
		return err
	}
	if err := s.conn.OK(); err != nil {
		return err
	}
	from := cfg.From
	if from == nil {
		from = s.start
	}
	if err := s.dump(ctx, id, from); err != nil {
		return err
	}
	return s.receive() // where the log starts, or an error
}

// row runs a query and returns its first row, which must have that many columns.
func (s *Stream) row(ctx context.Context, query string, columns int) ([]string, error) {
	row, err := s.conn.FirstRow(ctx, query)
	if err == nil && len(row) != columns {
		err = errShort
	}
	return row, err
}

// session returns the statement that sets up the session of a replica.
func (s *Stream) session() string {
	set := "SET @master_binlog_checksum = @@global.binlog_checksum, @master_heartbeat_period = " + strconv.Itoa(int(heartbeat))
	if s.flavor == MariaDB {
		// 4: the replica understands GTIDs, so none is disguised as a BEGIN.
		return set + ", @mariadb_slave_capability = 4"
	}
	// These are the new names of the same variables.
	id := uuid.NewString()
	return set + ", @source_binlog_checksum = @@global.binlog_checksum, @source_heartbeat_period = " + strconv.Itoa(int(heartbeat)) +
		", @slave_uuid = '" + id + "', @replica_uuid = '" + id + "'"
}

// locate reads the server's identity and position. It reads the GTIDs first, so that the
// place is not before them.
func (s *Stream) locate(ctx context.Context) error {
	position, statements := "@@global.gtid_executed", []string{"SHOW BINARY LOG STATUS", "SHOW MASTER STATUS"} // of MySQL 8.4 and 8.0
	if s.flavor == MariaDB {
		position, statements = "@@global.gtid_binlog_pos", statements[1:]
	}
	row, err := s.row(ctx, "SELECT "+position+", "+s.flavor.Identity(), 2)
	if err != nil {
		return err
	}
	s.server = row[1]
	if s.start, err = ParsePosition(s.flavor, row[0]); err != nil {
		return err
	}
	const syntaxError = 1064
	for _, statement := range statements {
		row, err = s.conn.FirstRow(ctx, statement)
		var serverErr *mysql.MySQLError
		if !errors.As(err, &serverErr) || serverErr.Number != syntaxError {
			break
		}
	}
	if err != nil {
		return err
	}
	if len(row) < 4 {
		return ErrNoLog
	}
	s.filters = [2]string{row[2], row[3]}
	s.place.File = row[0]
	s.place.Position, err = strconv.ParseUint(row[1], 10, 64)
	return err
}

// ErrNoLog is returned when the server writes no binary log.
var ErrNoLog = errors.New("the server writes no binary log (log_bin is off)")

// Logs reports whether the server logs changes in a database (binlog_do_db and
// binlog_ignore_db).
func (s *Stream) Logs(schema string) bool {
	listed := func(list string) bool {
		return slices.ContainsFunc(strings.Split(list, ","), func(name string) bool { return strings.EqualFold(name, schema) })
	}
	return (s.filters[0] == "" || listed(s.filters[0])) && !listed(s.filters[1])
}

// registration returns the arguments of COM_REGISTER_SLAVE: id, empty name, user and
// password, port, rank, and the source's id.
func registration(id uint32) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, id), make([]byte, 3+2+4+4)...)
}

// dump requests what comes after a position.
func (s *Stream) dump(ctx context.Context, id uint32, from Position) error {
	le := binary.LittleEndian
	const start = 4 // of each file, after its magic number
	if s.flavor == MariaDB {
		// The text has only digits, dashes and commas.
		if err := s.conn.Exec(ctx, "SET @slave_connect_state = '"+from.String()+"'"); err != nil {
			return err
		}
		arguments := le.AppendUint16(le.AppendUint32(nil, start), 0)
		return s.conn.Command(mysqlwire.ComBinlogDump, le.AppendUint32(arguments, id))
	}
	set, ok := from.(sets)
	if !ok {
		return errors.New("a position of another kind of server")
	}
	const throughGTID = 4
	arguments := le.AppendUint32(le.AppendUint16(nil, throughGTID), id)
	arguments = le.AppendUint64(le.AppendUint32(arguments, 0), start)
	encoded := set.encode()
	return s.conn.Command(mysqlwire.ComBinlogDumpGTID, append(le.AppendUint32(arguments, uint32(len(encoded))), encoded...))
}

// Flavor returns the kind of the server.
func (s *Stream) Flavor() Flavor { return s.flavor }

// Server returns the [Flavor.Identity] of the server.
func (s *Stream) Server() string { return s.server }

// Start returns the server's position before Open requested events, and a place in its log
// that is not before that position.
func (s *Stream) Start() (Position, Place) { return s.start, s.place }

// Next waits for the next event, which is valid until the next call. An error ends the
// stream, as do the end of the context and three seconds without a heartbeat.
func (s *Stream) Next(ctx context.Context) (Event, error) {
	for s.broken == nil {
		if s.next < len(s.decoder.pending) {
			s.next++
			return s.decoder.pending[s.next-1], nil
		}
		clear(s.decoder.pending)
		s.decoder.pending, s.next = s.decoder.pending[:0], 0
		done := s.conn.Bound(ctx, silence)
		err := s.receive()
		done()
		if at, ok := ctx.Deadline(); err != nil && ok && !time.Now().Before(at) {
			err = context.DeadlineExceeded
		}
		if err != nil {
			s.broken = fmt.Errorf("binlog: %w", cmp.Or(ctx.Err(), err))
		}
	}
	return nil, s.broken
}

// receive reads one event.
func (s *Stream) receive() error {
	s.conn.Shrink()
	data, length, err := s.conn.Read(s.limit + 1)
	if err != nil {
		return err
	}
	switch {
	case len(data) == 0:
		return errShort
	case data[0] == mysqlwire.PacketEnd:
		return errors.New("the server has ended the stream")
	case data[0] != mysqlwire.PacketOK:
		return mysqlwire.ServerError(data)
	}
	return s.decoder.event(data[1:], length > int64(len(data)))
}

// Forget makes Next call Config.Columns again for all tables.
func (s *Stream) Forget() { s.decoder.forget() }

// Close ends the connection.
func (s *Stream) Close() error { return s.conn.Close() }
