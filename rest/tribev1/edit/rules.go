package edit

import (
	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/kses"
	"calbridge/wpstore"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/sitedb"
)

// writing returns the facts besides rows that the writes of a request depend on.
func writing(place *wpsite.Place, viewer *authz.Viewer, in *api.Params, revisions int) sitedb.Writing {
	return sitedb.Writing{
		User: viewer.User.ID, Zone: place.Site.CoreZone(), Charsets: place.Site.Facts.Charsets, Network: place.Site.Facts.Blog.ID != 0,
		Posts: postRules(place, viewer, revisions), Languages: languageRules(place, viewer, in),
	}
}

// postRules returns the rules for saving posts.
func postRules(place *wpsite.Place, viewer *authz.Viewer, revisions int) wpedit.Rules {
	return wpedit.Rules{
		Home: writtenHome(place), Occurrences: place.Site.Facts.Occurrences, Revisions: revisions,
		MayPublish: func(postType string) bool {
			kind := api.KindOf(postType)
			return kind != nil && viewer.User.Can("publish_"+kind.Caps)
		},
		MayPublishLinked: viewer.MayPublishLinked,
		Permalink:        func(p *wpstore.Post) string { return place.LinksFor("").Post(p, viewer.Viewable(p)) },
		Clean:            func(p *wpstore.Post) { cleanPost(p, place, viewer) },
		Slug:             place.Site.Slug,
	}
}

// cleanPost filters the texts of a post as WordPress does on every save: the HTML of users
// without the right to unfiltered HTML, links and invalid entities.
func cleanPost(p *wpstore.Post, place *wpsite.Place, viewer *authz.Viewer) {
	saving := kses.Saving{
		Unfiltered: wpcap.UnfilteredHTML(viewer.User, place.Site.Caps),
		UploadsURL: place.Text.UploadsURL, Traits: place.Site.Traits,
	}
	p.Title, p.Content, p.Excerpt = saving.Title(p.Title), saving.Content(p.Content), saving.Excerpt(p.Excerpt)
}

// languageRules returns the languages of the rows that a request writes.
func languageRules(place *wpsite.Place, viewer *authz.Viewer, in *api.Params) langplugin.Rules {
	l := &place.Site.Languages.Languages
	home := writtenHome(place)
	if home != place.LinksFor("").Home {
		home += "/"
	}
	lang, absent := langParam(in)
	posts := l.NewPost(place.Lang, lang, absent)
	events := posts
	if code := bodyLanguage(place, in); code != "" {
		events = code // no query depends on it
	}
	return langplugin.Rules{
		Languages: l,
		Posts:     posts, Events: events, Terms: place.Lang.Items(),
		Home: home, Translator: viewer.User.Can("manage_options"), Faithful: !place.Site.Compat.Fixed(),
		Jobs: place.Site.Facts.TranslationJobs,
	}
}

// bodyLanguage returns the language that a JSON body names by WPML's parameter, "" for none. An
// event takes it, and names itself under its root in the response. In a query, the parameter has
// neither effect.
func bodyLanguage(place *wpsite.Place, in *api.Params) string {
	if place.Site.Languages.Plugin != i18n.WPML || in.JSON.At(place.Site.Settings.LanguageParameter()) == nil {
		return ""
	}
	return place.Lang.Items()
}

// writtenHome returns the home URL in stored ids of posts.
func writtenHome(place *wpsite.Place) string {
	if place.BareHome {
		return place.LinksFor("").Home
	}
	return place.Links.Home
}

// langParam returns the language plugins' own parameter lang. absent reports that it is missing or
// not a text.
func langParam(in *api.Params) (lang string, absent bool) {
	lang, ok := in.Get("lang").(string)
	return lang, !ok
}
