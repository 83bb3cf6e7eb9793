package respcache

// What parts of an answer take, in bytes: measured, as TestWeightIsMemory does.
const (
	// fixedWeight is an answer without body and headers, its entity tag, and its place
	// in the cache.
	fixedWeight = 460
	// perEightHeaders is a group of a map, and its share of the map; values are shared
	// but for a few.
	perEightHeaders = 400
	ownHeaders      = 80
	perTag          = 16
	// perEncoding is what a compressed form takes besides itself.
	perEncoding = 24
)

// weight is what the answer takes of the cache's memory, in bytes.
func (a *Answer) weight(key Key) uint32 {
	n := fixedWeight + cap(a.Body) + len(key.URI) + len(key.Host) + perTag*cap(a.Tags) + perEightHeaders*((len(a.Header)+7)/8) + ownHeaders
	for i := range a.compressed {
		if body := a.compressed[i].Load(); body != nil {
			n += perEncoding + cap(*body)
		}
	}
	return uint32(min(n, 1<<31))
}
