package recording

// What the tests of this package reach besides its door.
var (
	DecodeNumbers = decodeNumbers
	HAREntryOf    = func(x *Exchange) { harOf(x, originOf(x)) }
)
