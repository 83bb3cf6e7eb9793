package media

import (
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/shortcode"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// ExpandEmbeds replaces the shortcode [embed], and URLs alone on their line or in their
// paragraph, by the HTML stored for them. contentWidth is the
// theme's, in pixels. Other URLs and shortcodes inside HTML tags stay.
func ExpandEmbeds(s string, contentWidth int, res *wptext.Resources) string {
	resolve := func(u string, attrs *php.Array) string { return resolveEmbed(u, attrs, contentWidth, res) }
	return replaceLoneURLs(replaceShortcodes(s, resolve), func(u string) string {
		if html := resolve(u, nil); html != "" {
			return html
		}
		return u
	})
}

// EmbedKeys returns the names (post_name) under which the HTML that Expand needs may be
// stored.
func EmbedKeys(s string, contentWidth int) (keys []string) {
	if markup.IndexFold(s, "http") < 0 {
		return nil
	}
	collect := func(u string, attrs *php.Array) string {
		u = strings.ReplaceAll(u, "&amp;", "&")
		if video, ok := youtubeVideo(u); ok {
			u, attrs = video, nil
		} else if mediaPlayer(u, attrs) != "" {
			return ""
		}
		keys = append(keys, storedKeys(u, attrs, contentWidth)...)
		return ""
	}
	replaceLoneURLs(replaceShortcodes(s, collect), func(u string) string {
		collect(u, nil)
		return u
	})
	return keys
}

// resolver returns the HTML for a URL and the attributes of the shortcode, or "".
type resolver func(u string, attrs *php.Array) string

// replaceShortcodes replaces [embed]URL[/embed] by the HTML for its URL, or a link.
func replaceShortcodes(s string, resolve resolver) string {
	return shortcode.Run(s, shortcode.SetOf("embed"), true, func(found shortcode.Shortcode) string {
		attrs := shortcode.ParseAttrs(found.Attrs)
		u := cmp.Or(found.Inner, shortcode.Attr(attrs, "src", ""))
		if u == "" {
			return ""
		}
		if html := resolve(u, attrs); html != "" {
			return html
		}
		u = strings.ReplaceAll(u, "&amp;", "&")
		return `<a href="` + escape.Rules{}.URL(u) + `">` + escape.HTML(u) + `</a>`
	})
}

// resolveEmbed returns the HTML for a URL: a player for audio and video files, else what
// WordPress stored when the URL was first embedded.
func resolveEmbed(u string, attrs *php.Array, contentWidth int, res *wptext.Resources) string {
	u = strings.ReplaceAll(u, "&amp;", "&")
	if video, ok := youtubeVideo(u); ok {
		if html := storedEmbed(video, nil, contentWidth, res); html != "" {
			return html
		}
		return video
	}
	if player := mediaPlayer(u, attrs); player != "" {
		return player
	}
	return storedEmbed(u, attrs, contentWidth, res)
}

func storedEmbed(u string, attrs *php.Array, contentWidth int, res *wptext.Resources) string {
	for _, key := range storedKeys(u, attrs, contentWidth) {
		if html := res.Embeds[key]; html != "" && html != "{{unknown}}" {
			return html
		}
	}
	return ""
}

var youtubeURL = regexp.MustCompile(`(?i)https?://(?:www.)?youtube\.com/(?:v|embed)/([^/]+)`)

// youtubeVideo returns the page of a video from the URL of its player.
func youtubeVideo(u string) (string, bool) {
	m := youtubeURL.FindStringSubmatch(u)
	if m == nil {
		return "", false
	}
	return "https://youtube.com/watch?v=" + url.QueryEscape(m[1]), true
}

var (
	audioURL = regexp.MustCompile(`(?is)^https?://.+?\.(?:mp3|ogg|flac|m4a|wav)$`)
	videoURL = regexp.MustCompile(`(?is)^https?://.+?\.(?:mp4|m4v|webm|ogv|flv)$`)
)

// mediaPlayer returns the shortcode that plays a file, or "".
func mediaPlayer(u string, attrs *php.Array) string {
	switch {
	case audioURL.MatchString(u):
		return `[audio src="` + escape.Rules{}.URL(u) + `" /]`
	case videoURL.MatchString(u):
		size := ""
		width, height := shortcode.Attr(attrs, "width", ""), shortcode.Attr(attrs, "height", "")
		if !php.Empty(width) && !php.Empty(height) {
			size = `width="` + strconv.FormatInt(php.ToInt(width), 10) + `" height="` + strconv.FormatInt(php.ToInt(height), 10) + `" `
		}
		return `[video ` + size + ` src="` + escape.Rules{}.URL(u) + `" /]`
	}
	return ""
}

// storedKeys returns the names under which WordPress may have stored the HTML of
// a URL: a hash of it and of the attributes with the default width and height.
func storedKeys(u string, attrs *php.Array, contentWidth int) []string {
	width, height := int64(500), int64(750)
	if contentWidth > 0 {
		width = int64(contentWidth)
		height = min((width*3+1)/2, 1000)
	}
	defaults := &php.Array{}
	defaults.SetString("width", width)
	defaults.SetString("height", height)
	if attrs.Len() == 0 {
		return []string{storedKey(u, defaults)}
	}
	// The attributes followed by the defaults that they lack, or the defaults with
	// the values of the attributes in the order of the defaults.
	first, second := attrs.Clone(), defaults.Clone()
	for key, value := range defaults.All() {
		if _, given := attrs.Get(key); !given {
			first.Set(key, value)
		}
	}
	for key, value := range attrs.All() {
		second.Set(key, value)
	}
	return slices.Compact([]string{storedKey(u, first), storedKey(u, second)})
}

func storedKey(u string, attrs *php.Array) string {
	sum := md5.Sum([]byte(u + phpserial.Serialize(attrs)))
	return hex.EncodeToString(sum[:])
}
