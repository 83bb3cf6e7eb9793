package settings

import (
	"strings"
	"testing"
)

// examples returns a value of every constant.
func examples() map[string]string {
	return map[string]string{
		"DB_CHARSET": "latin1", "CUSTOM_USER_TABLE": "people", "CUSTOM_USER_META_TABLE": "peoplemeta", "WP_HOME": "https://a.example", "WP_SITEURL": "https://a.example/wp",
		"WP_CONTENT_URL": "https://a.example/c", "UPLOADS": "files", "BLOG_ID_CURRENT_SITE": "3", "WP_ENVIRONMENT_TYPE": "local", "DISALLOW_UNFILTERED_HTML": "true",
		"TEC_CUSTOM_TABLES_V1_DISABLED": "true", "EMPTY_TRASH_DAYS": "7", "WP_POST_REVISIONS": "3", "COOKIEHASH": "abc", "LOGGED_IN_COOKIE": "me",
	}
}

// TestDefine checks that each constant has the effect of the setting of earlier releases, from
// flags, the environment and a configuration file, and that only the old form is reported.
func TestDefine(t *testing.T) {
	for _, row := range new(Settings).table() {
		if !row.defined {
			continue
		}
		t.Run(row.constant, func(t *testing.T) {
			value := examples()[row.constant]
			if row.secret {
				value = "a salt = with # signs"
			}
			if value == "" {
				t.Fatal("the constant has no example here")
			}
			read := func(env map[string]string, args ...string) *Settings {
				t.Helper()
				p, _ := process(env)
				s, err := Read(p, Command{Name: "serve", Args: args})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			text := func(s *Settings) string { return s.value(&row) }
			def := row.constant + "=" + value
			forms := map[string]*Settings{"file": read(nil, "--config", write(t, "a.conf", "define = '"+def+"'\n"))}
			old := read(nil, "--config", write(t, "b.conf", row.name+" = '"+value+"'\n"))
			if row.secret {
				forms["environment"] = read(map[string]string{row.envName(): value})
				forms["secret file"] = read(map[string]string{row.envName() + "_FILE": write(t, "secret", value)})
			} else {
				forms["flag"] = read(nil, "--define", row.constant+"=1", "--define", def)
				forms["environment"] = read(map[string]string{"CALBRIDGE_DEFINE": " " + def})
			}
			for form, s := range forms {
				if text(s) != value || len(s.Origin.Former) > 0 {
					t.Errorf("%s: %q, %v", form, text(s), s.Origin.Former)
				}
			}
			if text(old) != value || len(old.Origin.Former) != 1 || !strings.Contains(old.Origin.Former[0].Advice, row.constant) {
				t.Errorf("the old form: %q, %v", text(old), old.Origin.Former)
			}
		})
	}
}

// TestDefinePrecedence checks that flags win over the environment, that over the file, and that
// over wp-config.php.
func TestDefinePrecedence(t *testing.T) {
	wp, file := write(t, "wp-config.php", wpConfig), write(t, "a.conf", "define = WP_HOME=https://file.example\ndefine = BLOG_ID_CURRENT_SITE=4\n")
	env := map[string]string{}
	home := func(args ...string) string {
		t.Helper()
		p, _ := process(env)
		s, err := Read(p, Command{Name: "serve", Args: append([]string{"--wp-config", wp, "--config", file}, args...)})
		if err != nil {
			t.Fatal(err)
		}
		if s.Database.BlogID != 4 || s.Site.MainBlogID != 4 {
			t.Errorf("BLOG_ID_CURRENT_SITE: %d, %d", s.Database.BlogID, s.Site.MainBlogID)
		}
		return s.Site.Home
	}
	if got := home(); got != "https://file.example" {
		t.Errorf("the file: %s", got)
	}
	env["CALBRIDGE_DEFINE"] = "COOKIEHASH=x WP_HOME=https://env.example"
	if got := home(); got != "https://env.example" {
		t.Errorf("the environment: %s", got)
	}
	if got := home("--define", "WP_HOME=https://flag.example"); got != "https://flag.example" {
		t.Errorf("a flag: %s", got)
	}
}

// TestDefineRefused checks unknown names, secrets on the command line and bad values.
func TestDefineRefused(t *testing.T) {
	for name, c := range map[string]struct {
		args, env, file, want string
	}{
		"unknown":            {args: "--define WP_DEBUG=1", want: `--define: "WP_DEBUG" is not a constant that can be defined; use one of AUTH_KEY,`},
		"misspelt":           {args: "--define WP_HOMME=x", want: "did you mean WP_HOME?"},
		"in the environment": {env: "WP_DEBUG=1", want: `CALBRIDGE_DEFINE: "WP_DEBUG" is not a constant`},
		"in the file":        {file: "define = WP_DEBUG=1\n", want: `:1: "WP_DEBUG" is not a constant`},
		"twice in the file":  {file: "define = UPLOADS=a\ndefine = UPLOADS=b\n", want: ":2: UPLOADS is defined twice"},
		"no value":           {args: "--define WP_HOME", want: `--define: expected NAME=VALUE after "WP_HOME"`},
		"a bad value":        {args: "--define EMPTY_TRASH_DAYS=week", want: `--define EMPTY_TRASH_DAYS: "week" is not a number`},
		"a key":              {args: "--define AUTH_KEY=hidden", want: "--define: AUTH_KEY is a secret; set CALBRIDGE_AUTH_KEY or CALBRIDGE_AUTH_KEY_FILE"},
		"a key in a list":    {env: "AUTH_KEY=hidden", want: "CALBRIDGE_DEFINE: AUTH_KEY is a secret"},
		"a key as a flag":    {args: "--auth-key hidden", want: "serve: --auth-key: keys and salts are not taken from the command line"},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := process(map[string]string{"CALBRIDGE_DEFINE": c.env})
			args := strings.Fields(c.args)
			if c.file != "" {
				args = append(args, "--config", write(t, "a.conf", c.file))
			}
			_, err := Read(p, Command{Name: "serve", Args: args})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hidden") {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// TestNumberOfSettings checks that no setting is added without a thought.
func TestNumberOfSettings(t *testing.T) {
	if n := len(new(Settings).table().current()); n > 92 {
		t.Errorf("%d settings: replace one, or define a constant", n)
	}
}

// TestOneAddress checks that the companion plugin is reached at --upstream, whose path only the
// plugin gets.
func TestOneAddress(t *testing.T) {
	p, _ := process(nil)
	for _, c := range []struct{ args, companion, upstream string }{
		{"--upstream http://a:1", "", "http://a:1"},
		{"--upstream http://a:1 --companion-secret x", "http://a:1", "http://a:1"},
		{"--upstream http://a:1/wp/ --companion-secret x", "http://a:1/wp/", "http://a:1"},
		{"--upstream http://a:1 --companion-url http://b:2/ --companion-secret x", "http://b:2/", "http://a:1"},
	} {
		s, err := Read(p, Command{Name: "serve", Args: strings.Fields(c.args)})
		if err != nil || s.Companion.URL != c.companion || s.Rollout.Upstream.URL != c.upstream {
			t.Errorf("%s: %q, %q, %v", c.args, s.Companion.URL, s.Rollout.Upstream.URL, err)
		}
	}
}
