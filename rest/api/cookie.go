package api

import (
	"net/http"
	"strconv"
	"time"
)

// Cookie is a cookie that the site's pages set for clients that don't have it.
type Cookie struct {
	Name, Value, Path string
	Secure            bool
	Life              time.Duration
}

// Header returns the Set-Cookie value at a given time.
func (c *Cookie) Header(now time.Time) string {
	secure := ""
	if c.Secure {
		secure = "; secure"
	}
	return c.Name + "=" + c.Value + "; expires=" + now.UTC().Add(c.Life).Format(http.TimeFormat) +
		"; Max-Age=" + strconv.Itoa(int(c.Life/time.Second)) + "; path=" + c.Path + secure + "; SameSite=Lax"
}
