package compat

// What the tests of this package reach besides its door.
var (
	decodeNumbersExactly = decodeNumbers
	harEntryOf           = func(x *Exchange) { harOf(x, originOf(x)) }
)
