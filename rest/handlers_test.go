package rest

import (
	"testing"

	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/edit"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wprest"
)

// TestEveryOperationHasAHandler compares the operations of the route table with the handlers.
func TestEveryOperationHasAHandler(t *testing.T) {
	shared := render.NewShared("fairs/v1", 0, &phpjson.Buffers{})
	reads, writes := (&Server{cfg: Config{Extensions: true}, render: shared}).newHandlers(), edit.Handlers(shared, edit.Config{})
	operations := map[wprest.Operation]bool{}
	for _, o := range tribev1.Operations() {
		if operations[o] = true; (reads[o] == nil) == (writes[o] == nil) {
			t.Errorf("%s of %s needs one handler, in package read or edit", o.Does, o.On)
		}
	}
	if len(operations) != len(reads)+len(writes) || len(operations) != 36 {
		t.Errorf("%d operations, %d handlers that read and %d that write; want 36 in all", len(operations), len(reads), len(writes))
	}
}
