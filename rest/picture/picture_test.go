package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore/php"
)

// standard are the sizes of a new site.
var standard = []Size{
	{"medium", 300, 300, false}, {"large", 1024, 1024, false}, {"thumbnail", 150, 150, true}, {"medium_large", 768, 0, false},
	{"1536x1536", 1536, 1536, false}, {"2048x2048", 2048, 2048, false},
}

// drawn returns a picture whose left half is red and whose right half is blue.
func drawn(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{255, 0, 0, 255}
			if x >= w/2 {
				c = color.RGBA{0, 0, 255, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

func encoded(t testing.TB, mime string, w, h int) []byte {
	t.Helper()
	var out bytes.Buffer
	var err error
	switch mime {
	case "image/jpeg":
		err = jpeg.Encode(&out, drawn(w, h), nil)
	case "image/png":
		err = png.Encode(&out, drawn(w, h))
	case "image/gif":
		err = gif.Encode(&out, drawn(w, h), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// turned adds an EXIF segment with an orientation to a JPEG file.
func turned(data []byte, orientation uint16) []byte {
	tiff := []byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01")
	tiff = binary.BigEndian.AppendUint16(tiff, orientation)
	tiff = append(tiff, 0, 0, 0, 0, 0, 0)
	segment := append([]byte("Exif\x00\x00"), tiff...)
	out := append([]byte{0xff, 0xd8, 0xff, 0xe1}, byte((len(segment)+2)>>8), byte(len(segment)+2))
	return append(append(out, segment...), data[2:]...)
}

// a webp of one pixel (lossless).
var onePixelWebP = []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\r\x00\x00\x00/\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00")

func TestStored(t *testing.T) {
	tests := []struct {
		name, mime string
		w, h       int
		data       []byte
		want       string // width height suffix sizes… original
	}{
		{"wide", "image/jpeg", 1600, 900, nil, "1600x900 .jpg medium=300x169 large=1024x576 thumbnail=150x150 medium_large=768x432 1536x1536=1536x864"},
		{"sub-size as large as the picture", "image/jpeg", 1024, 768, nil, "1024x768 .jpg medium=300x225 thumbnail=150x150 medium_large=768x576"},
		{"high", "image/png", 600, 1200, nil, "600x1200 .png medium=150x300 large=512x1024 thumbnail=150x150"},
		{"small", "image/png", 50, 50, nil, "50x50 .png"},
		{"as large as a thumbnail", "image/gif", 150, 150, nil, "150x150 .gif"},
		{"a pixel larger", "image/gif", 151, 151, nil, "151x151 .gif"},
		{"two pixels larger", "image/gif", 152, 152, nil, "152x152 .gif thumbnail=150x150"},
		{"flat", "image/png", 400, 100, nil, "400x100 .png medium=300x75 thumbnail=150x100"},
		{"very large", "image/jpeg", 3000, 2000, nil, "2560x1707 -scaled.jpg medium=300x200 large=1024x683 thumbnail=150x150 medium_large=768x512 1536x1536=1536x1024 2048x2048=2048x1365 original"},
		{"very large png", "image/png", 2600, 100, nil, "2600x100 .png medium=300x12 large=1024x39 thumbnail=150x100 medium_large=768x30 1536x1536=1536x59 2048x2048=2048x79"},
		{"lying", "image/jpeg", 0, 0, turned(encoded(t, "image/jpeg", 400, 200), 6), "200x400 -rotated.jpg medium=150x300 thumbnail=150x150 original"},
		{"webp", "image/webp", 0, 0, onePixelWebP, "1x1 .webp"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := tt.data
			if data == nil {
				data = encoded(t, tt.mime, tt.w, tt.h)
			}
			p, err := Read(data)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			s, err := NewFolder(dir, 0).Save(t.Context(), p, "2026/11", "https://a.example/x.png", "poster", standard)
			if err != nil {
				t.Fatal(err)
			}
			if s.Mime != tt.mime || !strings.HasPrefix(s.Title, "poster-") || len(s.Title) != len("poster-")+6 {
				t.Errorf("%s %s", s.Mime, s.Title)
			}
			meta := s.Metadata
			file := php.ToString(meta.At("file"))
			got := fmt.Sprintf("%dx%d %s", meta.At("width"), meta.At("height"), strings.TrimPrefix(file, "2026/11/"+s.Title))
			check := func(name string, size php.Value, w, h php.Value) {
				t.Helper()
				b, err := os.ReadFile(filepath.Join(dir, "2026/11", name))
				if err != nil {
					t.Error(err)
					return
				}
				c, err := Read(b)
				if err != nil || c.Mime != tt.mime || int64(c.Width) != w || int64(c.Height) != h || int64(len(b)) != size {
					t.Errorf("%s: %+v, %v", name, c, err)
				}
			}
			check(filepath.Base(file), meta.At("filesize"), meta.At("width"), meta.At("height"))
			for name, v := range meta.At("sizes").(*php.Array).All() {
				one := v.(*php.Array)
				got += fmt.Sprintf(" %s=%dx%d", name, one.At("width"), one.At("height"))
				want := fmt.Sprintf("%s-%dx%d%s", s.Title, one.At("width"), one.At("height"), filepath.Ext(file))
				if one.At("file") != want || one.At("mime-type") != tt.mime || one.Len() != 5 {
					t.Errorf("%s: %v", name, one)
				}
				check(want, one.At("filesize"), one.At("width"), one.At("height"))
			}
			if original := meta.At("original_image"); original != nil {
				got += " original"
				b, _ := os.ReadFile(filepath.Join(dir, "2026/11", php.ToString(original)))
				if !bytes.Equal(b, data) {
					t.Error("the original has changed")
				}
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if s.File != file {
				t.Errorf("file %s, metadata %s", s.File, file)
			}
			if names := files(t, dir); slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, ".calbridge") }) {
				t.Errorf("left over: %v", names)
			}
			if err := s.Remove(); err != nil || len(files(t, dir)) != 0 {
				t.Errorf("after removal: %v %v", files(t, dir), err)
			}
		})
	}
}

func files(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestKeys: the description has the keys of WordPress in its order.
func TestKeys(t *testing.T) {
	p, err := Read(encoded(t, "image/jpeg", 3000, 100))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFolder(t.TempDir(), 0).Save(t.Context(), p, "", "https://a.example/a.jpeg", "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	keys := func(a *php.Array) string {
		var out []string
		for k := range a.All() {
			out = append(out, k.String())
		}
		return strings.Join(out, " ")
	}
	if got := keys(s.Metadata); got != "width height file filesize sizes image_meta original_image" {
		t.Error(got)
	}
	info := s.Metadata.At("image_meta").(*php.Array)
	if got := keys(info); got != "aperture credit camera caption created_timestamp copyright focal_length iso shutter_speed title orientation keywords alt" {
		t.Error(got)
	}
	if info.At("aperture") != "0" || info.At("alt") != "" || info.At("orientation") != "0" {
		t.Errorf("%v", info)
	}
	if s.File != s.Title+"-scaled.jpeg" || s.Metadata.At("original_image") != s.Title+".jpeg" {
		t.Error(s.File)
	}
}

func TestCopyOf(t *testing.T) {
	tests := []struct {
		s    Size
		w, h int
		want string
	}{
		{Size{Width: 150, Height: 150, Crop: true}, 300, 200, "150 150 (50,0)-(250,200) true"},
		{Size{Width: 150, Height: 150, Crop: true}, 200, 301, "150 150 (0,50)-(200,250) true"},
		{Size{Width: 150, Height: 0, Crop: true}, 300, 200, "150 100 (0,0)-(300,200) true"},
		{Size{Width: 150, Height: 150, Crop: true}, 100, 400, "100 150 (0,125)-(100,275) true"},
		{Size{}, 300, 200, "0 0 (0,0)-(300,200) false"},
		{Size{Width: 300, Height: 300}, 301, 200, "300 199 (0,0)-(301,200) false"},
		{Size{Width: 300}, 100, 5000, "100 5000 (0,0)-(100,5000) false"},
		{Size{Height: 50}, 100, 5000, "1 50 (0,0)-(100,5000) true"},
		{Size{Width: 10, Height: 10}, 5000, 1, "10 1 (0,0)-(5000,1) true"},
	}
	for _, tt := range tests {
		w, h, part, ok := tt.s.copyOf(tt.w, tt.h)
		if got := fmt.Sprint(w, h, part, ok); got != tt.want {
			t.Errorf("%+v of %dx%d: %s, want %s", tt.s, tt.w, tt.h, got, tt.want)
		}
	}
}

func TestStem(t *testing.T) {
	for address, want := range map[string]string{
		"https://a.example/x/My%20Poster.final.JPG?size=9": "My-Poster.final", "https://a.example/": "image", "https://a.example": "image", "://": "image",
		"https://a.example/evil.php.jpg": "evil.php", "https://a.example/evil.php.b.jpg": "evil.php_.b", "https://a.example/a.jpg.png": "a.jpg",
		"https://a.example/..%2f..%2fetc%2fpasswd.png": "passwd", "https://a.example/%2e%2e": "image", "https://a.example/a%00b.png": "ab", "https://a.example/...png": "image",
		"https://a.example/.htaccess": "image", "https://a.example/%F0%9F%98%80.png": "image", "https://a.example/a---b_.png": "a-b", `https://a.example/..\..\x.png`: "x",
	} {
		got := Stem(address, func(s string) string { return s })
		if got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

func TestNoPicture(t *testing.T) {
	bomb := encoded(t, "image/png", 1, 1)
	binary.BigEndian.PutUint32(bomb[16:], 100_000)
	binary.BigEndian.PutUint32(bomb[20:], 100_000)
	for name, data := range map[string][]byte{
		"nothing": nil, "text": []byte("<?php"), "svg": []byte("<svg/>"), "magic only": []byte("\x89PNG\r\n\x1a\n"), "bomb": bomb, "gif": []byte("GIF89a"),
		"no area": []byte("GIF89a\x00\x00\x00\x00\x00\x00\x00"),
	} {
		if p, err := Read(data); err == nil {
			t.Errorf("%s is a picture: %+v", name, p)
		}
	}
	// The header is fine, the rest is missing: nothing stays behind.
	data := encoded(t, "image/png", 400, 300)
	p, err := Read(data[:len(data)/2])
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := NewFolder(dir, 0).Save(t.Context(), p, "2026/11", "", "a", standard); err == nil || len(files(t, dir)) != 0 {
		t.Errorf("half a picture: %v, %v", err, files(t, dir))
	}
}

// TestInside: nothing is written outside of the folder.
func TestInside(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "2026")); err != nil {
		t.Skip(err)
	}
	p, err := Read(encoded(t, "image/png", 2, 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"2026", "2026/11", "..", "../x", "/tmp"} {
		if _, err := NewFolder(dir, 0).Save(t.Context(), p, sub, "", "a", nil); err == nil {
			t.Errorf("stored in %s", sub)
		}
	}
	if _, err := NewFolder(filepath.Join(dir, "missing"), 0).Save(t.Context(), p, "", "", "a", nil); err == nil {
		t.Error("stored without the folder")
	}
	if got := files(t, outside); got != nil {
		t.Error(got)
	}
}

func TestUpright(t *testing.T) {
	// a b c
	// d e f
	src := image.NewGray(image.Rect(0, 0, 3, 2))
	copy(src.Pix, "abcdef")
	want := map[int]string{1: "abc/def", 2: "cba/fed", 3: "fed/cba", 4: "def/abc", 5: "ad/be/cf", 6: "da/eb/fc", 7: "fc/eb/da", 8: "cf/be/ad"}
	got := map[int]string{}
	for o := range want {
		m := upright(src, o)
		b := m.Bounds()
		var rows []string
		for y := range b.Dy() {
			row := ""
			for x := range b.Dx() {
				r, _, _, _ := m.At(x, y).RGBA()
				row += string(rune(r >> 8))
			}
			rows = append(rows, row)
		}
		got[o] = strings.Join(rows, "/")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzRead(f *testing.F) {
	for _, mime := range []string{"image/jpeg", "image/png", "image/gif"} {
		f.Add(encoded(f, mime, 3, 2))
	}
	f.Add(onePixelWebP)
	f.Add(turned(encoded(f, "image/jpeg", 3, 2), 6))
	f.Add(turned(encoded(f, "image/jpeg", 3, 2), 9))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read(data)
		if err != nil || p.Width*p.Height > 1<<16 || p.format == "webp" {
			return
		}
		if s, err := p.source(t.Context()); err == nil {
			_, _ = s.scaled(t.Context(), 2, 2, image.Rect(0, 0, p.Width, p.Height))
		}
	})
}

// TestRights checks that PHP can use what is stored, although the umask of the service lets only
// its own user read: folders are like the uploads folder, and files have its permissions.
func TestRights(t *testing.T) {
	p, err := Read(encoded(t, "image/png", 50, 50))
	if err != nil {
		t.Fatal(err)
	}
	before := syscall.Umask(0o077)
	defer syscall.Umask(before)
	for _, want := range []fs.FileMode{0o755, 0o750, 0o775 | fs.ModeSetgid} {
		dir := t.TempDir()
		if err := os.Chmod(dir, want); err != nil {
			t.Fatal(err)
		}
		s, err := NewFolder(dir, 0).Save(t.Context(), p, "2026/11", "https://a.example/x.png", "poster", nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]fs.FileMode{"2026": want, "2026/11": want, s.File: want & 0o666} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode() & (fs.ModePerm | fs.ModeSetgid); got != want {
				t.Errorf("%s has the mode %v, want %v", name, got, want)
			}
		}
	}
}
