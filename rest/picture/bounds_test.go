package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"runtime"
	"testing"
	"time"
)

// pngHeader returns a PNG file that ends after its header.
func pngHeader(w, h uint32, bits, colors, interlace byte) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), w), h)
	head = append(head, bits, colors, 0, 0, interlace)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(head))
}

// TestSides: a picture is refused by its longer side too, before anything is decoded.
func TestSides(t *testing.T) {
	for _, c := range []struct {
		w, h uint32
		ok   bool
	}{{1, 50_000_000, false}, {50_000_000, 1, false}, {1, MaxSide + 1, false}, {1, MaxSide, true}, {MaxSide, 700, true}, {7071, 7071, true}, {7072, 7072, false}} {
		if _, err := Read(pngHeader(c.w, c.h, 8, 2, 0)); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrNotPicture) {
			t.Errorf("%d by %d: %v", c.w, c.h, err)
		}
	}
}

// TestMemoryOfPictures: what decoding takes is known before.
func TestMemoryOfPictures(t *testing.T) {
	frame := func(marker byte, sampling ...byte) []byte {
		out := []byte{0xff, 0xd8, 0xff, marker, 0, byte(8 + 3*len(sampling)), 8, 0, 9, 0, 9, byte(len(sampling))}
		for i, s := range sampling {
			out = append(out, byte(i), s, 0)
		}
		return out
	}
	for name, c := range map[string]struct{ got, want int64 }{
		"4:4:4":             {frameBytes(frame(0xc0, 0x11, 0x11, 0x11)), 3},
		"4:2:0":             {frameBytes(frame(0xc1, 0x22, 0x11, 0x11)), 2},
		"4:2:0 progressive": {frameBytes(frame(0xc2, 0x22, 0x11, 0x11)), 8},
		"4:4:4 progressive": {frameBytes(frame(0xc2, 0x11, 0x11, 0x11)), 15},
		"gray progressive":  {frameBytes(frame(0xc2, 0x11)), 5},
		"no frame":          {frameBytes([]byte{0xff, 0xd8}), 20},
		"no sampling":       {frameBytes(frame(0xc0, 0, 0)), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d bytes for a pixel, want %d", name, c.got, c.want)
		}
	}
	for _, c := range []struct {
		bits, colors, interlace byte
		want                    int64
	}{{8, 2, 0, 4}, {8, 6, 1, 8}, {16, 6, 0, 8}, {16, 2, 1, 16}} {
		if p, err := Read(pngHeader(10, 10, c.bits, c.colors, c.interlace)); err != nil || p.perPixel != c.want {
			t.Errorf("%+v: %+v, %v", c, p, err)
		}
	}
}

// TestLargePictures: copies of a picture take memory for the picture, not for the width of
// a copy times the height of the picture.
func TestLargePictures(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 7071, 7071))); err != nil {
		t.Fatal(err)
	}
	p, err := Read(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	if _, err := NewFolder(t.TempDir(), 0).Save(t.Context(), p, "", "", "a", standard); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	took := after.TotalAlloc - before.TotalAlloc
	t.Logf("%d MiB allocated in all, %d MiB reckoned with, in %s", took>>20, p.memory()>>20, time.Since(begin).Round(time.Millisecond))
	if took > 600<<20 {
		t.Errorf("%d MiB were allocated", took>>20)
	}
}

// TestLittleMemory: a picture that needs more than there is gets no copies.
func TestLittleMemory(t *testing.T) {
	p, err := Read(encoded(t, "image/jpeg", 3000, 200))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s, err := NewFolder(dir, p.memory()-1).Save(t.Context(), p, "", "", "a", standard)
	if err != nil || len(files(t, dir)) != 1 || s.Metadata.Array("sizes").Len() != 0 || s.Metadata.At("width") != int64(3000) {
		t.Errorf("%v, %v, %v", files(t, dir), s, err)
	}
	if _, err := NewFolder(dir, p.memory()).Save(t.Context(), p, "", "", "b", standard); err != nil || len(files(t, dir)) < 5 {
		t.Errorf("%v, %v", files(t, dir), err)
	}
}

// TestPicturesShareMemory: a picture waits for the memory of another, as long as its
// request may take.
func TestPicturesShareMemory(t *testing.T) {
	p, err := Read(encoded(t, "image/jpeg", 30, 20))
	if err != nil {
		t.Fatal(err)
	}
	f := NewFolder(t.TempDir(), p.memory())
	if err := f.budget.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := f.Save(ctx, p, "", "", "a", standard); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	f.budget.Release(1)
	if _, err := f.Save(t.Context(), p, "", "", "a", standard); err != nil {
		t.Error(err)
	}
}

// expiring ends after some looks at it.
type expiring struct {
	context.Context
	left int
}

func (e *expiring) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestPicturesStop: the end of the request stops decoding, scaling and encoding, wherever
// they are, and leaves no file behind.
func TestPicturesStop(t *testing.T) {
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, drawn(2700, 600), nil); err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{photo.Bytes(), turned(encoded(t, "image/jpeg", 200, 100), 6), encoded(t, "image/png", 400, 300), encoded(t, "image/gif", 400, 300)} {
		p, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		stopped := 0
		for left := 0; ; left = 2*left + 1 {
			dir := t.TempDir()
			_, err := NewFolder(dir, 0).Save(&expiring{t.Context(), left}, p, "", "", "a", standard[:1])
			if err == nil {
				break
			}
			stopped++
			if !errors.Is(err, context.Canceled) || len(files(t, dir)) != 0 {
				t.Fatalf("%s, %d: %v, %v", p.Mime, left, err, files(t, dir))
			}
		}
		if stopped < 3 {
			t.Errorf("%s: %d places to stop at", p.Mime, stopped)
		}
	}
}
