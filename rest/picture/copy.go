package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"
)

// jpegQuality is WordPress's for copies.
const jpegQuality = 82

// ditherRows is how many rows of a GIF are dithered between two looks at the context.
const ditherRows = 256

// source is a decoded picture from which copies are made.
type source struct {
	format string
	pixels image.Image
	// width and height are those of the picture as it was stored; pixels may be a
	// smaller version of it.
	width, height int
	palette       *image.Paletted // of a GIF
}

// memory returns how many bytes source and scaled take at most: the decoded picture, what is
// between the two steps of scaling, two pictures at the largest size, for turning and
// copying, and strips.
func (p *Picture) memory() int64 {
	w, h := fit(p.Width, p.Height, largest, largest)
	between := max(w*p.Height, h*p.Width) // one of them, as it may lie on its side
	return p.perPixel*int64(p.Width)*int64(p.Height) + 4*int64(between+2*w*h) + 2*stripBytes
}

// source decodes the picture and turns it upright. One that is larger than the largest
// side is made smaller before, so that this and copies are cheap.
func (p *Picture) source(ctx context.Context) (*source, error) {
	pixels, _, err := image.Decode(&untilDone{ctx: ctx, Reader: bytes.NewReader(p.data)})
	if ctxErr := ctx.Err(); ctxErr != nil { // which the decoder takes for a bad picture
		return nil, fmt.Errorf("decode a picture: %w", ctxErr)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotPicture, err)
	}
	s := &source{format: p.format, pixels: pixels, width: pixels.Bounds().Dx(), height: pixels.Bounds().Dy()}
	s.palette, _ = pixels.(*image.Paletted)
	if s.width > largest || s.height > largest {
		w, h := fit(s.width, s.height, largest, largest)
		if s.pixels, err = s.scaled(ctx, w, h, image.Rect(0, 0, s.width, s.height)); err != nil {
			return nil, err
		}
	}
	s.pixels, s.width, s.height = upright(s.pixels, p.orientation), p.Width, p.Height
	return s, nil
}

// stripBytes bounds the memory of the scaler itself, which takes scalerBytes for each
// pixel of as many rows as it reads and as many columns as it writes.
const (
	stripBytes  = 8 << 20
	scalerBytes = 32
)

// scaled returns a part of the picture, given in its original pixels, at another size. It
// scales the columns of a strip of rows at a time, then the rows of a strip of columns: in
// one step the scaler would take memory for the width of the copy times the height of the
// picture.
func (s *source) scaled(ctx context.Context, w, h int, part image.Rectangle) (*image.RGBA, error) {
	b := s.pixels.Bounds()
	x, y := float64(b.Dx())/float64(s.width), float64(b.Dy())/float64(s.height)
	from := image.Rect(round(float64(part.Min.X)*x), round(float64(part.Min.Y)*y), round(float64(part.Max.X)*x), round(float64(part.Max.Y)*y)).Add(b.Min).Intersect(b)
	between := image.NewRGBA(image.Rect(0, 0, w, from.Dy()))
	rows := max(1, stripBytes/scalerBytes/w)
	strip := draw.CatmullRom.NewScaler(w, rows, from.Dx(), rows)
	for top := 0; top < from.Dy(); top += rows {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("scale a picture: %w", err)
		}
		to := image.Rect(0, top, w, min(top+rows, from.Dy()))
		strip.Scale(between, to, s.pixels, image.Rect(from.Min.X, from.Min.Y+to.Min.Y, from.Max.X, from.Min.Y+to.Max.Y), draw.Src, nil)
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	columns := max(1, stripBytes/scalerBytes/max(from.Dy(), 1))
	strip = draw.CatmullRom.NewScaler(columns, h, columns, from.Dy())
	for left := 0; left < w; left += columns {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("scale a picture: %w", err)
		}
		to := image.Rect(left, 0, min(left+columns, w), h)
		strip.Scale(out, to, between, image.Rect(to.Min.X, 0, to.Max.X, from.Dy()), draw.Src, nil)
	}
	return out, nil
}

// untilDone stops decoders and encoders at the end of a context, by an error of what they
// read or write.
type untilDone struct {
	ctx context.Context
	io.Reader
	io.Writer
}

// Read implements io.Reader.
func (u *untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(p)
}

// Write implements io.Writer.
func (u *untilDone) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Writer.Write(p)
}

// encode writes pixels in the format of the picture.
func (s *source) encode(ctx context.Context, pixels image.Image) ([]byte, error) {
	var buf bytes.Buffer
	out := &untilDone{ctx: ctx, Writer: &buf}
	var err error
	switch s.format {
	case "jpeg":
		err = jpeg.Encode(out, pixels, &jpeg.Options{Quality: jpegQuality})
	case "png":
		err = png.Encode(out, pixels)
	default:
		if s.palette != nil {
			p := image.NewPaletted(pixels.Bounds(), s.palette.Palette)
			for top := 0; top < p.Rect.Max.Y; top += ditherRows {
				if err := ctx.Err(); err != nil {
					return nil, fmt.Errorf("encode gif: %w", err)
				}
				draw.FloydSteinberg.Draw(p, image.Rect(0, top, p.Rect.Max.X, min(top+ditherRows, p.Rect.Max.Y)), pixels, image.Pt(0, top))
			}
			pixels = p
		}
		err = gif.Encode(out, pixels, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", s.format, err)
	}
	return buf.Bytes(), nil
}
