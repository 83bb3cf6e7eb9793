package changefeed

import "errors"

var (
	// errMoved means that the server that is followed is not the primary any more.
	errMoved       = errors.New("another server is the primary now")
	errLeftCluster = errors.New("what others write does not arrive")
	// errBehind means that a transaction came again, or that the server counts anew.
	errBehind = errors.New("the binary log went back")
	// errBehindServer means that it is not known what has changed.
	errBehindServer = errors.New("the binary log has not been followed up to now")
)
