package respcache

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Encoding is a content coding (RFC 9110, section 8.4.1).
type Encoding int

// The encodings, in ascending order of preference.
const (
	Identity Encoding = iota
	Gzip
	Zstd

	encodings = iota
)

// MinCompressed is the smallest body that is compressed, in bytes: a smaller answer fits
// into one packet anyway.
const MinCompressed = 1200

// Name returns the coding's name, "" for identity.
func (e Encoding) Name() string {
	switch e {
	case Gzip:
		return "gzip"
	case Zstd:
		return "zstd"
	}
	return ""
}

// Suffix distinguishes the entity tag of the encoded body: a strong tag identifies the
// exact bytes (RFC 9110, section 8.8.1).
func (e Encoding) Suffix() string {
	if e == Identity {
		return ""
	}
	return "-" + e.Name()
}

// Negotiate chooses the encoding for an Accept-Encoding header: the one with the highest
// weight, among equals the one that compresses best. Without the header it compresses
// nothing, though RFC 9110 would allow it.
func Negotiate(accept string) Encoding {
	if accept == "" {
		return Identity
	}
	weights := [encodings]float64{Identity: -1, Gzip: -1, Zstd: -1}
	others := -1.0
	for item := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(item, ";")
		weight := quality(parameters)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip":
			weights[Gzip] = weight
		case "zstd":
			weights[Zstd] = weight
		case "identity":
			weights[Identity] = weight
		case "*":
			others = weight
		}
	}
	best, highest := Identity, 0.0
	for _, e := range []Encoding{Zstd, Gzip} {
		weight := weights[e]
		if weight < 0 {
			weight = others
		}
		if weight > highest {
			best, highest = e, weight
		}
	}
	if weights[Identity] > highest {
		return Identity
	}
	return best
}

// quality reads the weight among the parameters of an item, 1 without one.
func quality(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return q
	}
	return 1
}

// Compressor compresses bodies at the fastest levels: a page of fifty events takes a
// tenth of a millisecond. It is safe for concurrent use.
type Compressor struct {
	zstd *zstd.Encoder
	gzip sync.Pool
}

// NewCompressor returns a Compressor.
func NewCompressor() *Compressor {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are constants
	}
	return &Compressor{zstd: encoder}
}

// Compress returns the body in an encoding.
func (c *Compressor) Compress(e Encoding, body []byte) []byte {
	switch e {
	case Gzip:
		return c.gzipped(body)
	case Zstd:
		return c.zstd.EncodeAll(body, make([]byte, 0, len(body)/3))
	}
	return body
}

func (c *Compressor) gzipped(body []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(body) / 3)
	w, ok := c.gzip.Get().(*gzip.Writer)
	if ok {
		w.Reset(&out)
	} else {
		w, _ = gzip.NewWriterLevel(&out, gzip.BestSpeed) // fails for unknown levels only
	}
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	c.gzip.Put(w)
	return out.Bytes()
}
