package mariadbd

import (
	"errors"
	"fmt"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
)

// ErrMissing means that no server is installed.
var ErrMissing = errors.New("no database server")

// Find returns the path of the server's program, and whether it is MySQL rather than
// MariaDB.
func Find() (binary string, isMySQL bool, err error) {
	for _, name := range []string{"mariadbd", "mysqld"} {
		path, err := exec.LookPath(name)
		if err != nil {
			path, err = exec.LookPath(filepath.Join("/usr/sbin", name))
		}
		if err != nil {
			continue
		}
		version, err := exec.Command(path, "--no-defaults", "--version").Output()
		if err != nil {
			return "", false, fmt.Errorf("%s --version: %w", path, err)
		}
		return path, !strings.Contains(string(version), "MariaDB"), nil
	}
	return "", false, fmt.Errorf("%w: neither mariadbd nor mysqld is on the PATH", ErrMissing)
}

// Prepare fills the data directory that args name. MariaDB takes an empty one as it is if
// it needs no accounts.
func Prepare(binary string, isMySQL bool, args []string, accounts bool) error {
	var cmd *exec.Cmd
	switch {
	case isMySQL:
		cmd = exec.Command(binary, append(args, "--initialize-insecure")...)
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

// serverArgs are the arguments of a server that trades durability for speed. The first
// must stay first.
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
