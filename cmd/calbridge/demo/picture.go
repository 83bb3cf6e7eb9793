package demo

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"path"
	"regexp"
	"strings"
)

// answerPicture draws a picture for a file of the sample calendar: hills under a sky. The name
// of the file determines the colours.
func answerPicture(w http.ResponseWriter, r *http.Request) {
	// The names of smaller copies end in their size.
	sized := regexp.MustCompile(`-\d+x\d+$`)
	name := strings.TrimSuffix(path.Base(r.URL.Path), path.Ext(r.URL.Path))
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(sized.ReplaceAllString(name, ""))) // never returns an error
	n := sum.Sum32()
	hue, x, high := n%360, 100+n/360%400, 120+n/7%80
	w.Header().Set("Content-Type", "image/svg+xml")
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400"><rect width="600" height="400" fill="hsl(%d 45%% 82%%)"/>`+
		`<circle cx="%d" cy="110" r="42" fill="hsl(%d 70%% 90%%)"/>`+
		`<path d="M0 %d Q150 %d 300 %d T600 %d V400 H0Z" fill="hsl(%d 35%% 55%%)"/>`+
		`<path d="M0 330 Q200 %d 380 320 T600 300 V400 H0Z" fill="hsl(%d 40%% 38%%)"/></svg>`,
		hue, x, (hue+40)%360, high+150, high, high+90, high+40, (hue+15)%360, high+120, (hue+30)%360)
}
