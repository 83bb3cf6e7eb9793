package picture

import (
	"image"
	"math"
)

// Size is one smaller copy that the site makes of each picture. 0 leaves a side free; a
// Size with Crop fills both sides and cuts off the rest.
type Size struct {
	Name          string
	Width, Height int
	Crop          bool
}

// largest is WordPress's threshold for big images: a picture with a longer side is
// replaced by a smaller copy.
const largest = 2560

// fit returns the largest size of the same proportions inside of a box; a side of 0 is
// free. A side that is one pixel short of the box by rounding is made to fit it.
func fit(w, h, maxW, maxH int) (int, int) {
	byWidth, byHeight := 1.0, 1.0
	overW, overH := maxW > 0 && w > maxW, maxH > 0 && h > maxH
	if overW {
		byWidth = float64(maxW) / float64(w)
	}
	if overH {
		byHeight = float64(maxH) / float64(h)
	}
	ratio := max(byWidth, byHeight)
	if round(float64(w)*ratio) > maxW || round(float64(h)*ratio) > maxH {
		ratio = min(byWidth, byHeight)
	}
	fw, fh := max(1, round(float64(w)*ratio)), max(1, round(float64(h)*ratio))
	if overW && fw == maxW-1 {
		fw = maxW
	}
	if overH && fh == maxH-1 {
		fh = maxH
	}
	return fw, fh
}

func round(x float64) int { return int(math.Floor(x + 0.5)) }

// copyOf returns the size of the copy and the part of the picture that it shows; false
// when the picture is not larger than the copy would be.
func (s Size) copyOf(w, h int) (cw, ch int, part image.Rectangle, ok bool) {
	part = image.Rect(0, 0, w, h)
	switch {
	case s.Width <= 0 && s.Height <= 0:
		return 0, 0, part, false
	case s.Crop:
		cw, ch = min(s.Width, w), min(s.Height, h)
		if s.Width <= 0 {
			cw = round(float64(ch) * float64(w) / float64(h))
		}
		if s.Height <= 0 {
			ch = round(float64(cw) * float64(h) / float64(w))
		}
		cw, ch = max(cw, 1), max(ch, 1)
		scale := max(float64(cw)/float64(w), float64(ch)/float64(h))
		pw, ph := min(w, max(1, round(float64(cw)/scale))), min(h, max(1, round(float64(ch)/scale)))
		x, y := (w-pw)/2, (h-ph)/2
		part = image.Rect(x, y, x+pw, y+ph)
	default:
		cw, ch = fit(w, h, s.Width, s.Height)
	}
	return cw, ch, part, !(near(cw, w) && near(ch, h))
}

func near(a, b int) bool { return a-b <= 1 && b-a <= 1 }
