package rest

import (
	"testing"

	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render"
)

// TestEveryOperationHasAHandler names the operations of the route table without a handler.
func TestEveryOperationHasAHandler(t *testing.T) {
	handlers := (&Server{cfg: Config{Extensions: true}, render: render.NewShared("fairs/v1", 0, &phpjson.Buffers{})}).newHandlers()
	for _, o := range tribev1.Missing(handlers) {
		t.Errorf("no handler answers %s of %s: add it to Handlers of package read or edit", o.Does, o.On)
	}
	if n := len(tribev1.Missing(nil)); n < 25 {
		t.Errorf("without handlers only %d operations are missed", n)
	}
	if len(handlers) != 36 {
		t.Errorf("%d operations have handlers, not 36", len(handlers))
	}
}
