package settings

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/dbaddr"
	"calbridge/wpstore/wpconfig"
)

// Database configures access to the site's database.
type Database struct {
	Address                  dbaddr.Address
	Charset, TablePrefix     string
	BlogID                   int64
	UserTable, UserMetaTable string // "" for the default ones
	MaxOpenConns             int
	PoolWait                 time.Duration
	SlowConns, ExportConns   int           // 0 for a share of MaxOpenConns
	Feed                     *mysql.Config // nil for Address
	Replicas                 []*mysql.Config
	ReplicaMaxLag            time.Duration
	WriterCookie             bool
	DriverOnly               bool
}

// read takes the address from the constants of wp-config.php.
func (d *Database) read(f *wpconfig.File) error {
	cfg, err := f.Database()
	if err == nil {
		d.Address = dbaddr.Address{MySQL: cfg}
	}
	return err
}

// feedServer parses a DSN; an empty text means none.
func feedServer(v string) (*mysql.Config, error) {
	if v == "" {
		return nil, nil
	}
	return dbaddr.ParseServer(v)
}

// replicas parses DSNs that white space separates.
func replicas(v string) ([]*mysql.Config, error) {
	var list []*mysql.Config
	for i, dsn := range strings.Fields(v) {
		cfg, err := dbaddr.ParseServer(dsn)
		if err != nil {
			return nil, fmt.Errorf("replica %d: %w", i+1, err)
		}
		list = append(list, cfg)
	}
	return list, nil
}

func databaseRows(d *Database, configFile, wpConfigFile, defines *string) table {
	const g = GroupDatabase
	return table{
		{name: "config", common: true, arg: "FILE", group: g, help: "read settings from the lines `name = value` of this file; # at the start of a line or after a blank starts a comment, and a value in quotes may have blanks and # in it",
			set: into(configFile, text), restart: ifChanged},
		{name: "wp-config", common: true, arg: "FILE", group: g, help: "read the database's address, keys and other constants from the site's wp-config.php, or from the config/application.php and .env of a site on Bedrock, without running them",
			set: into(wpConfigFile, text)},
		{name: defineName, common: true, arg: "NAME=VALUE", group: g, help: "set a constant as if wp-config.php defined it; may be repeated, and the last value of a constant wins, but a configuration file may set each only once; CALBRIDGE_DEFINE takes several, separated by blanks; keys and salts only from the configuration file, CALBRIDGE_AUTH_KEY and the like, or CALBRIDGE_AUTH_KEY_FILE; only the constants that cmd/calbridge/README.md lists can be set",
			set: into(defines, text)},
		{name: "dsn", common: true, arg: "DSN", group: g, secret: true, constant: "DB_*", help: "the database: user:password@tcp(host:3306)/name, user:password@unix(/path.sock)/name or sqlite:FILE",
			set: into(&d.Address, dbaddr.Parse), fromFile: d.read},
		{name: "feed-dsn", arg: "DSN", group: g, secret: true, help: "where to read the binary log, if not from --dsn; for sites with a proxy in front of the database (ProxySQL, MaxScale, HAProxy): the address of the same server itself, and a user with the change feed's grants who may also read the site's tables",
			set: into(&d.Feed, feedServer)},
		{name: "db-charset", defined: true, arg: "CHARSET", group: g, constant: "DB_CHARSET", help: "character set of WordPress's database connections, such as latin1 (default, and for utf8: utf8mb4)",
			set: into(&d.Charset, text)},
		{name: "table-prefix", arg: "PREFIX", def: "wp_", group: g, constant: "$table_prefix", help: "prefix of the table names",
			set: into(&d.TablePrefix, text)},
		{name: "blog-id", arg: "N", def: "1", group: g, constant: "BLOG_ID_CURRENT_SITE", help: "number of the site in a multisite network; 1 is the main site",
			set: into(&d.BlogID, number[int64](1, 1<<40))},
		{name: "custom-user-table", defined: true, arg: "TABLE", group: g, constant: "CUSTOM_USER_TABLE", help: "users table, if not the default",
			set: into(&d.UserTable, text)},
		{name: "custom-user-meta-table", defined: true, arg: "TABLE", group: g, constant: "CUSTOM_USER_META_TABLE", help: "user metadata table, if not the default",
			set: into(&d.UserMetaTable, text)},
		{name: "max-open-conns", arg: "N", def: "16", group: g, help: "size of the connection pool",
			set: into(&d.MaxOpenConns, number(1, 10000))},
		{name: "pool-wait", arg: "TIME", def: "3s", group: g, help: "longest wait for a connection from the pool, or for one of those of --slow-conns and --export-conns; after it a request gets 503; should be well below --request-timeout",
			set: into(&d.PoolWait, duration(time.Millisecond, time.Hour))},
		{name: "slow-conns", arg: "N", def: "0", group: g, help: "how many connections slow requests may use at a time: searches, venues and organizers by their events, and long or unusual lists that only the database can answer; 0 means a quarter of --max-open-conns",
			set: into(&d.SlowConns, number(0, 10000))},
		{name: "export-conns", arg: "N", def: "0", group: g, help: "how many connections feeds and exports of all events may use at a time; 0 means an eighth of --max-open-conns",
			set: into(&d.ExportConns, number(0, 10000))},
		{name: "replica-dsn", arg: "DSNS", group: g, secret: true, help: "replicas to read from, DSNs separated by spaces, each with --max-open-conns connections and one for monitoring; see docker/README.md",
			set: into(&d.Replicas, replicas)},
		{name: "replica-max-lag", arg: "TIME", def: "5s", group: g, help: "maximum lag of replicas that are read from; with 0s every read waits until the replica has caught up with the primary",
			set: into(&d.ReplicaMaxLag, duration(0, time.Hour))},
		{name: "writer-cookie", def: "false", group: g, help: "for several instances: responses to writes of logged-in users set a cookie for some seconds, by which every instance recognises the writer, also without credentials; such requests, and all with credentials, use only cache entries that are proven to be current",
			set: into(&d.WriterCookie, boolean)},
		{name: "driver-only", def: "false", group: g, help: "let the MySQL driver alone send statements and read results; slower; for proxies that don't accept pipelined statements",
			set: into(&d.DriverOnly, boolean)},
	}
}
