package mysqlwire

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/go-sql-driver/mysql"
)

// Capabilities of the client protocol.
const (
	clientLongPassword = 1 << 0
	clientLongFlag     = 1 << 2
	clientProtocol41   = 1 << 9
	clientSSL          = 1 << 11
	clientTransactions = 1 << 13
	clientSecure       = 1 << 15
	clientPluginAuth   = 1 << 19
)

// utf8mb4GeneralCI is the collation under which names and passwords are sent.
const utf8mb4GeneralCI = 45

// Authentication plugins.
const (
	pluginNative      = "mysql_native_password"
	pluginCachingSHA2 = "caching_sha2_password"
	pluginCleartext   = "mysql_clear_password"
	pluginEd25519     = "client_ed25519" // MariaDB
)

// greeting is what a server says first.
type greeting struct {
	version      string
	capabilities uint32
	challenge    []byte
	plugin       string
}

func parseGreeting(data []byte) (g greeting, err error) {
	if len(data) > 0 && data[0] == PacketError {
		return g, ServerError(data)
	}
	r := Fields{Rest: data}
	if version := r.Byte(); version != 10 {
		return g, fmt.Errorf("mysql: protocol version %d is not known", version)
	}
	g.version = string(r.UntilZero())
	r.Skip(4) // connection
	g.challenge = slices.Clone(r.Bytes(8))
	r.Skip(1)
	g.capabilities = uint32(r.Uint(2))
	r.Skip(3) // collation and status
	g.capabilities |= uint32(r.Uint(2)) << 16
	length := int(r.Byte())
	r.Skip(10)
	if r.Err != nil {
		return g, r.Err
	}
	if g.capabilities&clientSecure == 0 || g.capabilities&clientProtocol41 == 0 {
		return g, errors.New("mysql: the server is too old")
	}
	more := r.Bytes(uint64(min(max(13, length-8), len(r.Rest))))
	g.challenge = append(g.challenge, bytes.TrimRight(more, "\x00")...)
	g.plugin = pluginNative
	if g.capabilities&clientPluginAuth != 0 {
		g.plugin = string(r.UntilZero())
	}
	return g, nil
}

// Login makes the connection ready for commands, as the driver's settings say,
// and returns the server's version.
func (c *Conn) Login(cfg *mysql.Config) (version string, err error) {
	data, _, err := c.Read(replyLimit)
	if err != nil {
		return "", err
	}
	g, err := parseGreeting(data)
	if err != nil {
		return "", err
	}
	capabilities := uint32(clientLongPassword | clientLongFlag | clientProtocol41 | clientTransactions | clientSecure | clientPluginAuth)
	if cfg.TLS != nil {
		switch {
		case g.capabilities&clientSSL != 0:
			capabilities |= clientSSL
		case !cfg.AllowFallbackToPlaintext:
			return "", errors.New("mysql: the server does not offer TLS")
		}
	}
	start := binary.LittleEndian.AppendUint32(nil, capabilities)
	start = binary.LittleEndian.AppendUint32(start, maxPiece)
	start = append(append(start, utf8mb4GeneralCI), make([]byte, 23)...)
	if capabilities&clientSSL != 0 {
		if err := c.encrypt(start, cfg.TLS); err != nil {
			return "", err
		}
	}
	a := authentication{conn: c, cfg: cfg, plugin: g.plugin, challenge: g.challenge}
	answer, err := a.answer()
	var unknown unknownPluginError
	if errors.As(err, &unknown) { // of the server's default; the account may have another
		a.plugin = pluginNative
		answer, err = a.answer()
	}
	if err != nil {
		return "", err
	}
	start = append(append(start, cfg.User...), 0)
	start = append(append(start, byte(len(answer))), answer...)
	if err := c.write(append(append(start, a.plugin...), 0)); err != nil {
		return "", err
	}
	return g.version, a.finish()
}

// encrypt goes on under TLS.
func (c *Conn) encrypt(request []byte, cfg *tls.Config) error {
	if err := c.write(request); err != nil {
		return err
	}
	encrypted := tls.Client(c.net, cfg)
	if err := encrypted.Handshake(); err != nil {
		return fmt.Errorf("mysql: TLS: %w", err)
	}
	c.net, c.secure = encrypted, true
	c.in.Reset(encrypted)
	return nil
}

// authentication is one attempt to log in.
type authentication struct {
	conn      *Conn
	cfg       *mysql.Config
	plugin    string
	challenge []byte
}

type unknownPluginError string

func (e unknownPluginError) Error() string {
	return "mysql: the account's authentication plugin " + string(e) + " is not known"
}

// answer is what the plugin says to the challenge.
func (a *authentication) answer() ([]byte, error) {
	switch a.plugin {
	case pluginNative:
		if !a.cfg.AllowNativePasswords {
			return nil, errors.New("mysql: the settings do not allow native passwords")
		}
		return scrambleNative(a.challenge, a.cfg.Passwd), nil
	case pluginCachingSHA2:
		return scrambleSHA2(a.challenge, a.cfg.Passwd), nil
	case pluginEd25519:
		return signEd25519(a.challenge, a.cfg.Passwd)
	case pluginCleartext:
		if !a.cfg.AllowCleartextPasswords || !a.conn.secure {
			return nil, errors.New("mysql: the server asks for the password in the clear, which the settings or the connection do not allow")
		}
		return append([]byte(a.cfg.Passwd), 0), nil
	}
	return nil, unknownPluginError(a.plugin)
}

// finish talks until the server is satisfied or refuses.
func (a *authentication) finish() error {
	for switches := 0; ; {
		data, _, err := a.conn.Read(replyLimit)
		if err != nil {
			return err
		}
		if len(data) == 0 {
			return ErrMalformed
		}
		switch data[0] {
		case PacketOK:
			return nil
		case PacketEnd:
			switches++
			if switches > 1 || len(data) == 1 {
				return errors.New("mysql: the server insists on another way to log in")
			}
			r := Fields{Rest: data[1:]}
			a.plugin = string(r.UntilZero())
			a.challenge = slices.Clone(r.Rest)
			if a.plugin != pluginEd25519 { // whose challenge may end with a zero of its own
				a.challenge = bytes.TrimSuffix(a.challenge, []byte{0})
			}
			answer, err := a.answer()
			if err != nil {
				return err
			}
			if err := a.conn.write(answer); err != nil {
				return err
			}
		case PacketMore:
			if err := a.more(data[1:]); err != nil {
				return err
			}
		default:
			return ServerError(data)
		}
	}
}

// more goes on with caching_sha2_password: the server knows the password by heart,
// or wants it.
func (a *authentication) more(data []byte) error {
	const known, wanted = 3, 4
	if a.plugin != pluginCachingSHA2 || len(data) != 1 {
		return fmt.Errorf("mysql: unexpected step of %s", a.plugin)
	}
	switch {
	case data[0] == known:
		return nil
	case data[0] != wanted:
		return fmt.Errorf("mysql: unexpected step of %s", a.plugin)
	case a.conn.secure:
		return a.conn.write(append([]byte(a.cfg.Passwd), 0))
	case a.cfg.ServerPubKey != "":
		return errors.New("mysql: serverPubKey is not supported here; use TLS")
	}
	const askForKey = 2
	if err := a.conn.write([]byte{askForKey}); err != nil {
		return err
	}
	reply, _, err := a.conn.Read(replyLimit)
	if err != nil {
		return err
	}
	if len(reply) == 0 || reply[0] != PacketMore {
		return ServerError(reply)
	}
	sealed, err := sealPassword(a.cfg.Passwd, a.challenge, reply[1:])
	if err != nil {
		return err
	}
	return a.conn.write(sealed)
}
