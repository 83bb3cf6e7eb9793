package loader

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/wptest"
)

// TestCacheWeight: the weight of what loading caches is the memory that it takes.
func TestCacheWeight(t *testing.T) {
	text := &wptext.Site{}
	refs := func(c *Cache, i uint64, stored string) {
		r := &content.Refs{}
		r.Collect(stored, text)
		c.refs.Set(refsKey{wpstore.Digest{i, i}, text}, r)
	}
	metadata := func(c *Cache, i uint64, sizes int) {
		var b strings.Builder
		const size = `s:6:"size%02d";a:5:{s:4:"file";s:27:"picture-%07d-150x150.jpg";s:5:"width";i:150;s:6:"height";i:150;s:9:"mime-type";s:10:"image/jpeg";s:8:"filesize";i:7093;}`
		fmt.Fprintf(&b, `a:6:{s:5:"width";i:1024;s:6:"height";i:768;s:4:"file";s:19:"2026/11/%07d.jpg";s:8:"filesize";i:170931;s:5:"sizes";a:%d:{`, i, sizes)
		for n := range sizes {
			fmt.Fprintf(&b, size, n, i)
		}
		b.WriteString(`}s:10:"image_meta";a:12:{s:8:"aperture";s:1:"0";s:6:"credit";s:0:"";s:6:"camera";s:0:"";s:7:"caption";s:0:"";s:17:"created_timestamp";s:1:"0";s:9:"copyright";s:0:"";s:12:"focal_length";s:1:"0";s:3:"iso";s:1:"0";s:13:"shutter_speed";s:1:"0";s:5:"title";s:0:"";s:11:"orientation";s:1:"0";s:8:"keywords";a:0:{}}}`)
		if _, ok := c.metadata(wpstore.Digest{i, i}, b.String()).(*php.Array); !ok {
			t.Fatalf("not unserialized: %s", b.String())
		}
	}
	ten := ""
	for id := range 10 {
		ten += fmt.Sprintf(`<img class="wp-image-%d">`, 1+id)
	}
	for name, test := range map[string]struct {
		many uint64
		put  func(c *Cache, i uint64)
	}{
		"references to nothing":   {40_000, func(c *Cache, i uint64) { refs(c, i, "<p>Text</p>") }},
		"references to a picture": {30_000, func(c *Cache, i uint64) { refs(c, i, `<img class="wp-image-7">`) }},
		"references to ten":       {20_000, func(c *Cache, i uint64) { refs(c, i, ten) }},
		"metadata":                {2000, func(c *Cache, i uint64) { metadata(c, i, 4) }},
		"metadata of many sizes":  {1000, func(c *Cache, i uint64) { metadata(c, i, 12) }},
	} {
		t.Run(name, func(t *testing.T) {
			before := wptest.LiveHeap()
			c := NewCache(1 << 28)
			for i := range test.many {
				test.put(c, i)
			}
			took, said := wptest.LiveHeap()-before, float64(c.Bytes())
			t.Logf("each takes %.0f bytes, said to take %.0f", took/float64(test.many), said/float64(test.many))
			if ratio := took / said; ratio < 0.85 || ratio > 1.15 {
				t.Errorf("%.0f bytes are said to be %.0f", took, said)
			}
		})
	}
}
