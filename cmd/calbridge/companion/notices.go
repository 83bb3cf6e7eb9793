package companion

import (
	"context"
	"log/slog"
	"net/http"

	"calbridge/rest/notice"
)

// NoticesPath is where the ops listener takes the plugin's notices.
const NoticesPath = "/notices"

// NewHandler takes the plugin's notices and hands them to apply; it is nil where
// there is no secret to know the plugin by.
func NewHandler(secret string, apply func(notice.Notice), logger *slog.Logger) http.Handler {
	if secret == "" {
		return nil
	}
	h, err := notice.NewHandler(notice.HandlerOptions{
		Secret: secret,
		Apply:  func(_ context.Context, n notice.Notice) { apply(n) },
		Refused: func(reason string) {
			logger.Warn("a notice of the companion plugin was refused", "reason", reason)
		},
	})
	if err != nil {
		logger.Error("notices of the companion plugin are not taken", "err", err)
		return nil
	}
	return h
}
