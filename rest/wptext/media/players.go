package media

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"

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

// mediaFiles returns the files of a player: src first, then one attribute for each
// format. broken is a src of another format.
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

// videoSite is a page of YouTube or Vimeo, which the player for films shows.
var videoSite = regexp.MustCompile(`^https?://(?:www\.)?(?:(youtube)\.com/watch|(youtu)\.be/|(?:.+\.)?(vimeo)\.com/)`)

func mediaType(u string, types [][2]string) string {
	if m := videoSite.FindStringSubmatch(u); m != nil && types[0] == videoTypes[0] {
		if m[3] != "" {
			return "video/vimeo"
		}
		return "video/youtube"
	}
	if end := strings.IndexAny(u, "?#"); end >= 0 {
		u = u[:end]
	}
	ext := strings.ToLower(u[strings.LastIndexByte(u, '.')+1:])
	for _, t := range types {
		if t[0] == ext {
			return t[1]
		}
	}
	return ""
}

// sources returns the elements source of a player, its text and the link for old browsers.
// number makes the addresses unique within the answer.
func (r *renderer) sources(files []mediaFile, text string, number int) string {
	html, rules := "", r.site.Escape()
	for _, f := range files {
		separator := "?_="
		if strings.Contains(f.url, "?") {
			separator = "&_="
		}
		html += `<source type="` + f.kind + `" src="` + rules.URL(f.url+separator+strconv.Itoa(number)) + `" />`
	}
	return html + text + r.link("", files[0].url)
}

// link returns a link with further attributes.
func (r *renderer) link(attributes, u string) string {
	rules := r.site.Escape()
	return "<a " + attributes + `href="` + rules.URL(u) + `">` + rules.HTML(u) + "</a>"
}

// oldBrowserScript is what WordPress up to 6.8 puts before the first player.
const oldBrowserScript = "<!--[if lt IE 9]><script>document.createElement('%');</script><![endif]-->\n"

// flags returns the boolean attributes that are on. Before WordPress 6.8 they have values,
// and sound is never muted.
func flags(element string, attrs *php.Array, traits trait.Set) string {
	html, past := "", traits.Has(trait.TextBefore68)
	for _, name := range [...]string{"loop", "autoplay", "muted"} {
		switch strings.ToLower(shortcode.Attr(attrs, name, "")) {
		case "", "0", "false":
			continue
		}
		switch {
		case !past:
			html += " " + name
		case name != "muted" || element == "video":
			html += " " + name + `="1"`
		}
	}
	return html
}

// preload returns the attribute of that name; "" for a value that WordPress since 6.8 drops.
func preload(attrs *php.Array, fallback string, site *wptext.Site) string {
	value := shortcode.Attr(attrs, "preload", fallback)
	switch value {
	case "none", "metadata", "auto":
	default:
		if value == "" || !site.Traits.Has(trait.TextBefore68) {
			return ""
		}
	}
	return ` preload="` + site.Escape().Attr(value) + `"`
}

// player renders [audio] or [video]. number counts the players
// of this kind in the answer.
func (r *renderer) player(found shortcode.Shortcode, types [][2]string, number int) string {
	element, attrs := found.Name, shortcode.ParseAttrs(found.Attrs)
	files, broken := mediaFiles(attrs, types)
	switch {
	case broken != "":
		return r.link(`class="wp-embedded-`+element+`" `, broken)
	case len(files) == 0:
		return ""
	}
	text := ""
	if element == "video" {
		text = php.Trim(lineSpace.Replace(found.Inner))
	} else if php.Trim(found.Inner) != "" {
		r.req.NotRendered("[audio] with text")
	}
	attr := func(name, fallback string) string {
		return " " + name + `="` + r.site.Escape().Attr(shortcode.Attr(attrs, name, fallback)) + `"`
	}
	start := "<" + element + attr("class", "wp-"+element+"-shortcode") + ` id="` + element + "-0-" + strconv.Itoa(number) + `"`
	if r.site.Traits.Has(trait.PlayersCarryAScript) && number == 1 {
		start = strings.Replace(oldBrowserScript, "%", element, 1) + start
	}
	end := ` controls="controls">` + r.sources(files, text, number) + "</" + element + ">"
	if element == "audio" {
		return start + flags(element, attrs, r.site.Traits) + preload(attrs, "none", r.site) + attr("style", "width: 100%;") + end
	}

	width, height := php.ToInt(shortcode.Attr(attrs, "width", "640")), php.ToInt(shortcode.Attr(attrs, "height", "360"))
	if limit := int64(r.site.Theme.ContentWidth); limit > 0 && width > limit {
		width, height = limit, ScaledHeight(width, height, limit)
	}
	w := strconv.FormatInt(width, 10)
	start = `<div style="width: ` + w + `px;" class="wp-video">` + start + ` width="` + w + `" height="` + strconv.FormatInt(height, 10) + `"`
	if poster := shortcode.Attr(attrs, "poster", ""); poster != "" {
		start += ` poster="` + r.site.Escape().URL(poster) + `"`
	}
	start += flags(element, attrs, r.site.Traits) + preload(attrs, "metadata", r.site)
	return start + end + "</div>"
}

// lineSpace removes the white space of lines.
var lineSpace = strings.NewReplacer("\r\n", "", "\n", "", "\t", "")

// playlist renders [playlist] as nothing, and counts it if it has something to play: its
// player's markup isn't modelled.
func playlist(attrs *php.Array, res *wptext.Resources, req *wptext.RequestState) string {
	kind := shortcode.Attr(attrs, "type", "audio")
	ids := idList(shortcode.Attr(attrs, "ids", "") + "," + shortcode.Attr(attrs, "include", ""))
	plays := func(id int64) bool {
		a := res.Attachments[id]
		return a != nil && strings.HasPrefix(a.MIMEType, kind+"/")
	}
	if len(ids) == 0 || slices.ContainsFunc(ids, plays) {
		req.NotRendered("[playlist]")
	}
	return ""
}
