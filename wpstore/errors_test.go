package wpstore

import (
	"errors"
	"fmt"
	"testing"
)

func TestErrors(t *testing.T) {
	var exists *TermExistsError
	if err := fmt.Errorf("add: %w", &TermExistsError{ID: 12}); !errors.As(err, &exists) || exists.ID != 12 || err.Error() != "add: the term exists already, as 12" {
		t.Error(err)
	}
	var taken *SlugTakenError
	if err := fmt.Errorf("save: %w", &SlugTakenError{Slug: "jazz"}); !errors.As(err, &taken) || taken.Slug != "jazz" || err.Error() != `save: another term has the slug "jazz"` {
		t.Error(err)
	}
}
