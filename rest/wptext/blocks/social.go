package blocks

import (
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/blockparse"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore/php"
)

// socialNames are the names of services that are not their slugs with a capital.
var socialNames = map[string]string{
	"chain": "Link", "codepen": "CodePen", "deviantart": "DeviantArt", "feed": "RSS Feed", "fivehundredpx": "500px", "github": "GitHub",
	"lastfm": "Last.fm", "linkedin": "LinkedIn", "share": shareName, "soundcloud": "SoundCloud", "tiktok": "TikTok", "vk": "VK", "wordpress": "WordPress",
	"whatsapp": "WhatsApp", "youtube": "YouTube",
}

// shareName is the name of services that WordPress doesn't know.
const shareName = "Share Icon"

// socialServices are the other services that WordPress knows, by the sites that do.
var socialServices = map[trait.Condition]map[string]bool{
	{}: markup.WordSet(`amazon bandcamp behance dribbble dropbox etsy facebook flickr foursquare goodreads google gravatar
instagram mail mastodon medium meetup patreon pinterest pocket reddit skype snapchat spotify telegram threads tumblr twitch twitter vimeo x yelp`),
	{Without: trait.TextBefore66}: markup.WordSet("bluesky"),
	{Without: trait.TextBefore68}: markup.WordSet("discord"),
}

// socialName returns the name of a service.
func socialName(service string, traits trait.Set) string {
	if service == "soundcloud" && traits.Has(trait.TextBefore69) {
		return "Soundcloud"
	}
	if name, ok := socialNames[service]; ok {
		return name
	}
	for sites, known := range socialServices {
		if known[service] && sites.In(traits) {
			return strings.ToUpper(service[:1]) + service[1:]
		}
	}
	return shareName
}

// socialIcon returns the icon of a service from the site's profile.
func socialIcon(profile map[string]string, service string) (icon string, found bool) {
	icon, found = profile["core/social-link/"+service]
	return icon, found
}

// socialLink renders a link to a social service; the icon is site data. What the links of a
// list have in common are attributes of the block around it.
func (r *renderer) socialLink(b *blockparse.Block, parent blockParent) string {
	url := php.ToString(b.Attr("url"))
	if url == "" {
		return ""
	}
	traits, rules := r.site.Traits, r.site.Escape()
	service := php.ToString(b.Attr("service"))
	name := socialName(service, traits)
	icon, ok := socialIcon(r.site.ProfileBlocks, service)
	if !ok || name == shareName {
		if icon, ok = socialIcon(r.site.ProfileBlocks, "share"); !ok {
			r.req.NotRendered(b.Name)
		}
	}
	if service == "" {
		service = "Icon"
	}
	classes := "wp-social-link wp-social-link-" + rules.Attr(service)
	coloured := false
	for _, colour := range [...][2]string{{"iconColor", "-color"}, {"iconBackgroundColor", "-background-color"}} {
		if v := php.ToString(parent.attrs.At(colour[0])); v != "" {
			classes += " has-" + rules.Attr(v) + colour[1]
			coloured = true
		}
	}
	if !coloured && traits.Has(trait.TwoSpacesInSocialLinks) {
		classes += " "
	}
	if v := php.ToString(b.Attr("className")); v != "" {
		classes += " " + rules.Attr(v)
	}
	label := php.ToString(b.Attr("label"))
	if label == "" {
		label = name
	}
	labelClasses := "wp-block-social-link-label screen-reader-text"
	if php.Truthy(parent.attrs.At("showLabels")) {
		labelClasses = "wp-block-social-link-label"
	}
	return "<li " + socialStyle(parent.attrs, traits) + `class="` + classes + ` wp-block-social-link"><a ` + socialRel(b, parent, rules) + `href="` +
		rules.URL(socialURL(url, service, traits)) + `" class="wp-block-social-link-anchor">` + icon +
		`<span class="` + labelClasses + `">` + rules.HTML(label) + `</span></a></li>`
}

// socialURL returns the address of a link: an e-mail address for mail, and https for an address
// without a scheme unless it is relative.
func socialURL(url, service string, traits trait.Set) string {
	switch {
	case service == "mail" && sanitize.IsEmail(url):
		return "mailto:" + url
	case escape.Scheme(url) != "", strings.HasPrefix(url, "//"):
	case strings.HasPrefix(url, "#") && !traits.Has(trait.TextBefore68):
	default:
		return "https://" + url
	}
	return url
}

func socialRel(b *blockparse.Block, parent blockParent, rules escape.Rules) string {
	rel := php.ToString(b.Attr("rel"))
	if !php.Truthy(parent.attrs.At("openInNewTab")) {
		if rel == "" {
			return ""
		}
		return `rel="` + rules.Attr(rel) + `" `
	}
	return `rel="` + rules.Attr(strings.TrimSpace(rel+" noopener nofollow")) + `" target="_blank" `
}

// socialStyle returns the attribute style with the colours of the list.
func socialStyle(attrs *php.Array, traits trait.Set) string {
	style := ""
	for _, property := range [...][2]string{{"color", "iconColorValue"}, {"background-color", "iconBackgroundColorValue"}} {
		value := php.ToString(attrs.At(property[1]))
		switch {
		case value == "":
		case traits.Has(trait.TextBefore69):
			style += property[0] + ": " + value + "; "
		default:
			style += property[0] + ":" + value + ";"
		}
	}
	if style == "" {
		return ""
	}
	if !traits.Has(trait.TextBefore70) {
		style = strings.TrimSuffix(style, ";")
	}
	return `style="` + escape.RulesOf(traits).Attr(style) + `" `
}
