package blockparse

import (
	"testing"

	"calbridge/wpstore/php"
)

func TestBlockAttributes(t *testing.T) {
	content := `<!-- wp:group --><div><!-- wp:acme/seat {"row":7} /--><!-- wp:acme/seat /--></div><!-- /wp:group --><!-- wp:acme/seat {"row":"8"} /-->`
	if got := php.List(Attributes(content, "acme/seat", "row")...); !php.Identical(got, php.List(int64(7), "8")) {
		t.Errorf("got %v", got.Values())
	}
	if got := Attributes("plain", "acme/seat", "row"); got != nil {
		t.Errorf("got %v", got)
	}
}
