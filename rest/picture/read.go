package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"

	"golang.org/x/image/webp"
)

// ErrNotPicture says that data is none of the pictures that are stored.
var ErrNotPicture = errors.New("no picture that can be stored")

// MaxPixels is the largest picture that is taken: decoding needs up to eight bytes
// for each pixel.
const MaxPixels = 50_000_000

// format is one kind of picture that is stored.
type format struct {
	mime       string
	magic      func([]byte) bool
	extensions []string // the first is used where the name has none of them
	config     func([]byte) (image.Config, error)
	decode     func([]byte) (image.Image, error) // nil: no copies are made
}

func startsWith(magic ...string) func([]byte) bool {
	return func(data []byte) bool {
		return slices.ContainsFunc(magic, func(m string) bool { return bytes.HasPrefix(data, []byte(m)) })
	}
}

var formats = []format{
	{"image/jpeg", startsWith("\xff\xd8\xff"), []string{"jpg", "jpeg", "jpe"},
		func(b []byte) (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(b)) },
		func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) }},
	{"image/png", startsWith("\x89PNG\r\n\x1a\n"), []string{"png"},
		func(b []byte) (image.Config, error) { return png.DecodeConfig(bytes.NewReader(b)) },
		func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) }},
	{"image/gif", startsWith("GIF87a", "GIF89a"), []string{"gif"},
		func(b []byte) (image.Config, error) { return gif.DecodeConfig(bytes.NewReader(b)) },
		func(b []byte) (image.Image, error) { return gif.Decode(bytes.NewReader(b)) }},
	{"image/webp", func(b []byte) bool { return len(b) > 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP" }, []string{"webp"},
		func(b []byte) (image.Config, error) { return webp.DecodeConfig(bytes.NewReader(b)) }, nil},
}

// Stored says whether pictures of a media type are stored.
func Stored(mediaType string) bool {
	return slices.ContainsFunc(formats, func(f format) bool { return f.mime == mediaType })
}

// Picture is one that has been recognised.
type Picture struct {
	Mime          string
	Width, Height int // as it is shown, that is, turned by its orientation
	data          []byte
	format        *format
	turned        int // EXIF orientation: 1 is upright
}

// Read recognises a picture by its first bytes and its header.
func Read(data []byte) (*Picture, error) {
	for i := range formats {
		f := &formats[i]
		if !f.magic(data) {
			continue
		}
		c, err := f.config(data)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNotPicture, err)
		}
		if c.Width <= 0 || c.Height <= 0 || c.Width > MaxPixels/c.Height {
			return nil, fmt.Errorf("%w: %d by %d pixels", ErrNotPicture, c.Width, c.Height)
		}
		p := &Picture{Mime: f.mime, Width: c.Width, Height: c.Height, data: data, format: f, turned: 1}
		if f.mime == "image/jpeg" {
			p.turned = orientation(data)
			if p.turned >= 5 {
				p.Width, p.Height = p.Height, p.Width
			}
		}
		return p, nil
	}
	return nil, ErrNotPicture
}
