package binlog

import (
	"bytes"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/mysqlwire"
)

// fake is a server that accepts every login, responds to some queries and sends events.
type fake struct {
	t       *testing.T
	answers map[string][]string // rows by query; others are OK
	events  [][]byte            // of the dump
	dumped  []byte              // the request for it
}

// listen serves connections until the test ends, and returns the settings of a
// client.
func (f *fake) listen() *mysql.Config {
	f.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.SetDeadline(time.Now().Add(2 * time.Minute))
			f.serve(c)
			c.Close()
		}
	}()
	cfg := mysql.NewConfig()
	cfg.User, cfg.Passwd, cfg.Net, cfg.Addr, cfg.Timeout = "someone", "secret", "tcp", l.Addr().String(), time.Minute
	return cfg
}

// serve answers queries, and sends the events when asked for the log.
func (f *fake) serve(c net.Conn) {
	in, sequence := mysqlwire.NewReader(c, 64<<10), byte(0)
	write := func(payload []byte) {
		_, _ = c.Write(mysqlwire.AppendPacket(nil, sequence, payload))
		sequence++
	}
	read := func() []byte {
		number, err := in.Follow()
		if err != nil {
			return nil
		}
		sequence = number + 1
		data, _, _ := in.Read(1 << 20)
		return data
	}
	okay := []byte{mysqlwire.PacketOK, 0, 0, 2, 0, 0, 0}
	end := []byte{mysqlwire.PacketEnd, 0, 0, 2, 0}
	write([]byte("\x0a8.4.3\x00\x01\x00\x00\x00abcdefgh\x00\xff\xf7\x2d\x02\x00\x08\x00\x15" + strings.Repeat("\x00", 10) + "ijklmnopqrst\x00mysql_native_password\x00"))
	if read() == nil {
		return
	}
	write(okay)
	for {
		data := read()
		if len(data) == 0 {
			return
		}
		text := string(data[1:])
		row, known := f.answers[text]
		switch {
		case data[0] == mysqlwire.ComBinlogDumpGTID:
			f.dumped = bytes.Clone(data[1:])
			for _, e := range f.events {
				write(append([]byte{mysqlwire.PacketOK}, e...))
			}
			time.Sleep(time.Second)
			return
		case data[0] == mysqlwire.ComQuery && strings.HasPrefix(text, "SELECT") && !known:
			write(append([]byte{mysqlwire.PacketError, 0x28, 0x04}, "#42000unexpected"...))
		case known:
			write([]byte{byte(len(row))})
			for range row {
				write([]byte("\x03def\x00\x00\x00\x01c\x00\x0c\x2d\x00\x14\x00\x00\x00\xfd\x00\x00\x00\x00\x00"))
			}
			write(end)
			var values []byte
			for _, v := range row {
				values = append(mysqlwire.AppendLength(values, len(v)), v...)
			}
			write(values)
			write(end)
		default:
			write(okay)
		}
	}
}
