package routes

import (
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// arg is one declared argument of an endpoint. The index, the OpenAPI document,
// OPTIONS answers, validation and conversion all derive from it.
type arg struct {
	name string
	// keys lists the schema keywords that the index shows, in the order in which
	// the reference declares them; "required" always follows as the last one.
	keys string
	// typ is the declared schema type (integer, boolean, string). WordPress's schema
	// rules check and convert an argument that has a type and no sanitizer.
	typ string
	// docType is the type in the OpenAPI document where typ is empty.
	docType string
	// def gives the default of this request; nil or a nil result means none.
	def      func(*Request) php.Value
	format   string
	required bool
	// csv reports that the OpenAPI document describes a form-style list.
	csv bool
	// named reports that entries of the list may be names or slugs besides ids.
	named bool
	// flag reports an untyped argument that only an empty value and 0 turn off; the text "false"
	// does not.
	flag bool
	// timely reports that the default depends on the time.
	timely bool
	// linked is the kind of posts whose data entries may have, nil for none.
	linked *api.PostKind
	// path reports that the OpenAPI document places the argument in the path.
	path bool
	// with and without are traits: only sites with the one, and without the other, have the
	// argument. "" means all sites.
	with, without trait.Name
	// singular reports that the description speaks of one value, while later versions, whose words
	// the profile may have, speak of several.
	singular bool
	// undocumented arguments are left out of the OpenAPI document.
	undocumented bool
	// language reports the parameter that chooses the language.
	language bool
	enum     []string
	valid    validator
	// posts returns the ids that the validator looks up; nil if it looks up none, or nothing else
	// does.
	posts func(php.Value) []int64
	// refusal is the code in the details of a refused value, "" for none.
	refusal  string
	sanitize func(*Request, php.Value) php.Value
	// filter makes a condition on events of the value; nil for other arguments. The name of
	// the condition in package events is that of the argument.
	filter filterOf
}

func (a *arg) shows(keyword string) bool { return slices.Contains(strings.Fields(a.keys), keyword) }

// argsOf returns the arguments of a table that a site with traits has.
func argsOf(args []*arg, traits trait.Set) []*arg {
	return slices.DeleteFunc(slices.Clone(args), func(a *arg) bool {
		return traits.Has(a.without) || a.with != "" && !traits.Has(a.with)
	})
}

// description returns the text of the argument in the words of a site.
func (a *arg) description(text string) string {
	if a.singular {
		return strings.Replace(text, "IDs", "ID", 1)
	}
	return text
}

// refusalDetail returns the detail of a value that the validator refuses; nil for none.
func (a *arg) refusalDetail() *api.Error {
	if a.refusal == "" {
		return nil
	}
	e := api.Fail(a.refusal)
	e.Data = api.Object("status", int64(e.Status))
	return e
}

func constant(v php.Value) func(*Request) php.Value {
	return func(*Request) php.Value { return v }
}

// Index keyword orders that occur more than once.
const (
	paged        = "default description type"
	plain        = "description"
	typed        = "description type"
	typeFirst    = "type description"
	listed       = "description items"
	listDefault  = "default items description"
	nullable     = "type default description"
	formatted    = "format description"
	typedDefault = "description type default"
)

var pageArgs = []*arg{
	{name: "page", keys: paged, typ: "integer", def: constant(int64(1)), valid: positiveInt},
	{name: "per_page", keys: paged, typ: "integer", def: perPageDefault, valid: positiveInt, sanitize: clampPerPage},
}

var eventListArgs = slices.Concat(pageArgs, []*arg{
	{name: "start_date", keys: "default description", docType: "string", def: StartDateDefault, timely: true, valid: isTime},
	{name: "end_date", keys: "default description", docType: "string", def: EndDateDefault, timely: true, valid: isTime},
	{name: "starts_before", keys: plain, docType: "string", valid: isTime},
	{name: "starts_after", keys: plain, docType: "string", valid: isTime},
	{name: "ends_before", keys: plain, docType: "string", valid: isTime},
	{name: "ends_after", keys: plain, docType: "string", valid: isTime},
	{name: "strict_dates", keys: "default description", docType: "string", def: constant("false"), valid: nonEmptyString},
	{name: "search", keys: typed, typ: "string", valid: nonEmptyString},
	{name: "categories", keys: listed, docType: "array", csv: true, named: true, valid: termList(api.Categories)},
	{name: "tags", keys: listed, docType: "array", csv: true, named: true, valid: termList(api.Tags)},
	{name: "venue", keys: listed, docType: "array", csv: true, valid: postList(api.Venues)},
	{name: "organizer", keys: listed, docType: "array", csv: true, valid: postList(api.Organizers)},
	{name: wpstore.FilterFeatured, keys: typeFirst, typ: "boolean", filter: byFlag},
	{name: "status", keys: formatted, docType: "string", format: "string", valid: statusList(api.Events)},
	{name: "geoloc", keys: typeFirst, typ: "boolean"},
	{name: "geoloc_lat", keys: formatted, docType: "number", format: "double"},
	{name: "geoloc_lng", keys: formatted, docType: "number", format: "double"},
	{name: "include", keys: listed, docType: "array", csv: true, valid: positiveInts, sanitize: toList},
	{name: wpstore.FilterParent, keys: typeFirst, typ: "integer", valid: eventID, filter: byID},
	{name: "ticketed", keys: typeFirst, typ: "boolean", valid: ticketed, refusal: "event-tickets-not-active"},
})

var eventCreateArgs = []*arg{
	{name: "author", keys: typeFirst, typ: "integer", valid: userID},
	{name: "date", keys: typeFirst, typ: "string", valid: isTime},
	{name: "date_utc", keys: typeFirst, typ: "string", valid: isTime},
	{name: "title", keys: typeFirst, typ: "string", required: true, valid: nonEmptyString},
	{name: "description", keys: typeFirst, typ: "string", valid: nonEmptyString},
	{name: "slug", keys: typeFirst, typ: "string", valid: nonEmptyString},
	{name: "excerpt", keys: typeFirst, typ: "string", valid: nonEmptyString},
	{name: "status", keys: typeFirst, typ: "string", valid: postStatus},
	{name: "timezone", keys: typeFirst, typ: "string", valid: timezoneOrEmpty},
	{name: "all_day", keys: "default type description", typ: "boolean", def: constant(false)},
	{name: "start_date", keys: typeFirst, typ: "string", required: true, valid: isTime},
	{name: "end_date", keys: typeFirst, typ: "string", required: true, valid: isTime},
	{name: "image", keys: typeFirst, typ: "string", valid: image},
	{name: "cost", keys: plain, docType: "string"},
	{name: "website", keys: "default description", docType: "string", valid: urlOrEmpty},
	{name: "show_map", keys: typeFirst, typ: "boolean"},
	{name: "show_map_link", keys: typeFirst, typ: "boolean"},
	{name: "hide_from_listings", keys: typeFirst, typ: "boolean"},
	{name: "sticky", keys: typeFirst, typ: "boolean"},
	{name: "featured", keys: typeFirst, typ: "boolean"},
	{name: "categories", keys: listDefault, docType: "array", named: true},
	{name: "tags", keys: listDefault, docType: "array", named: true},
	{name: "venue", keys: listDefault, docType: "array", valid: linked(api.Venues), linked: api.Venues, posts: linkedIDs, without: trait.OneVenue},
	{name: "venue", keys: listDefault, docType: "array", valid: linked(api.Venues), linked: api.Venues, posts: linkedIDs, with: trait.OneVenue, singular: true},
	{name: "organizer", keys: listDefault, docType: "array", valid: linked(api.Organizers), linked: api.Organizers, posts: linkedIDs},
}

func linkedListArgs(kind *api.PostKind) []*arg {
	return slices.Concat(pageArgs, []*arg{
		{name: "search", keys: typed, typ: "string", valid: nonEmptyString},
		{name: "event", keys: typed, typ: "integer", valid: eventID},
		{name: "has_events", keys: plain, docType: "boolean", flag: true},
		{name: "only_with_upcoming", keys: "description default", docType: "boolean", flag: true, def: constant(false)},
		{name: "status", keys: formatted, docType: "string", format: "string", valid: statusList(kind)},
	})
}

var venueCreateArgs = []*arg{
	{name: "author", keys: typeFirst, typ: "integer", valid: userID},
	{name: "date", keys: typeFirst, typ: "string", valid: isTime},
	{name: "date_utc", keys: typeFirst, typ: "string", valid: isTime},
	{name: "venue", keys: typeFirst, typ: "string", required: true, valid: nonEmptyString},
	{name: "description", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "status", keys: typeFirst, typ: "string", valid: postStatus},
	{name: "show_map", keys: nullable, typ: "string"},
	{name: "show_map_link", keys: nullable, typ: "string"},
	{name: "address", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "city", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "country", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "province", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "state", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "zip", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "phone", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "stateprovince", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "website", keys: nullable, typ: "string", valid: urlOrEmpty},
	{name: "image", keys: nullable, typ: "string", valid: imageOrEmpty},
}

var organizerCreateArgs = []*arg{
	{name: "author", keys: nullable, typ: "integer", valid: userID},
	{name: "date", keys: nullable, typ: "string", valid: isTime},
	{name: "date_utc", keys: nullable, typ: "string", valid: isTime},
	{name: "organizer", keys: nullable, typ: "string", required: true, valid: nonEmptyString},
	{name: "description", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "status", keys: nullable, typ: "string", valid: postStatus},
	{name: "phone", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "website", keys: nullable, typ: "string", valid: urlOrEmpty},
	{name: "email", keys: nullable, typ: "string", valid: stringOrEmpty},
	{name: "image", keys: nullable, typ: "string", valid: imageOrEmpty},
}

func termListArgs(tax *api.TaxonomyKind) []*arg {
	args := slices.Concat(pageArgs, []*arg{
		{name: "search", keys: typed, typ: "string", valid: nonEmptyString},
		{name: "exclude", keys: listed, docType: "array", named: true, valid: termList(tax)},
		{name: "include", keys: listed, docType: "array", named: true, valid: termList(tax)},
		{name: "order", keys: typed, typ: "string", valid: nonEmptyString},
		{name: "orderby", keys: typed, typ: "string", valid: nonEmptyString},
		{name: "hide_empty", keys: typedDefault, typ: "boolean", def: constant("1")},
	})
	if tax.Hierarchical {
		args = append(args, &arg{name: "parent", keys: typed, typ: "integer", valid: termList(tax)})
	}
	return append(args,
		&arg{name: "post", keys: typed, typ: "integer", valid: eventID},
		&arg{name: "event", keys: typed, typ: "integer", valid: eventID},
		&arg{name: "slug", keys: typed, typ: "string", valid: nonEmptyString},
	)
}

func termCreateArgs(tax *api.TaxonomyKind) []*arg {
	args := []*arg{
		{name: "name", keys: typeFirst, typ: "string", required: true, valid: nonEmptyString},
		{name: "description", keys: typeFirst, typ: "string", valid: nonEmptyString},
		{name: "slug", keys: typeFirst, typ: "string", valid: nonEmptyString},
	}
	if tax.Hierarchical {
		args = append(args, &arg{name: "parent", keys: typeFirst, typ: "integer", valid: termList(tax)})
	}
	return args
}

func idArg(v validator) []*arg {
	return []*arg{{name: "id", keys: typeFirst, typ: "integer", required: true, path: true, valid: v}}
}

func slugArg(kind *api.PostKind) []*arg {
	return []*arg{{name: "slug", keys: typeFirst, typ: "string", required: true, path: true, valid: postSlug(kind)}}
}

// eventIDArgs name a single event. The reference's OpenAPI document places the password,
// which unlocks a protected event, in the path, although it is read from every source.
var eventIDArgs = []*arg{
	{name: "id", keys: typeFirst, typ: "integer", required: true, path: true, valid: numericID, without: trait.EventIDIsCheckedFirst},
	{name: "id", keys: typeFirst, typ: "integer", required: true, path: true, valid: postID(api.Events), with: trait.EventIDIsCheckedFirst},
	{name: "password", keys: typeFirst, typ: "string", path: true, valid: nonEmptyString, without: trait.EventsIgnorePasswords},
}

// optional returns the arguments of an update: first, then the create arguments, none of
// them required. A create argument replaces one of first with the same name in its place.
func optional(first, create []*arg) []*arg {
	out := slices.Clone(first)
	for _, required := range create {
		a := *required
		a.required = false
		if i := slices.IndexFunc(out, func(b *arg) bool { return b.name == a.name }); i >= 0 {
			out[i] = &a
		} else {
			out = append(out, &a)
		}
	}
	return out
}

// languageArg returns the parameter that chooses the language, the last argument of every
// endpoint. The reference's OpenAPI document does not have it.
func languageArg(name string, offered []string) []*arg {
	if len(offered) == 0 {
		return nil
	}
	return []*arg{{name: name, keys: "type description enum", typ: "string", enum: offered, undocumented: true, language: true}}
}
