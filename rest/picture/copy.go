package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
)

// jpegQuality is WordPress's for copies.
const jpegQuality = 82

// source is a decoded picture from which copies are made.
type source struct {
	format string
	pixels image.Image
	// width and height are those of the picture as it was stored; pixels may be a
	// smaller version of it.
	width, height int
	palette       *image.Paletted // of a GIF
}

func (p *Picture) source() (*source, error) {
	pixels, _, err := image.Decode(bytes.NewReader(p.data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotPicture, err)
	}
	s := &source{format: p.format, pixels: upright(pixels, p.orientation), width: p.Width, height: p.Height}
	s.palette, _ = pixels.(*image.Paletted)
	return s, nil
}

// shrink replaces the pixels by a version that fits the largest side, so that copies of
// very large pictures are cheap.
func (s *source) shrink() {
	if s.width <= largest && s.height <= largest {
		return
	}
	w, h := fit(s.width, s.height, largest, largest)
	s.pixels = s.scaled(w, h, image.Rect(0, 0, s.width, s.height))
}

// scaled returns a part of the picture, given in its original pixels, at another size.
func (s *source) scaled(w, h int, part image.Rectangle) *image.RGBA {
	b := s.pixels.Bounds()
	x, y := float64(b.Dx())/float64(s.width), float64(b.Dy())/float64(s.height)
	from := image.Rect(round(float64(part.Min.X)*x), round(float64(part.Min.Y)*y), round(float64(part.Max.X)*x), round(float64(part.Max.Y)*y)).Add(b.Min).Intersect(b)
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(to, to.Bounds(), s.pixels, from, draw.Src, nil)
	return to
}

// encode writes pixels in the format of the picture.
func (s *source) encode(pixels image.Image) ([]byte, error) {
	var out bytes.Buffer
	var err error
	switch s.format {
	case "jpeg":
		err = jpeg.Encode(&out, pixels, &jpeg.Options{Quality: jpegQuality})
	case "png":
		err = png.Encode(&out, pixels)
	default:
		if s.palette != nil {
			p := image.NewPaletted(pixels.Bounds(), s.palette.Palette)
			draw.FloydSteinberg.Draw(p, p.Bounds(), pixels, image.Point{})
			pixels = p
		}
		err = gif.Encode(&out, pixels, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", s.format, err)
	}
	return out.Bytes(), nil
}
