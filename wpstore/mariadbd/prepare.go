package mariadbd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ErrMissing is returned if no server is installed.
var ErrMissing = errors.New("no database server")

// Program is the program of a server.
type Program struct {
	Path    string
	MySQL   bool   // rather than MariaDB
	Version string // such as "10.11.19"
	// template is a data directory to copy, nil for none. MySQL 5.6 from npm comes with one
	// instead of an installer. Creating one takes MySQL 9 some seconds.
	template fs.FS
}

// Find returns the program at a path, or the one on the PATH if the path is "".
func Find(path string) (Program, error) {
	if path != "" {
		return identify(path)
	}
	for _, name := range []string{"mariadbd", "mysqld"} {
		path, err := exec.LookPath(name)
		if err != nil {
			path, err = exec.LookPath(filepath.Join("/usr/sbin", name))
		}
		if err == nil {
			return identify(path)
		}
	}
	return Program{}, fmt.Errorf("%w: neither mariadbd nor mysqld is on the PATH", ErrMissing)
}

// versionText matches the text after "Ver" in the output of --version.
var versionText = regexp.MustCompile(`Ver ([0-9.]+)`)

// identify runs a program to find out its kind and version.
func identify(path string) (Program, error) {
	said, err := exec.Command(path, "--no-defaults", "--version").Output()
	if err != nil {
		return Program{}, fmt.Errorf("%s --version: %w", path, err)
	}
	p := Program{Path: path, MySQL: !strings.Contains(string(said), "MariaDB")}
	if m := versionText.FindSubmatch(said); m != nil {
		p.Version = string(m[1])
	}
	if data := filepath.Join(filepath.Dir(path), "data"); p.MySQL && isFolder(data) {
		p.template = os.DirFS(data)
	}
	return p, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Prepare fills the data directory that args name; dir is its path. MariaDB accepts an
// empty one if it needs no accounts.
func (p Program) Prepare(dir string, args []string, accounts bool) error {
	var cmd *exec.Cmd
	switch {
	case p.MySQL && p.template != nil && (p.keepsNothing() || !slices.ContainsFunc(args, decidedAtStart)):
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if err := os.CopyFS(dir, p.template); err != nil {
			return fmt.Errorf("prepare a data directory: %w", err)
		}
		return nil
	case p.MySQL:
		cmd = exec.Command(p.Path, append(args, "--initialize-insecure")...)
	case accounts:
		install, err := exec.LookPath("mariadb-install-db")
		if err != nil {
			return fmt.Errorf("%w: mariadb-install-db is not on the PATH", ErrMissing)
		}
		cmd = exec.Command(install, append(args, "--auth-root-authentication-method=normal", "--skip-test-db")...)
	default:
		return nil
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("prepare a data directory: %w: %s", err, out)
	}
	return nil
}

// keepsNothing reports whether a data directory stores no settings: only MySQL 8.0 and
// later have a dictionary with them. MySQL 5.6 can't create one itself either.
func (p Program) keepsNothing() bool { return strings.HasPrefix(p.Version, "5.") }

// decidedAtStart reports whether an argument can't change once there is a data directory
// with a dictionary.
func decidedAtStart(arg string) bool { return strings.HasPrefix(arg, "--lower-case-table-names") }

// binaryLog returns the arguments that make a server write a binary log of rows with GTIDs,
// and send it to replicas.
func (p Program) binaryLog() []string {
	args := []string{"--log-bin=binlog", "--binlog-format=ROW", "--server-id=1"}
	if p.MySQL {
		args = append(args, "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--log-slave-updates=ON")
	}
	return args
}

// serverArgs returns the arguments of a server that trades durability for speed. The first
// one must stay first.
func serverArgs(dir string, accounts bool) []string {
	args := []string{
		"--no-defaults", "--skip-networking",
		"--socket=" + filepath.Join(dir, "socket"),
		"--datadir=" + filepath.Join(dir, "data"),
		"--pid-file=" + filepath.Join(dir, "pid"),
		"--tmpdir=" + dir,
		"--innodb-flush-log-at-trx-commit=0",
		"--innodb-buffer-pool-size=128M",
		"--skip-innodb-doublewrite",
		"--character-set-server=utf8mb4",
		"--max-allowed-packet=64M",
	}
	if !accounts {
		args = append(args, "--skip-grant-tables")
	}
	if u, err := user.Current(); err == nil && u.Uid == "0" {
		args = append(args, "--user=root")
	}
	return args
}
