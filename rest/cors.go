package rest

import (
	"net/http"

	"calbridge/rest/wptext/escape"
)

// answerOrigin answers any Origin header, as WordPress does. Without one, responses to anonymous
// GETs state that they vary by it.
func answerOrigin(h http.Header, origin string, anonymousGET bool) {
	if origin == "" {
		if anonymousGET {
			h["Vary"] = []string{"Origin"}
		}
		return
	}
	if origin != "null" {
		origin = escape.RawURL(origin)
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", "OPTIONS, GET, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Credentials", "true")
	h.Set("Vary", "Origin")
}
