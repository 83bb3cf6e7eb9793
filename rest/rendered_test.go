package rest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/wptest"
)

// TestRenderedIsWhatItSays: what is kept for rendering takes as much memory as it is
// said to.
func TestRenderedIsWhatItSays(t *testing.T) {
	text := &wptext.Site{}
	json := bytes.Repeat([]byte("x"), 6500)
	event := func(s *Server, i uint64, length int) {
		s.keepEvent(eventKey{text: text, rows: wpstore.Digest{i, i}}, writtenEvent{json: bytes.Clone(json[:length])})
	}
	refs := func(s *Server, i uint64, post string) {
		r := &content.Refs{}
		r.Collect(post, text)
		s.keepRefs(refsKey{wpstore.Digest{i, i}, text}, r)
	}
	metadata := func(s *Server, i uint64, sizes int) {
		var b strings.Builder
		const size = `s:6:"size%02d";a:5:{s:4:"file";s:27:"picture-%07d-150x150.jpg";s:5:"width";i:150;s:6:"height";i:150;s:9:"mime-type";s:10:"image/jpeg";s:8:"filesize";i:7093;}`
		fmt.Fprintf(&b, `a:6:{s:5:"width";i:1024;s:6:"height";i:768;s:4:"file";s:19:"2026/11/%07d.jpg";s:8:"filesize";i:170931;s:5:"sizes";a:%d:{`, i, sizes)
		for n := range sizes {
			fmt.Fprintf(&b, size, n, i)
		}
		b.WriteString(`}s:10:"image_meta";a:12:{s:8:"aperture";s:1:"0";s:6:"credit";s:0:"";s:6:"camera";s:0:"";s:7:"caption";s:0:"";s:17:"created_timestamp";s:1:"0";s:9:"copyright";s:0:"";s:12:"focal_length";s:1:"0";s:3:"iso";s:1:"0";s:13:"shutter_speed";s:1:"0";s:5:"title";s:0:"";s:11:"orientation";s:1:"0";s:8:"keywords";a:0:{}}}`)
		value := phpserial.Maybe(b.String())
		if _, ok := value.(*php.Array); !ok {
			t.Fatalf("not unserialized: %s", b.String())
		}
		s.keepMetadata(wpstore.Digest{i, i}, value, b.Len())
	}
	ten := ""
	for id := range 10 {
		ten += fmt.Sprintf(`<img class="wp-image-%d">`, 1+id)
	}
	for name, c := range map[string]struct {
		many uint64
		put  func(s *Server, i uint64)
	}{
		"short events":            {12_000, func(s *Server, i uint64) { event(s, i, 700) }},
		"events":                  {3000, func(s *Server, i uint64) { event(s, i, len(json)) }},
		"references to nothing":   {40_000, func(s *Server, i uint64) { refs(s, i, "<p>Text</p>") }},
		"references to a picture": {30_000, func(s *Server, i uint64) { refs(s, i, `<img class="wp-image-7">`) }},
		"references to ten":       {20_000, func(s *Server, i uint64) { refs(s, i, ten) }},
		"metadata":                {2000, func(s *Server, i uint64) { metadata(s, i, 4) }},
		"metadata of many sizes":  {1000, func(s *Server, i uint64) { metadata(s, i, 12) }},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Server{}
			before := wptest.LiveHeap()
			s.shareOut(1 << 30)
			for i := range c.many {
				c.put(s, i)
			}
			took, said := wptest.LiveHeap()-before, float64(s.RenderedBytes())
			t.Logf("each takes %.0f bytes, said to take %.0f", took/float64(c.many), said/float64(c.many))
			if ratio := took / said; ratio < 0.85 || ratio > 1.15 {
				t.Errorf("%.0f bytes are said to be %.0f", took, said)
			}
		})
	}
}
