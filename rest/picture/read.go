package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // image.Decode reads the formats that are imported
	_ "image/jpeg"
	_ "image/png"
	"strings"

	_ "golang.org/x/image/webp"
)

// ErrNotPicture is returned for data that is not a picture of a supported format.
var ErrNotPicture = errors.New("no picture that can be stored")

// MaxPixels and MaxSide are the largest picture that is accepted.
const (
	MaxPixels = 50_000_000
	MaxSide   = 1<<16 - 1 // JPEG's own bound
)

// extensions of the files of each format, by its name in package image; the first is
// used where a URL has none of them.
var extensions = map[string][]string{
	"jpeg": {"jpg", "jpeg", "jpe"},
	"png":  {"png"},
	"gif":  {"gif"},
	"webp": {"webp"}, // nothing encodes it: no copies are made
}

// Stored reports whether pictures of a media type are stored.
func Stored(mediaType string) bool {
	format, ok := strings.CutPrefix(mediaType, "image/")
	return ok && extensions[format] != nil
}

// Picture is a recognised picture.
type Picture struct {
	Mime          string
	Width, Height int // as it is shown, that is, turned by its orientation
	data          []byte
	format        string
	// perPixel is how many bytes decoding takes for each pixel at most.
	perPixel    int64
	orientation int // of EXIF: 1 is upright
}

// Read recognises a picture by its first bytes and its header.
func Read(data []byte) (*Picture, error) {
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNotPicture, err)
	case extensions[format] == nil: // another package has imported its decoder
		return nil, fmt.Errorf("%w: %s", ErrNotPicture, format)
	case c.Width <= 0 || c.Height <= 0 || c.Width > MaxSide || c.Height > MaxSide || c.Width > MaxPixels/c.Height:
		return nil, fmt.Errorf("%w: %d by %d pixels", ErrNotPicture, c.Width, c.Height)
	}
	p := &Picture{Mime: "image/" + format, Width: c.Width, Height: c.Height, data: data, format: format, perPixel: perPixel(data, format, c.ColorModel), orientation: 1}
	if format == "jpeg" {
		p.orientation = orientation(data)
		if p.orientation >= 5 {
			p.Width, p.Height = p.Height, p.Width
		}
	}
	return p, nil
}

// perPixel returns how many bytes a decoder takes for a pixel at most.
func perPixel(data []byte, format string, model color.Model) int64 {
	switch format {
	case "gif":
		return 1
	case "jpeg":
		n := frameBytes(data)
		if model == color.RGBAModel || model == color.CMYKModel {
			n += 8 // it is converted
		}
		return n
	}
	n := int64(4)
	if model == color.NRGBA64Model || model == color.RGBA64Model {
		n = 8
	}
	if len(data) > 28 && data[28] != 0 {
		n *= 2 // each pass of an interlaced picture is one of its own
	}
	return n
}
