package loader

import (
	"hash/maphash"

	"calbridge/rest/render/recent"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Cache is what loading remembers from one request to the next: what texts were found
// to refer to, and the metadata of files, unserialized. It is safe for concurrent use.
type Cache struct {
	refs     *recent.Cache[refsKey, *content.Refs]
	metadata *recent.Cache[wpstore.Digest, php.Value]
	seeds    [2]maphash.Seed
}

// What an entry takes besides its own bytes, in bytes: measured, as
// TestCacheIsWhatItSays does.
const (
	refsOverhead     = 80
	metadataOverhead = 500
	// perStoredByte is what a byte of serialized metadata becomes.
	perStoredByte = 6
)

// NewCache returns a Cache that takes so many bytes; none remembers nothing.
func NewCache(bytes int) *Cache {
	return &Cache{
		refs: recent.New[refsKey, *content.Refs](bytes / 2), metadata: recent.New[wpstore.Digest, php.Value](bytes / 2),
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
	}
}

// digest is that of the digests of several rows, one after the other.
func (c *Cache) digest(rows []byte) wpstore.Digest {
	return wpstore.Digest{maphash.Bytes(c.seeds[0], rows), maphash.Bytes(c.seeds[1], rows)}
}

// Bytes is what the cache takes now.
func (c *Cache) Bytes() int { return c.refs.Size() + c.metadata.Size() }

// refsKey is what the references of a post depend on.
type refsKey struct {
	row  wpstore.Digest
	text *wptext.Site
}

func (c *Cache) putRefs(key refsKey, refs *content.Refs) {
	c.refs.Put(key, refs, refs.Size()+refsOverhead)
}

// putMetadata remembers a file's metadata, which was stored in so many bytes.
func (c *Cache) putMetadata(file wpstore.Digest, metadata php.Value, stored int) {
	c.metadata.Put(file, metadata, perStoredByte*stored+metadataOverhead)
}
