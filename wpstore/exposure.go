package wpstore

// Exposure holds what determines who may read a post at one point in time.
type Exposure struct {
	Type, Status string
	Author       int64
	// Behind is a digest of what a post shows to clients that lack its password, "" without one.
	Behind string
}
