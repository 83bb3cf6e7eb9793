package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	pixels "image"
	"image/jpeg"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"calbridge/rest/picture"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// pictureHost answers for every public name of the tests.
type pictureHost struct {
	*httptest.Server
	photo []byte
	mu    sync.Mutex
	asked []string
}

func (h *pictureHost) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	address := "93.184.215.14"
	if host == "inside.example" {
		address = "10.0.0.7"
	}
	return []netip.Addr{netip.MustParseAddr(address)}, nil
}

func (h *pictureHost) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	if address != "93.184.215.14:80" {
		return nil, errors.New("not of this test")
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", h.Listener.Addr().String())
}

func (h *pictureHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.asked = append(h.asked, r.Method+" "+r.URL.Path)
	h.mu.Unlock()
	switch {
	case strings.HasPrefix(r.URL.Path, "/photo"):
		w.Header().Set("Content-Type", "image/jpeg")
		w.Write(h.photo)
	case r.URL.Path == "/moved.jpg":
		http.Redirect(w, r, "/photo.jpg", http.StatusFound)
	case r.URL.Path == "/inward.jpg":
		http.Redirect(w, r, "http://inside.example/photo.jpg", http.StatusFound)
	case r.URL.Path == "/liar.jpg":
		w.Header().Set("Content-Type", "image/jpeg")
		fmt.Fprint(w, "<?php echo 1;")
	case r.URL.Path == "/page":
		w.Header().Set("Content-Type", "text/html")
	case r.URL.Path == "/drawing.svg":
		w.Header().Set("Content-Type", "image/svg+xml")
	case r.URL.Path == "/head-only.jpg" && r.Method == http.MethodHead:
		w.Header().Set("Content-Type", "image/jpeg")
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// requests returns those since the last call.
func (h *pictureHost) requests() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := strings.Join(h.asked, ", ")
	h.asked = nil
	return out
}

type pictureSite struct {
	*testSite
	host *pictureHost
	dir  string
}

func newPictureSite(t *testing.T, changes ...func(*Config)) *pictureSite {
	t.Helper()
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, pixels.NewGray(pixels.Rect(0, 0, 800, 400)), nil); err != nil {
		t.Fatal(err)
	}
	h := &pictureHost{photo: photo.Bytes()}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	p := &pictureSite{host: h, dir: t.TempDir()}
	p.testSite = newTestSite(t, append([]func(*Config){func(c *Config) {
		c.UploadsDir = p.dir
		c.Fetch = picture.New(picture.Config{Resolver: h, Dialer: h})
	}}, changes...)...)
	return p
}

func (p *pictureSite) files() (out []string) {
	p.t.Helper()
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(p.dir, path)
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

func (p *pictureSite) attachments() string {
	return p.column("SELECT COUNT(*) FROM wp_posts WHERE post_type = 'attachment' AND ID > 401")
}

const someDates = `"start_date":"2027-03-01 10:00","end_date":"2027-03-01 11:00"`

func TestPictureByURL(t *testing.T) {
	s := newPictureSite(t)
	s.setOption("default_comment_status", "open")
	const url = "http://pictures.example/photo%20one.JPG?size=big"
	a := s.send("alois", "POST", "events", `{"title":"New",`+someDates+`,"image":"`+url+`"}`)
	if a.status != 201 {
		t.Fatalf("%s: %s", a.outcome(), a.body)
	}
	if got := s.host.requests(); got != "HEAD /photo one.JPG, GET /photo one.JPG" {
		t.Error(got)
	}
	id := a.json("image.id")
	thumbnail := s.column("SELECT meta_value FROM wp_postmeta WHERE meta_key = '_thumbnail_id' AND post_id = ?", a.json("id"))
	if thumbnail != id {
		t.Errorf("thumbnail %s, image %s", thumbnail, id)
	}
	title := s.column("SELECT post_title FROM wp_posts WHERE ID = ?", id)
	if !regexp.MustCompile(`^photo-one-[A-Za-z0-9]{6}$`).MatchString(title) {
		t.Error(title)
	}
	file := "2026/11/" + title + ".jpg"
	for column, want := range map[string]string{
		"post_type": "attachment", "post_status": "inherit", "post_name": strings.ToLower(title), "post_mime_type": "image/jpeg", "post_author": "3",
		"guid": "https://village.example/wp-content/uploads/" + file, "post_parent": "0", "post_content": "", "post_excerpt": "", "comment_status": "open", "ping_status": "closed",
		"post_date": "2026-11-21 13:00:00", "post_date_gmt": "2026-11-21 12:00:00", "post_modified": "2026-11-21 13:00:00", "post_modified_gmt": "2026-11-21 12:00:00",
	} {
		if got := s.column("SELECT "+column+" FROM wp_posts WHERE ID = ?", id); got != want {
			t.Errorf("%s: %q, want %q", column, got, want)
		}
	}
	size := func(name string) int64 {
		info, err := os.Stat(filepath.Join(s.dir, "2026/11", name))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	copyOf := func(w, h int64) string {
		name := fmt.Sprintf("%s-%dx%d.jpg", title, w, h)
		return fmt.Sprintf(`a:5:{s:4:"file";s:%d:"%s";s:5:"width";i:%d;s:6:"height";i:%d;s:9:"mime-type";s:10:"image/jpeg";s:8:"filesize";i:%d;}`, len(name), name, w, h, size(name))
	}
	metadata := fmt.Sprintf(`a:6:{s:5:"width";i:800;s:6:"height";i:400;s:4:"file";s:%d:"%s";s:8:"filesize";i:%d;s:5:"sizes";a:3:{s:6:"medium";%ss:9:"thumbnail";%ss:12:"medium_large";%s}`,
		len(file), file, len(s.host.photo), copyOf(300, 150), copyOf(150, 150), copyOf(768, 384)) +
		`s:10:"image_meta";a:13:{s:8:"aperture";s:1:"0";s:6:"credit";s:0:"";s:6:"camera";s:0:"";s:7:"caption";s:0:"";s:17:"created_timestamp";s:1:"0";` +
		`s:9:"copyright";s:0:"";s:12:"focal_length";s:1:"0";s:3:"iso";s:1:"0";s:13:"shutter_speed";s:1:"0";s:5:"title";s:0:"";s:11:"orientation";s:1:"0";s:8:"keywords";a:0:{}s:3:"alt";s:0:"";}}`
	want := [][2]string{{"_wp_attached_file", file}, {"_wp_attachment_metadata", metadata}, {"_tribe_importer_original_url", url}}
	got := s.metas(php.ToInt(id))
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if files := s.files(); len(files) != 4 {
		t.Errorf("%v", files)
	}

	// The same URL again, and the URL of the file itself: no request, no new file.
	for _, again := range []string{url, "https://village.example/wp-content/uploads/" + file} {
		a := s.send("alois", "POST", "events", `{"title":"Again",`+someDates+`,"image":"`+again+`"}`)
		if a.json("image.id") != id {
			t.Errorf("%s: %s %s", again, a.outcome(), a.json("image.id"))
		}
	}
	if got := s.host.requests(); got != "" || len(s.files()) != 4 || s.attachments() != "1" {
		t.Errorf("asked %s, files %v", got, s.files())
	}
}

// TestPicturesOfLinked: venues and organizers have pictures too, on their own and
// inside of an event; one URL is one picture.
func TestPicturesOfLinked(t *testing.T) {
	s := newPictureSite(t)
	body, _ := json.Marshal(map[string]any{
		"title": "New", "start_date": "2027-03-01 10:00", "end_date": "2027-03-01 11:00", "image": "http://pictures.example/photo1.jpg",
		"venue":     map[string]any{"venue": "New hall", "image": "http://pictures.example/photo2.jpg"},
		"organizer": []any{map[string]any{"organizer": "New group", "image": "http://pictures.example/photo1.jpg"}},
	})
	a := s.send("adela", "POST", "events", string(body))
	if a.status != 201 {
		t.Fatalf("%s: %s", a.outcome(), a.body)
	}
	event, venue, organizer := a.json("image.id"), a.json("venue.image.id"), a.json("organizer.0.image.id")
	if event == "" || event != organizer || venue == "" || venue == event || s.attachments() != "2" {
		t.Errorf("%s %s %s", event, venue, organizer)
	}
	for _, kind := range []string{"venue", "organizer"} {
		a := s.send("adela", "POST", kind+"s", `{"`+kind+`":"Another","image":"http://pictures.example/photo3.jpg"}`)
		if a.status != 201 || a.json("image.id") == "" {
			t.Errorf("%s: %s: %s", kind, a.outcome(), a.body)
		}
		a = s.send("adela", "PUT", kind+"s/"+a.json("id"), `{"image":"http://pictures.example/moved.jpg"}`)
		if a.status != 200 || a.json("image.id") == "" {
			t.Errorf("%s: %s: %s", kind, a.outcome(), a.body)
		}
	}
	if s.attachments() != "4" {
		t.Errorf("%s attachments", s.attachments())
	}
}

func TestRefusedPictures(t *testing.T) {
	s := newPictureSite(t)
	send := func(as, url string) answer {
		return s.send(as, "POST", "events", `{"title":"New",`+someDates+`,"image":"`+url+`"}`)
	}
	for _, url := range []string{
		"http://pictures.example/missing.jpg", "http://pictures.example/page", "http://pictures.example/drawing.svg", "http://inside.example/photo.jpg",
		"http://pictures.example/inward.jpg", "http://127.0.0.1/photo.jpg", "http://169.254.169.254/photo.jpg", "http://[::1]/photo.jpg", "http://pictures.example:81/photo.jpg",
		"ftp://pictures.example/photo.jpg", "file:///etc/passwd", "photo.jpg", "//pictures.example/photo.jpg", "http://u:p@pictures.example/photo.jpg",
	} {
		if a := send("adela", url); a.outcome() != "400 rest_invalid_param" || !strings.Contains(a.json("data.params"), "image") {
			t.Errorf("%s: %s", url, a.outcome())
		}
	}
	s.host.requests()
	if a := send("karel", "http://pictures.example/photo.jpg"); a.outcome() != "400 rest_invalid_param" {
		t.Errorf("contributor: %s", a.outcome())
	}
	if got := s.host.requests(); got != "" {
		t.Errorf("asked for a contributor: %s", got)
	}
	var many []string
	for i := range 9 {
		many = append(many, fmt.Sprintf(`{"organizer":"O%d","image":"http://pictures.example/photo%d.jpg"}`, i, i))
	}
	a := s.send("adela", "POST", "events", `{"title":"New",`+someDates+`,"organizer":[`+strings.Join(many, ",")+`]}`)
	if a.outcome() != "400 rest_invalid_param" {
		t.Errorf("many pictures: %s", a.outcome())
	}
	if len(s.files()) != 0 || s.attachments() != "0" {
		t.Errorf("%v", s.files())
	}
	// What turns out to be none after all is no picture, and no error.
	for _, url := range []string{"http://pictures.example/liar.jpg", "http://pictures.example/head-only.jpg"} {
		a := send("adela", url)
		if a.status != 201 || a.json("image") != "false" {
			t.Errorf("%s: %s %s", url, a.outcome(), a.json("image"))
		}
	}
	if len(s.files()) != 0 || s.attachments() != "0" {
		t.Errorf("%v", s.files())
	}
}

// TestPictureOfFailedWrite: nothing stays behind of a request that fails late.
func TestPictureOfFailedWrite(t *testing.T) {
	s := newPictureSite(t)
	a := s.send("adela", "POST", "events", `{"title":"New",`+someDates+`,"image":"http://pictures.example/photo.jpg","organizer":{"organizer":"X"}}`)
	if a.outcome() != "400 could-not-create-organizer" {
		t.Fatalf("%s: %s", a.outcome(), a.body)
	}
	if got := s.host.requests(); !strings.Contains(got, "GET") {
		t.Fatalf("not fetched: %s", got)
	}
	if len(s.files()) != 0 || s.attachments() != "0" {
		t.Errorf("%v", s.files())
	}
}

func TestNoUploads(t *testing.T) {
	s := newPictureSite(t, func(c *Config) { c.UploadsDir = "" })
	a := s.send("adela", "POST", "events", `{"title":"New",`+someDates+`,"image":"http://pictures.example/photo.jpg"}`)
	if a.outcome() != "501 calbridge_no_uploads" {
		t.Errorf("%s: %s", a.outcome(), a.body)
	}
	if n := s.column("SELECT COUNT(*) FROM wp_posts WHERE post_title = 'New'"); n != "0" {
		t.Error("the event is there")
	}
}

// TestPictureSizes: the site's own settings decide about copies and folders.
func TestPictureSizes(t *testing.T) {
	s := newPictureSite(t)
	for name, value := range map[string]string{
		"uploads_use_yearmonth_folders": "", "thumbnail_size_w": "100", "thumbnail_size_h": "80", "thumbnail_crop": "0",
		"medium_size_w": "0", "medium_size_h": "0", "large_size_w": "200", "large_size_h": "200", "medium_large_size_w": "0", "medium_large_size_h": "0",
	} {
		s.setOption(name, value)
	}
	a := s.send("adela", "POST", "events", `{"title":"New",`+someDates+`,"image":"http://pictures.example/photo.jpg"}`)
	if a.status != 201 {
		t.Fatalf("%s: %s", a.outcome(), a.body)
	}
	raw := s.column("SELECT meta_value FROM wp_postmeta WHERE meta_key = '_wp_attachment_metadata' AND post_id = ?", a.json("image.id"))
	sizes, _ := phpserial.Maybe(raw).(*php.Array).At("sizes").(*php.Array)
	var got string
	for name, v := range sizes.All() {
		got += fmt.Sprintf("%s %dx%d ", name, v.(*php.Array).At("width"), v.(*php.Array).At("height"))
	}
	if got != "large 200x100 thumbnail 100x50 " {
		t.Error(got)
	}
	if files := s.files(); len(files) != 3 || strings.Contains(files[0], "/") {
		t.Errorf("%v", files)
	}
}
