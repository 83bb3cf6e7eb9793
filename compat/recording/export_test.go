package recording

// Unexported identifiers that the tests of this package use.
var (
	DecodeNumbers = decodeNumbers
	HAREntryOf    = func(x *Exchange) { harOf(x, originOf(x)) }
)
