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

	"calbridge/wpstore/mysqlwire"
)

const (
	// heartbeat is how often a server speaks when nothing happens.
	heartbeat = time.Second
	// silence is how long a server may say nothing before it counts as lost.
	silence = 3 * time.Second
	// loginTimeout bounds all that comes before the first event.
	loginTimeout = 10 * time.Second
	// defaultMaxEvent is above the longest rows that WordPress's tables see.
	defaultMaxEvent = 32 << 20
)

// Config says what to read.
type Config struct {
	// MySQL says how to connect; as mysql.ParseDSN returns it.
	MySQL *mysql.Config
	// ServerID is what the server knows this replica by, unlike all its others. 0
	// takes one at random among the high ones.
	ServerID uint32
	// From is what is behind; nil for all that the server has.
	From Position
	// Columns names the columns of a table to decode, by their ordinals from 0, in
	// ascending order. It returns nil for tables that are not of interest, and is
	// asked by Next, once for each description that a table comes with.
	Columns func(*Table) []int
	// MaxEvent is the longest event that is kept, in bytes; 0 means 32 MB.
	MaxEvent int
}

// Stream is what a server sends. It is used by one goroutine.
type Stream struct {
	conn    *mysqlwire.Conn
	flavor  Flavor
	decoder *decoder
	limit   int
	next    int // of the decoder's events
	server  string
	start   Position
	place   Place
	filters [2]string // databases that are logged, "" for all, and that are not
	broken  error
}

// Open connects and asks for events. The context bounds that alone. Errors of the
// server are *mysql.MySQLError; 1236 among them means that it no longer has what
// comes after Config.From.
func Open(ctx context.Context, cfg Config) (*Stream, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	c, err := mysqlwire.Dial(ctx, cfg.MySQL)
	if err != nil {
		return nil, fmt.Errorf("binlog: %w", err)
	}
	done := c.Bound(ctx, loginTimeout)
	defer done()
	s := &Stream{conn: c, limit: cfg.MaxEvent}
	if s.limit <= 0 {
		s.limit = defaultMaxEvent
	}
	if err := s.begin(cfg); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Stream) begin(cfg Config) error {
	version, err := s.conn.FirstRow("SELECT VERSION()")
	if err != nil {
		return err
	}
	s.flavor = MySQL
	if strings.Contains(strings.ToLower(strings.Join(version, "")), "mariadb") {
		s.flavor = MariaDB
	}
	checksums, err := s.prepare()
	if err != nil {
		return err
	}
	if err := s.whereItIs(); err != nil {
		return err
	}
	s.decoder = newDecoder(cfg.Columns, s.limit, checksums)
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
	if err := s.dump(id, from); err != nil {
		return err
	}
	return s.receive() // where it starts, or why not
}

// prepare sets the session up and says whether the server's events have checksums.
func (s *Stream) prepare() (checksums bool, err error) {
	row, err := s.conn.FirstRow("SELECT @@global.binlog_checksum")
	if err != nil {
		return false, err
	}
	nanoseconds := strconv.FormatInt(int64(heartbeat), 10)
	set := "SET @master_binlog_checksum = @@global.binlog_checksum, @master_heartbeat_period = " + nanoseconds
	if s.flavor == MariaDB {
		// 4: GTIDs are understood, so that none is disguised as a BEGIN.
		set += ", @mariadb_slave_capability = 4"
	} else {
		id := fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64())
		id = id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
		// Old and new names of the same things.
		set += ", @source_binlog_checksum = @@global.binlog_checksum, @source_heartbeat_period = " + nanoseconds +
			", @slave_uuid = '" + id + "', @replica_uuid = '" + id + "'"
	}
	return len(row) == 1 && strings.EqualFold(row[0], "CRC32"), s.conn.Exec(set)
}

// whereItIs reads which server it is and its position: the GTIDs first, so that the
// place is not before them.
func (s *Stream) whereItIs() error {
	position, log := "SELECT @@global.gtid_executed", []string{"SHOW BINARY LOG STATUS", "SHOW MASTER STATUS"} // of MySQL 8.4 and 8.0
	if s.flavor == MariaDB {
		position, log = "SELECT @@global.gtid_binlog_pos", log[1:]
	}
	row, err := s.conn.FirstRow(position)
	if err != nil {
		return err
	}
	if len(row) != 1 {
		return errShort
	}
	if s.start, err = ParsePosition(s.flavor, row[0]); err != nil {
		return err
	}
	if row, err = s.conn.FirstRow("SELECT " + s.flavor.Identity()); err != nil {
		return err
	}
	if len(row) != 1 {
		return errShort
	}
	s.server = row[0]
	const syntaxError = 1064
	var refused *mysql.MySQLError
	for _, ask := range log {
		row, err = s.conn.FirstRow(ask)
		if !errors.As(err, &refused) || refused.Number != syntaxError {
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

// ErrNoLog means that the server keeps no binary log.
var ErrNoLog = errors.New("binlog: the server keeps no binary log (log_bin is off)")

// Logs says whether the server logs changes in a database (binlog_do_db and
// binlog_ignore_db).
func (s *Stream) Logs(schema string) bool {
	listed := func(list string) bool {
		return slices.ContainsFunc(strings.Split(list, ","), func(name string) bool { return strings.EqualFold(name, schema) })
	}
	return (s.filters[0] == "" || listed(s.filters[0])) && !listed(s.filters[1])
}

// registration are the arguments of COM_REGISTER_SLAVE: id, no name, user,
// password nor port, rank, and the master's id, which it knows.
func registration(id uint32) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, id), make([]byte, 3+2+4+4)...)
}

// dump asks for what comes after a position.
func (s *Stream) dump(id uint32, from Position) error {
	le := binary.LittleEndian
	const start = 4 // of each file, after its magic number
	if s.flavor == MariaDB {
		// The text has digits, dashes and commas only.
		if err := s.conn.Exec("SET @slave_connect_state = '" + from.String() + "'"); err != nil {
			return err
		}
		arguments := le.AppendUint16(le.AppendUint32(nil, start), 0)
		return s.conn.Command(mysqlwire.ComBinlogDump, le.AppendUint32(arguments, id))
	}
	behind, ok := from.(sets)
	if !ok {
		return errors.New("binlog: a position of another kind of server")
	}
	const throughGTID = 4
	arguments := le.AppendUint32(le.AppendUint16(nil, throughGTID), id)
	arguments = le.AppendUint64(le.AppendUint32(arguments, 0), start)
	encoded := behind.encode()
	return s.conn.Command(mysqlwire.ComBinlogDumpGTID, append(le.AppendUint32(arguments, uint32(len(encoded))), encoded...))
}

// Flavor is the kind of the server.
func (s *Stream) Flavor() Flavor { return s.flavor }

// Server is the [Flavor.Identity] of the server.
func (s *Stream) Server() string { return s.server }

// Start is where the server was before it was asked for events: its position, and a
// place in its log that is not before that.
func (s *Stream) Start() (Position, Place) { return s.start, s.place }

// Next waits for the next event, which is valid until the call after. An error
// ends the stream: also that the context ended, or that the server said nothing
// for three seconds, though it is to speak each second.
func (s *Stream) Next(ctx context.Context) (Event, error) {
	for s.broken == nil {
		if s.next < len(s.decoder.pending) {
			s.next++
			return s.decoder.pending[s.next-1], nil
		}
		clear(s.decoder.pending)
		s.decoder.pending, s.next = s.decoder.pending[:0], 0
		done := s.conn.Bound(ctx, silence)
		s.broken = s.receive()
		done()
		if at, ok := ctx.Deadline(); s.broken != nil && ok && !time.Now().Before(at) {
			s.broken = context.DeadlineExceeded
		} else if s.broken != nil {
			s.broken = cmp.Or(ctx.Err(), s.broken)
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
		return errors.New("binlog: the server has ended the stream")
	case data[0] != mysqlwire.PacketOK:
		return mysqlwire.ServerError(data)
	}
	return s.decoder.event(data[1:], length > int64(len(data)))
}

// Forget makes the stream ask again for the columns of all tables.
func (s *Stream) Forget() { s.decoder.forget() }

// Close ends the connection.
func (s *Stream) Close() error { return s.conn.Close() }
