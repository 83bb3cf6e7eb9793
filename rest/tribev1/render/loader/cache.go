package loader

import (
	"hash/maphash"

	"github.com/maypok86/otter/v2"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// Cache keeps two things between requests: references of texts, and the unserialized metadata of
// files. It is safe for concurrent use.
type Cache struct {
	refs  *otter.Cache[refsKey, *content.Refs] // nil in a cache of no size, like files
	files *otter.Cache[wpstore.Digest, fileMetadata]
	seeds [2]maphash.Seed
}

// refsKey is what the references of a post depend on.
type refsKey struct {
	row  wpstore.Digest
	text *wptext.Site
}

// fileMetadata is the metadata of a file, and its length in the database.
type fileMetadata struct {
	value  php.Value
	stored int
}

// What an entry takes besides its own bytes, in bytes. TestCacheWeight measures it.
const (
	refsOverhead     = 80
	metadataOverhead = 500
	// perStoredByte is the memory for a byte of serialized metadata.
	perStoredByte = 6
)

// NewCache returns a Cache of at most that many bytes; 0 caches nothing.
func NewCache(bytes int) *Cache {
	c := &Cache{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
	if half := uint64(bytes / 2); half > 0 {
		c.refs = otter.Must(&otter.Options[refsKey, *content.Refs]{
			MaximumWeight: half,
			Weigher:       func(_ refsKey, r *content.Refs) uint32 { return uint32(r.Size() + refsOverhead) },
		})
		c.files = otter.Must(&otter.Options[wpstore.Digest, fileMetadata]{
			MaximumWeight: half,
			Weigher: func(_ wpstore.Digest, m fileMetadata) uint32 {
				return uint32(perStoredByte*m.stored + metadataOverhead)
			},
		})
	}
	return c
}

// Bytes returns the memory of the cache.
func (c *Cache) Bytes() uint64 {
	if c.refs == nil {
		return 0
	}
	return c.refs.WeightedSize() + c.files.WeightedSize()
}

// metadata unserializes the metadata of a file, unless the cache has it.
func (c *Cache) metadata(file wpstore.Digest, stored string) php.Value {
	if c.files == nil {
		return phpserial.Maybe(stored)
	}
	m, ok := c.files.GetIfPresent(file)
	if !ok {
		m = fileMetadata{phpserial.Maybe(stored), len(stored)}
		c.files.Set(file, m)
	}
	return m.value
}

// digest combines the digests of several rows.
func (c *Cache) digest(rows []byte) wpstore.Digest {
	return wpstore.Digest{maphash.Bytes(c.seeds[0], rows), maphash.Bytes(c.seeds[1], rows)}
}
