package paragraph

import (
	"testing"

	"calbridge/rest/wptext/texttest"
)

func TestAutopVectors(t *testing.T) {
	texttest.Check(t, "wpautop.json", func(v texttest.Vector) (string, bool) { return Autop(v.Input), true })
}
