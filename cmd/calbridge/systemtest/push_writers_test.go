package systemtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-sql-driver/mysql"

	"calbridge/rest/wpauth"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/synthetic"
)

// titleWriter gives an event a title, by one of the ways in which a site's rows change.
type titleWriter struct {
	name  string
	write func(id int, title string) error
}

// writers returns a writer by SQL, one by the API, and one that uses WordPress's functions.
func (v *varnished) writers() []titleWriter {
	return []titleWriter{{"SQL", v.writeSQL}, {"API", v.writeAPI}, {"WordPress", v.wordPress()}}
}

func (v *varnished) writeSQL(id int, title string) error {
	_, err := v.db.Exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", title, id)
	return err
}

// bossPassword is the application password of the user whose writes go through the API.
const bossPassword = "opensesame"

// addUser adds that user.
func (v *varnished) addUser() {
	v.t.Helper()
	stored := phpserial.Serialize(php.List(php.Pairs("uuid", "00000000-0000-4000-8000-000000000000", "name", "x", "password", wpauth.FastHash(bossPassword))))
	if err := synthetic.AddAdministrator(v.t.Context(), v.db, "wp_", "boss", stored); err != nil {
		v.t.Fatal(err)
	}
}

func (v *varnished) writeAPI(id int, title string) error {
	body, err := json.Marshal(map[string]string{"title": title})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, fmt.Sprintf("http://%s/wp-json/calendar/events/v1/events/%d", v.varnish, id), strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	r.Host = "example.com"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", basicHeader("boss", bossPassword))
	r.Header.Set("X-Forwarded-Proto", "https") // application passwords need it
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %.300s", resp.StatusCode, text)
	}
	return err
}

// wordPress starts WordPress without a web server, and returns a function that saves by it.
func (v *varnished) wordPress() func(id int, title string) error {
	t := v.t
	t.Helper()
	folder := os.Getenv("CALBRIDGE_WORDPRESS")
	if folder == "" {
		folder = "/usr/share/wordpress"
	}
	_, err := os.Stat(filepath.Join(folder, "wp-settings.php"))
	if err == nil {
		_, err = exec.LookPath("php")
	}
	if err != nil {
		if os.Getenv("CALBRIDGE_REQUIRE_WORDPRESS") == "1" {
			t.Fatal(err)
		}
		t.Skipf("needs PHP and WordPress (apt-get install wordpress php-cli php-mysql, or set CALBRIDGE_WORDPRESS=folder): %v", err)
	}
	dsn, err := mysql.ParseDSN(v.dsn)
	if err != nil {
		t.Fatal(err)
	}
	host := dsn.Addr
	if dsn.Net == "unix" {
		host = "localhost:" + dsn.Addr
	}
	log := &output{}
	cmd := exec.Command("php", "-d", "display_errors=stderr", "testdata/wordpress_writer.php", folder, t.TempDir(), dsn.DBName, dsn.User, dsn.Passwd, host)
	cmd.Stderr = log
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close() // which ends it
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	expect := func(want string) error {
		if !lines.Scan() || lines.Text() != want {
			return fmt.Errorf("WordPress printed %q, want %q; %v\n%s", lines.Text(), want, lines.Err(), log)
		}
		return nil
	}
	if err := expect("ready"); err != nil {
		t.Fatal(err)
	}
	return func(id int, title string) error {
		if err := json.NewEncoder(in).Encode(map[string]any{"id": id, "title": title}); err != nil {
			return err
		}
		return expect("saved")
	}
}
