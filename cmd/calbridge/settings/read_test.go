package settings

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
)

// process returns the Process of a test and the buffer that it prints to.
func process(env map[string]string) (*cmdline.Process, *bytes.Buffer) {
	out := &bytes.Buffer{}
	return &cmdline.Process{Getenv: func(name string) string { return env[name] }, Stdout: out, Stderr: out}, out
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const wpConfig = `<?php
define('DB_NAME', 'town'); define('DB_USER', 'hana'); define('DB_PASSWORD', 'geheim'); define('DB_HOST', 'db:3307');
$table_prefix = 'lipa_';
define('WP_HOME', 'https://lipa.example');
define('DISALLOW_UNFILTERED_HTML', 1);
define('EMPTY_TRASH_DAYS', 7);
define('WP_POST_REVISIONS', false);
define('COOKIEHASH', 'abc');
define('LOGGED_IN_KEY', 'key');
`

// TestPrecedence checks the order of the sources: flags, environment, files named by it,
// configuration file, wp-config.php, defaults.
func TestPrecedence(t *testing.T) {
	wp, secret := write(t, "wp-config.php", wpConfig), write(t, "secret", "sqlite:secret.db\n")
	file := write(t, "calbridge.conf", "# ours\n\ndsn = sqlite:file.db\nhome = https://file.example\nlisten = :1\n")
	env := map[string]string{}
	read := func(args ...string) *Settings {
		t.Helper()
		p, _ := process(env)
		s, err := Read(p, Command{Name: "serve", Args: args})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := func(what string, s *Settings, setting, got, want, origin string) {
		t.Helper()
		if got != want || s.Origin.Of(setting) != origin {
			t.Errorf("%s: %s is %q from %s, want %q from %s", what, setting, got, s.Origin.Of(setting), want, origin)
		}
	}
	s := read()
	want("nothing", s, "listen", s.Listen.API, "127.0.0.1:8080", "the default")
	s = read("--wp-config", wp)
	want("wp-config.php", s, "dsn", s.Database.Address.String(), "hana@tcp(db:3307)/town", wp)
	want("wp-config.php", s, "table-prefix", s.Database.TablePrefix, "lipa_", wp+":3")
	want("wp-config.php", s, "home", s.Site.Home, "https://lipa.example", wp+":4")
	if !s.Site.DisallowUnfilteredHTML || s.Site.EmptyTrashDays != 7 || s.Site.PostRevisions >= 0 || s.Login.Keys.LoggedInKey != "key" {
		t.Errorf("wp-config.php: %+v, %+v", s.Site, s.Login)
	}
	if hash, defined := s.Login.CookieConstant("COOKIEHASH"); hash != "abc" || !defined {
		t.Errorf("COOKIEHASH: %q", hash)
	}
	if _, defined := s.Login.CookieConstant("LOGGED_IN_COOKIE"); defined {
		t.Error("LOGGED_IN_COOKIE is defined")
	}
	s = read("--wp-config", wp, "--config", file)
	want("the file", s, "home", s.Site.Home, "https://file.example", file+":4")
	want("the file", s, "dsn", s.Database.Address.String(), "sqlite:file.db", file+":3")
	env["CALBRIDGE_CONFIG"], env["CALBRIDGE_DSN_FILE"] = file, secret
	s = read()
	want("a secret", s, "dsn", s.Database.Address.String(), "sqlite:secret.db", "CALBRIDGE_DSN_FILE")
	want("the file from the environment", s, "listen", s.Listen.API, ":1", file+":5")
	env["CALBRIDGE_DSN"], env["CALBRIDGE_LISTEN"], env["CALBRIDGE_PPROF"] = "sqlite:env.db", ":2", "yes"
	s = read()
	want("the environment", s, "dsn", s.Database.Address.String(), "sqlite:env.db", "CALBRIDGE_DSN")
	s = read("--listen", ":3", "--pprof=false")
	want("a flag", s, "listen", s.Listen.API, ":3", "--listen")
	if s.Listen.Pprof {
		t.Error("a flag does not win over the environment")
	}
	if s = read("--read-only"); !s.API.ReadOnly {
		t.Error("a boolean without a value")
	}
}

// TestReadErrors checks that each error begins with the source of the value and names the problem.
func TestReadErrors(t *testing.T) {
	unreadable := strings.Replace(wpConfig, "'lipa_'", "prefix()", 1)
	for name, c := range map[string]struct {
		file, wp string // contents of the files
		env      map[string]string
		args     []string
		want     string
	}{
		"flag":              {args: []string{"--listen", "8080"}, want: `--listen: "8080" is not an address`},
		"environment":       {env: map[string]string{"CALBRIDGE_LOG_LEVEL": "loud"}, want: `CALBRIDGE_LOG_LEVEL: "loud" is not one of debug, info, warn, error`},
		"secret":            {env: map[string]string{"CALBRIDGE_DSN_FILE": "gone"}, want: "CALBRIDGE_DSN_FILE: cannot read gone: no such file"},
		"missing file":      {args: []string{"--config", "gone.conf"}, want: "--config: cannot read gone.conf: no such file"},
		"value in the file": {file: "request-timeout = never\n", want: `:1: "never" is not a duration`},
		"misspelt":          {file: "\nlissten = :1\n", want: `:2: there is no setting "lissten"`},
		"twice":             {file: "listen = :1\nlisten = :1\n", want: ":2: listen is set twice"},
		"prose":             {file: "listen everywhere\n", want: ":1: expected a line `name = value`"},
		"another file":      {file: "config = x\n", want: ":1: a configuration file cannot name another one"},
		"missing wp-config": {args: []string{"--wp-config", "gone.php"}, want: "--wp-config: cannot read gone.php: no such file"},
		"no database":       {wp: "<?php define('DB_NAME', 'a');", want: "does not define DB_"},
		"prefix":            {wp: unreadable, want: "set --table-prefix or CALBRIDGE_TABLE_PREFIX instead"},
		"bad constant":      {wp: strings.Replace(wpConfig, "DAYS', 7", "DAYS', 'a week'", 1), want: `:6: "a week" is not a number`},
	} {
		args := c.args
		if c.file != "" {
			args = append(args, "--config", write(t, "calbridge.conf", c.file))
		}
		if c.wp != "" {
			args = append(args, "--wp-config", write(t, "wp-config.php", c.wp))
		}
		p, _ := process(c.env)
		if _, err := Read(p, Command{Name: "serve", Args: args}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// TestForbiddenFile checks the message about a file that this process may not read. Root may read
// all files.
func TestForbiddenFile(t *testing.T) {
	err := trimPathError(&fs.PathError{Op: "open", Path: "secret.php", Err: syscall.EACCES})
	if want := "cannot read secret.php: permission denied; run calbridge as a user that may read it"; !strings.HasPrefix(err.Error(), want) {
		t.Error(err)
	}
}

// TestUnreadableConstant checks that an unreadable constant that may not be needed is a
// warning.
func TestUnreadableConstant(t *testing.T) {
	wp := write(t, "wp-config.php", strings.Replace(wpConfig, "'https://lipa.example'", "home_of('lipa')", 1))
	p, _ := process(nil)
	s, err := Read(p, Command{Name: "serve", Args: []string{"--wp-config", wp}})
	if err != nil {
		t.Fatal(err)
	}
	if w := s.Origin.Warnings; len(w) != 1 || !strings.HasPrefix(w[0], wp+":4: WP_HOME ") || !strings.Contains(w[0], "set --define WP_HOME=…") {
		t.Errorf("%q", w)
	}
}

// TestDefaults checks that a command may have a default of its own, which every source overrides
// and the help shows.
func TestDefaults(t *testing.T) {
	command := Command{Name: "demo", Has: Named("extensions", "config"), Defaults: map[string]string{"extensions": "true"}}
	for name, c := range map[string]struct {
		args []string
		env  map[string]string
		want bool
	}{
		"default":     {nil, nil, true},
		"flag":        {[]string{"--extensions=false"}, nil, false},
		"environment": {nil, map[string]string{"CALBRIDGE_EXTENSIONS": "false"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := process(c.env)
			command.Args = c.args
			s, err := Read(p, command)
			if err != nil || s.API.Extensions != c.want {
				t.Errorf("%v %v, want %t", s, err, c.want)
			}
			for _, v := range s.List() {
				if v.Name == "extensions" && (v.Text != strconv.FormatBool(c.want) || v.Default != c.want) {
					t.Errorf("%+v", v)
				}
			}
		})
	}
	p, out := process(nil)
	command.Args = []string{"--help"}
	if _, err := Read(p, command); !errors.Is(err, flag.ErrHelp) || !strings.Contains(out.String(), "(default true)") {
		t.Errorf("%v %s", err, out)
	}
}

// TestCommand checks that a command has the settings that it selects, and its own flags.
func TestCommand(t *testing.T) {
	file := write(t, "calbridge.conf", "dsn = sqlite:x\nlog-level = debug\n")
	var keep string
	command := func(args ...string) Command {
		return Command{Name: "demo", Args: args, Has: Of(GroupLog), Flags: func(fs *flag.FlagSet) { fs.StringVar(&keep, "keep", "", "keep the calendar in this `FILE`") }}
	}
	p, out := process(nil)
	s, err := Read(p, command("--log-format", "json", "--keep", "x.db"))
	if err != nil || s.Log.Format != "json" || s.Log.Level != "info" || s.Database.TablePrefix != "" || keep != "x.db" {
		t.Errorf("%+v, %v", s, err)
	}
	var usage cmdline.UsageError
	if _, err := Read(p, command("--dsn", "sqlite:x")); !errors.As(err, &usage) || !strings.Contains(err.Error(), "unknown flag --dsn") {
		t.Errorf("a setting of other commands: %v", err)
	}
	named := Command{Name: "healthcheck", Args: []string{"--config", file}, Has: Named("config", "log-level")}
	if s, err := Read(p, named); err != nil || s.Log.Level != "debug" || !s.Database.Address.IsZero() {
		t.Errorf("a file with settings of other commands: %+v, %v", s, err)
	}
	if _, err := Read(p, command("--help")); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("help: %v", err)
	}
	help := out.String()
	for _, want := range []string{"Usage: calbridge demo [flags]\n\nThis command:\n  --keep FILE\n        keep the calendar in this FILE\n", "\nLog:\n  --log-format FORMAT\n        text or json (default text)\n", "CALBRIDGE_TABLE_PREFIX"} {
		if !strings.Contains(help, want) {
			t.Errorf("the help lacks %q:\n%s", want, help)
		}
	}
	if strings.Contains(help, "--dsn DSN") {
		t.Error("the help has settings of other commands")
	}
}

// TestShortHelp checks that the help of serve shows 25 settings, and --help all every one.
func TestShortHelp(t *testing.T) {
	all := len(new(Settings).table().current())
	for _, c := range []struct {
		args string
		want int
	}{{"--help", 25}, {"--help all", all}} {
		t.Run(c.args, func(t *testing.T) {
			p, out := process(nil)
			if _, err := Read(p, Command{Name: "serve", Args: strings.Fields(c.args)}); !errors.Is(err, flag.ErrHelp) {
				t.Fatal(err)
			}
			if shown := strings.Count(out.String(), "\n  --"); shown != c.want {
				t.Errorf("%d settings, want %d", shown, c.want)
			}
			if more := fmt.Sprintf("`calbridge serve --help all` shows %d more", all-25); strings.Contains(out.String(), more) != (c.want == 25) {
				t.Errorf("the help ends: %.600s", out.String()[max(0, out.Len()-600):])
			}
		})
	}
}
