package respcache

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func TestNegotiate(t *testing.T) {
	for accept, want := range map[string]Encoding{
		"": Identity, "gzip": Gzip, "GZIP": Gzip, "x-gzip": Gzip, "br": Identity, "zstd": Zstd, "gzip, deflate, br, zstd": Zstd,
		"gzip;q=1.0, zstd;q=0.5": Gzip, "gzip;q=0": Identity, "*": Zstd, "*;q=0.1, gzip": Gzip, "zstd;q=0, *": Gzip,
		"identity, gzip;q=0.5": Identity, "gzip;q=x": Identity, "gzip;q=2": Identity, ";;,,=": Identity, "gzip; q = 0.3": Gzip,
	} {
		if got := Negotiate(accept); got != want {
			t.Errorf("%q: %q, want %q", accept, got.Name(), want.Name())
		}
	}
}

func FuzzNegotiate(f *testing.F) {
	f.Add("gzip;q=1.0, zstd;q=0.5, *;q=0")
	f.Fuzz(func(t *testing.T, accept string) {
		if e := Negotiate(accept); e != Identity && !strings.Contains(strings.ToLower(accept), e.Name()) && !strings.Contains(accept, "*") {
			t.Errorf("%q: %s", accept, e.Name())
		}
	})
}

func TestEncoded(t *testing.T) {
	body := []byte(strings.Repeat(`{"id":1,"title":"Koncert"},`, 500))
	a, c := &Answer{Body: body}, NewCompressor()
	for range 2 { // pooled writers too
		for e, read := range map[Encoding]func([]byte) ([]byte, error){
			Identity: func(b []byte) ([]byte, error) { return b, nil },
			Gzip: func(b []byte) ([]byte, error) {
				r, err := gzip.NewReader(bytes.NewReader(b))
				if err != nil {
					return nil, err
				}
				return io.ReadAll(r)
			},
			Zstd: func(b []byte) ([]byte, error) {
				r, err := zstd.NewReader(bytes.NewReader(b))
				if err != nil {
					return nil, err
				}
				defer r.Close()
				return io.ReadAll(r)
			},
		} {
			encoded := a.Encoded(e, c)
			got, err := read(encoded)
			if err != nil || !bytes.Equal(got, body) || e != Identity && len(encoded) > len(body)/4 {
				t.Errorf("%q: %d bytes, %v", e.Name(), len(encoded), err)
			}
			if &a.Encoded(e, c)[0] != &encoded[0] {
				t.Errorf("%q: compressed twice", e.Name())
			}
		}
		a = &Answer{Body: body}
	}
}
