// Package strictjson parses the JSON files that people write: it refuses what [json.Unmarshal]
// would ignore. It imports nothing of this program.
//
//   - unmarshal.go: [Unmarshal]
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// errMore is returned for data that has more than one value.
var errMore = errors.New("something follows the first JSON value")

// Unmarshal works like [json.Unmarshal], and returns an error for members that v has no field for.
func Unmarshal(data []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errMore
	}
	return nil
}
