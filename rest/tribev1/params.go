package tribev1

import (
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
)

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

var pageArgs = []*wprest.Arg{
	{Name: "page", Keys: paged, Type: "integer", Default: wprest.Constant(int64(1)), Valid: positiveInt},
	{Name: "per_page", Keys: paged, Type: "integer", Default: perPageDefault, Valid: positiveInt, Sanitize: clampPerPage},
}

var eventListArgs = slices.Concat(pageArgs, []*wprest.Arg{
	{Name: "start_date", Keys: "default description", DocType: "string", Default: StartDateDefault, Timely: true, Valid: isTime},
	{Name: "end_date", Keys: "default description", DocType: "string", Default: EndDateDefault, Timely: true, Valid: isTime},
	{Name: "starts_before", Keys: plain, DocType: "string", Valid: isTime},
	{Name: "starts_after", Keys: plain, DocType: "string", Valid: isTime},
	{Name: "ends_before", Keys: plain, DocType: "string", Valid: isTime},
	{Name: "ends_after", Keys: plain, DocType: "string", Valid: isTime},
	{Name: "strict_dates", Keys: "default description", DocType: "string", Default: wprest.Constant("false"), Valid: nonEmptyString},
	{Name: "search", Keys: typed, Type: "string", Valid: nonEmptyString},
	{Name: "categories", Keys: listed, DocType: "array", CSV: true, Named: true, Valid: termList(api.Categories)},
	{Name: "tags", Keys: listed, DocType: "array", CSV: true, Named: true, Valid: termList(api.Tags)},
	{Name: "venue", Keys: listed, DocType: "array", CSV: true, Valid: postList(api.Venues)},
	{Name: "organizer", Keys: listed, DocType: "array", CSV: true, Valid: postList(api.Organizers)},
	{Name: wpstore.FilterFeatured, Keys: typeFirst, Type: "boolean", Filter: byFlag},
	{Name: "status", Keys: formatted, DocType: "string", Format: "string", Valid: statusList(api.Events)},
	{Name: "geoloc", Keys: typeFirst, Type: "boolean"},
	{Name: "geoloc_lat", Keys: formatted, DocType: "number", Format: "double"},
	{Name: "geoloc_lng", Keys: formatted, DocType: "number", Format: "double"},
	{Name: "include", Keys: listed, DocType: "array", CSV: true, Valid: positiveInts, Sanitize: toList},
	{Name: wpstore.FilterParent, Keys: typeFirst, Type: "integer", Valid: eventID, Filter: byID},
	{Name: "ticketed", Keys: typeFirst, Type: "boolean", Valid: ticketed, Refusal: Fail("event-tickets-not-active")},
})

var eventCreateArgs = []*wprest.Arg{
	{Name: "author", Keys: typeFirst, Type: "integer", Valid: userID},
	{Name: "date", Keys: typeFirst, Type: "string", Valid: isTime},
	{Name: "date_utc", Keys: typeFirst, Type: "string", Valid: isTime},
	{Name: "title", Keys: typeFirst, Type: "string", Required: true, Valid: nonEmptyString},
	{Name: "description", Keys: typeFirst, Type: "string", Valid: nonEmptyString},
	{Name: "slug", Keys: typeFirst, Type: "string", Valid: nonEmptyString},
	{Name: "excerpt", Keys: typeFirst, Type: "string", Valid: nonEmptyString},
	{Name: "status", Keys: typeFirst, Type: "string", Valid: postStatus},
	{Name: "timezone", Keys: typeFirst, Type: "string", Valid: timezoneOrEmpty},
	{Name: "all_day", Keys: "default type description", Type: "boolean", Default: wprest.Constant(false)},
	{Name: "start_date", Keys: typeFirst, Type: "string", Required: true, Valid: isTime},
	{Name: "end_date", Keys: typeFirst, Type: "string", Required: true, Valid: isTime},
	{Name: "image", Keys: typeFirst, Type: "string", Valid: image},
	{Name: "cost", Keys: plain, DocType: "string"},
	{Name: "website", Keys: "default description", DocType: "string", Valid: urlOrEmpty},
	{Name: "show_map", Keys: typeFirst, Type: "boolean"},
	{Name: "show_map_link", Keys: typeFirst, Type: "boolean"},
	{Name: "hide_from_listings", Keys: typeFirst, Type: "boolean"},
	{Name: "sticky", Keys: typeFirst, Type: "boolean"},
	{Name: "featured", Keys: typeFirst, Type: "boolean"},
	{Name: "categories", Keys: listDefault, DocType: "array", Named: true},
	{Name: "tags", Keys: listDefault, DocType: "array", Named: true},
	{Name: "venue", Keys: listDefault, DocType: "array", Valid: linked(api.Venues), Linked: api.Venues, Posts: linkedIDs, Without: trait.OneVenue},
	{Name: "venue", Keys: listDefault, DocType: "array", Valid: linked(api.Venues), Linked: api.Venues, Posts: linkedIDs, With: trait.OneVenue, Singular: true},
	{Name: "organizer", Keys: listDefault, DocType: "array", Valid: linked(api.Organizers), Linked: api.Organizers, Posts: linkedIDs},
}

func linkedListArgs(kind *api.PostKind) []*wprest.Arg {
	return slices.Concat(pageArgs, []*wprest.Arg{
		{Name: "search", Keys: typed, Type: "string", Valid: nonEmptyString},
		{Name: "event", Keys: typed, Type: "integer", Valid: eventID},
		{Name: "has_events", Keys: plain, DocType: "boolean", Flag: true},
		{Name: "only_with_upcoming", Keys: "description default", DocType: "boolean", Flag: true, Default: wprest.Constant(false)},
		{Name: "status", Keys: formatted, DocType: "string", Format: "string", Valid: statusList(kind)},
	})
}

var venueCreateArgs = []*wprest.Arg{
	{Name: "author", Keys: typeFirst, Type: "integer", Valid: userID},
	{Name: "date", Keys: typeFirst, Type: "string", Valid: isTime},
	{Name: "date_utc", Keys: typeFirst, Type: "string", Valid: isTime},
	{Name: "venue", Keys: typeFirst, Type: "string", Required: true, Valid: nonEmptyString},
	{Name: "description", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "status", Keys: typeFirst, Type: "string", Valid: postStatus},
	{Name: "show_map", Keys: nullable, Type: "string"},
	{Name: "show_map_link", Keys: nullable, Type: "string"},
	{Name: "address", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "city", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "country", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "province", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "state", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "zip", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "phone", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "stateprovince", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "website", Keys: nullable, Type: "string", Valid: urlOrEmpty},
	{Name: "image", Keys: nullable, Type: "string", Valid: imageOrEmpty},
}

var organizerCreateArgs = []*wprest.Arg{
	{Name: "author", Keys: nullable, Type: "integer", Valid: userID},
	{Name: "date", Keys: nullable, Type: "string", Valid: isTime},
	{Name: "date_utc", Keys: nullable, Type: "string", Valid: isTime},
	{Name: "organizer", Keys: nullable, Type: "string", Required: true, Valid: nonEmptyString},
	{Name: "description", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "status", Keys: nullable, Type: "string", Valid: postStatus},
	{Name: "phone", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "website", Keys: nullable, Type: "string", Valid: urlOrEmpty},
	{Name: "email", Keys: nullable, Type: "string", Valid: stringOrEmpty},
	{Name: "image", Keys: nullable, Type: "string", Valid: imageOrEmpty},
}

func termListArgs(tax *api.TaxonomyKind) []*wprest.Arg {
	args := slices.Concat(pageArgs, []*wprest.Arg{
		{Name: "search", Keys: typed, Type: "string", Valid: nonEmptyString},
		{Name: "exclude", Keys: listed, DocType: "array", Named: true, Valid: termList(tax)},
		{Name: "include", Keys: listed, DocType: "array", Named: true, Valid: termList(tax)},
		{Name: "order", Keys: typed, Type: "string", Valid: nonEmptyString},
		{Name: "orderby", Keys: typed, Type: "string", Valid: nonEmptyString},
		{Name: "hide_empty", Keys: typedDefault, Type: "boolean", Default: wprest.Constant("1")},
	})
	if tax.Hierarchical {
		args = append(args, &wprest.Arg{Name: "parent", Keys: typed, Type: "integer", Valid: termList(tax)})
	}
	return append(args,
		&wprest.Arg{Name: "post", Keys: typed, Type: "integer", Valid: eventID},
		&wprest.Arg{Name: "event", Keys: typed, Type: "integer", Valid: eventID},
		&wprest.Arg{Name: "slug", Keys: typed, Type: "string", Valid: nonEmptyString},
	)
}

func termCreateArgs(tax *api.TaxonomyKind) []*wprest.Arg {
	args := []*wprest.Arg{
		{Name: "name", Keys: typeFirst, Type: "string", Required: true, Valid: nonEmptyString},
		{Name: "description", Keys: typeFirst, Type: "string", Valid: nonEmptyString},
		{Name: "slug", Keys: typeFirst, Type: "string", Valid: nonEmptyString},
	}
	if tax.Hierarchical {
		args = append(args, &wprest.Arg{Name: "parent", Keys: typeFirst, Type: "integer", Valid: termList(tax)})
	}
	return args
}

func idArg(v wprest.Validator) []*wprest.Arg {
	return []*wprest.Arg{{Name: "id", Keys: typeFirst, Type: "integer", Required: true, InPath: true, Valid: v}}
}

func slugArg(kind *api.PostKind) []*wprest.Arg {
	return []*wprest.Arg{{Name: "slug", Keys: typeFirst, Type: "string", Required: true, InPath: true, Valid: postSlug(kind)}}
}

// eventIDArgs name a single event. The reference's OpenAPI document places the password,
// which unlocks a protected event, in the path, although it is read from every source.
var eventIDArgs = []*wprest.Arg{
	{Name: "id", Keys: typeFirst, Type: "integer", Required: true, InPath: true, Valid: numericID, Without: trait.EventIDIsCheckedFirst},
	{Name: "id", Keys: typeFirst, Type: "integer", Required: true, InPath: true, Valid: postID(api.Events), With: trait.EventIDIsCheckedFirst},
	{Name: "password", Keys: typeFirst, Type: "string", InPath: true, Valid: nonEmptyString, Without: trait.EventsIgnorePasswords},
}
