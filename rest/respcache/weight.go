package respcache

// Sizes of a response's parts in bytes, as TestWeightIsMemory measures them.
const (
	// fixedWeight is a response without body and headers, with its entity tag and its entry
	// in the cache.
	fixedWeight = 460
	// insteadWeight is another response that is sent in place of the cached one, without its body.
	insteadWeight = 420
	// perEightHeaders is a group of a map; most values are shared.
	perEightHeaders = 400
	ownHeaders      = 80
	perTag          = 16
	// perEncoding is the overhead of a compressed form.
	perEncoding = 24
)

// weight returns the response's share of the cache's memory, in bytes.
func (a *Answer) weight(key Key) uint32 {
	n := fixedWeight + cap(a.Body) + len(key.URI) + len(key.Host) + perTag*cap(a.Tags) + perEightHeaders*((len(a.Header)+7)/8) + ownHeaders
	n += a.grownWeight()
	if b := a.instead.Load(); b != nil {
		n += insteadWeight + cap(b.Body) + b.grownWeight()
	}
	return uint32(min(n, 1<<31))
}

// grownWeight returns the memory of what is added on demand.
func (a *Answer) grownWeight() (n int) {
	for i := range a.compressed {
		if body := a.compressed[i].Load(); body != nil {
			n += perEncoding + cap(*body)
		}
	}
	if named := a.named.Load(); named != nil {
		n += perEightHeaders
		for _, values := range *named {
			n += ownHeaders + len(values[0])
		}
	}
	return n
}
