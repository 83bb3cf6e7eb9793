package media

import (
	"strconv"
	"strings"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/images"
	"calbridge/rest/wptext/shortcode"
	"calbridge/wpstore/php"
)

var (
	audioTypes = [][2]string{
		{"mp3", "audio/mpeg"}, {"ogg", "audio/ogg"}, {"flac", "audio/flac"}, {"m4a", "audio/mpeg"}, {"wav", "audio/wav"},
	}
	videoTypes = [][2]string{
		{"mp4", "video/mp4"}, {"m4v", "video/mp4"}, {"webm", "video/webm"}, {"ogv", "video/ogg"}, {"flv", "video/x-flv"},
	}
)

// mediaFile is one file that a player offers.
type mediaFile struct{ url, kind string }

// mediaFiles returns the files of a player: src first, then one attribute for
// each format. broken is a src of a format that no player plays.
func mediaFiles(attrs *php.Array, types [][2]string) (files []mediaFile, broken string) {
	if src := shortcode.Attr(attrs, "src", ""); src != "" {
		kind := mediaType(src, types)
		if kind == "" {
			return nil, src
		}
		files = append(files, mediaFile{src, kind})
	}
	for _, t := range types {
		if u := shortcode.Attr(attrs, t[0], ""); u != "" {
			if kind := mediaType(u, types); kind != "" {
				files = append(files, mediaFile{u, kind})
			}
		}
	}
	return files, ""
}

func mediaType(u string, types [][2]string) string {
	path, _, _ := strings.Cut(u, "?")
	path, _, _ = strings.Cut(path, "#")
	ext := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
	for _, t := range types {
		if t[0] == ext {
			return t[1]
		}
	}
	return ""
}

// sources writes the elements source of a player and the link that stands in for
// it in old browsers. number makes the addresses unique within the answer.
func sources(sb *strings.Builder, files []mediaFile, number int) {
	for _, f := range files {
		u := f.url + "?_="
		if strings.Contains(f.url, "?") {
			u = f.url + "&_="
		}
		sb.WriteString(`<source type="` + f.kind + `" src="` + escape.URL(u+strconv.Itoa(number), true) + `" />`)
	}
	link(sb, "", files[0].url)
}

func link(sb *strings.Builder, class, u string) {
	sb.WriteString("<a ")
	if class != "" {
		sb.WriteString(`class="` + class + `" `)
	}
	sb.WriteString(`href="` + escape.URL(u, true) + `">` + escape.HTML(u) + "</a>")
}

// oldBrowserScript is what WordPress up to 6.8 puts before the first player.
const oldBrowserScript = "<!--[if lt IE 9]><script>document.createElement('%');</script><![endif]-->\n"

// playerStart writes what comes before a player in WordPress up to 6.8.
func playerStart(sb *strings.Builder, element string, number, wpVersion int) {
	if wpVersion < 609 && number == 1 {
		sb.WriteString(strings.Replace(oldBrowserScript, "%", element, 1))
	}
}

// flags writes the attributes that are only there when they are on.
func flags(sb *strings.Builder, attrs *php.Array, names ...string) {
	for _, name := range names {
		switch v := shortcode.Attr(attrs, name, ""); strings.ToLower(v) {
		case "", "0", "false", "off", "no":
		default:
			sb.WriteString(` ` + name + `="1"`)
		}
	}
}

// audio renders [audio].
func audio(attrs *php.Array, inner string, wpVersion int, req *wptext.RequestState) string {
	req.Audios++
	files, broken := mediaFiles(attrs, audioTypes)
	var sb strings.Builder
	if broken != "" {
		link(&sb, "wp-embedded-audio", broken)
		return sb.String()
	}
	if len(files) == 0 {
		return ""
	}
	if php.Trim(inner) != "" {
		req.NotRendered("[audio] with text")
	}
	n := req.Audios
	playerStart(&sb, "audio", n, wpVersion)
	sb.WriteString(`<audio class="` + escape.Attr(shortcode.Attr(attrs, "class", "wp-audio-shortcode")) + `" id="audio-0-` + strconv.Itoa(n) + `"`)
	flags(&sb, attrs, "loop", "autoplay", "muted")
	sb.WriteString(` preload="` + escape.Attr(shortcode.Attr(attrs, "preload", "none")) +
		`" style="` + escape.Attr(shortcode.Attr(attrs, "style", "width: 100%;")) + `" controls="controls">`)
	sources(&sb, files, n)
	sb.WriteString("</audio>")
	return sb.String()
}

// video renders [video].
func video(attrs *php.Array, inner string, site *wptext.Site, req *wptext.RequestState) string {
	req.Videos++
	files, broken := mediaFiles(attrs, videoTypes)
	var sb strings.Builder
	if broken != "" {
		link(&sb, "wp-embedded-video", broken)
		return sb.String()
	}
	if len(files) == 0 {
		return ""
	}
	if php.Trim(inner) != "" {
		req.NotRendered("[video] with text")
	}
	n := req.Videos
	width, height := php.ToInt(shortcode.Attr(attrs, "width", "640")), php.ToInt(shortcode.Attr(attrs, "height", "360"))
	if limit := int64(site.Theme.ContentWidth); limit > 0 && width > limit {
		height = images.ScaledHeight(width, height, limit)
		width = limit
	}
	w := strconv.FormatInt(width, 10)
	sb.WriteString(`<div style="width: ` + w + `px;" class="wp-video">`)
	playerStart(&sb, "video", n, site.WPVersion)
	sb.WriteString(`<video class="` + escape.Attr(shortcode.Attr(attrs, "class", "wp-video-shortcode")) + `" id="video-0-` + strconv.Itoa(n) +
		`" width="` + w + `" height="` + strconv.FormatInt(height, 10) + `"`)
	if poster := shortcode.Attr(attrs, "poster", ""); poster != "" {
		sb.WriteString(` poster="` + escape.URL(poster, true) + `"`)
	}
	flags(&sb, attrs, "loop", "autoplay", "muted")
	if preload := shortcode.Attr(attrs, "preload", "metadata"); preload != "" {
		sb.WriteString(` preload="` + escape.Attr(preload) + `"`)
	}
	sb.WriteString(` controls="controls">`)
	sources(&sb, files, n)
	sb.WriteString("</video></div>")
	return sb.String()
}

// playlist renders [playlist]. Its players need data that only the site has, so
// a playlist with something to play is left out and counted.
func playlist(attrs *php.Array, res *wptext.Resources, req *wptext.RequestState) string {
	kind := shortcode.Attr(attrs, "type", "audio")
	ids := idList(shortcode.Attr(attrs, "ids", "") + "," + shortcode.Attr(attrs, "include", ""))
	for _, id := range ids {
		if a := res.Attachment(id); a != nil && strings.HasPrefix(a.MIMEType, kind+"/") {
			req.NotRendered("[playlist]")
			return ""
		}
	}
	if len(ids) == 0 {
		req.NotRendered("[playlist]")
	}
	return ""
}
