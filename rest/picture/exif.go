package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"iter"

	"golang.org/x/image/draw"
)

// orientation returns the rotation of a JPEG file by its EXIF data: 1 (upright) to 8. It returns 1
// if the file doesn't state it.
func orientation(data []byte) int {
	for marker, segment := range segments(data) {
		if tiff, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); ok && marker == 0xe1 {
			return tiffOrientation(tiff)
		}
	}
	return 1
}

// frameBytes returns how many bytes decoding a JPEG file takes for each pixel, by the sampling
// of its components: one for each sample, and four more for the coefficients of a
// progressive picture.
func frameBytes(data []byte) int64 {
	const most = 4 * (1 + 4)
	for marker, frame := range segments(data) {
		if marker < 0xc0 || marker > 0xc2 || len(frame) < 6 {
			continue
		}
		samples, widest, highest := 0, 1, 1
		for at := 6; at+3 <= len(frame); at += 3 {
			h, v := int(frame[at+1]>>4), int(frame[at+1]&15)
			samples, widest, highest = samples+h*v, max(widest, h), max(highest, v)
		}
		if marker == 0xc2 {
			samples *= 1 + 4
		}
		return int64(min((samples+widest*highest-1)/(widest*highest), most))
	}
	return most
}

// segments yields the markers and contents of a JPEG file up to its first scan.
func segments(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		for at := 2; at+4 <= len(data) && data[at] == 0xff; {
			marker, size := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
			if marker == 0xda || size < 2 || at+2+size > len(data) || !yield(marker, data[at+4:at+2+size]) {
				return
			}
			at += 2 + size
		}
	}
}

// tiffOrientation finds tag 0x0112 in the first directory of TIFF data.
func tiffOrientation(data []byte) int {
	if len(data) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if data[0] == 'M' {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(data[4:]))
	if at+2 > int64(len(data)) {
		return 1
	}
	entries := data[at+2:]
	for n := order.Uint16(data[at:]); n > 0 && len(entries) >= 12; n-- {
		if order.Uint16(entries) == 0x0112 {
			if v := int(order.Uint16(entries[8:])); v >= 1 && v <= 8 {
				return v
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}

// upright turns a picture by its orientation.
func upright(src image.Image, orientation int) image.Image {
	if orientation <= 1 {
		return src
	}
	b := src.Bounds()
	from := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(from, from.Bounds(), src, b.Min, draw.Src)
	w, h := b.Dx(), b.Dy()
	if orientation >= 5 {
		w, h = h, w
	}
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			fx, fy := x, y
			switch orientation {
			case 2:
				fx = w - 1 - x
			case 3:
				fx, fy = w-1-x, h-1-y
			case 4:
				fy = h - 1 - y
			case 5:
				fx, fy = y, x
			case 6:
				fx, fy = y, w-1-x
			case 7:
				fx, fy = h-1-y, w-1-x
			case 8:
				fx, fy = h-1-y, x
			}
			copy(to.Pix[to.PixOffset(x, y):][:4], from.Pix[from.PixOffset(fx, fy):][:4])
		}
	}
	return to
}
