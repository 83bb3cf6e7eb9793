package openapi

import (
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/tribev1"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

// model is an object of responses.
type model struct {
	name   string
	fields []field
	// open reports that it may have further members.
	open bool
	// tickets reports that only sites with Event Tickets have it.
	tickets bool
	// foreign reports that its members are defined elsewhere, by schema.org or WordPress for
	// example. They have no descriptions.
	foreign bool
}

// field is a member of a model.
type field struct {
	name   string
	schema *php.Array
	// optional reports that some objects lack it.
	optional bool
	// tickets reports that only sites with Event Tickets have it.
	tickets bool
	// without is a trait of sites that do not have it, "" for none.
	without trait.Name
}

// postHead returns the columns that all posts show, without their ids.
func postHead() []field {
	return []field{
		{name: "author", schema: text()}, {name: "status", schema: text()}, {name: "date", schema: dateTime()}, {name: "date_utc", schema: dateTime()},
		{name: "modified", schema: dateTime()}, {name: "modified_utc", schema: dateTime()}, {name: "url", schema: uri()},
	}
}

func globalID() []field {
	return []field{{name: "global_id", schema: text()}, {name: "global_id_lineage", schema: listOf(text())}}
}

func id() []field { return []field{{name: "id", schema: integer()}} }

// optional returns fields of a schema that some objects lack.
func optional(schema func() *php.Array, names ...string) []field {
	var out []field
	for _, name := range names {
		out = append(out, field{name: name, schema: schema(), optional: true})
	}
	return out
}

// always returns fields of a schema that all objects have.
func always(schema func() *php.Array, names ...string) []field {
	out := optional(schema, names...)
	for i := range out {
		out[i].optional = false
	}
	return out
}

// booleanOrNull returns the schema of a boolean that is null where a password locks the post.
func booleanOrNull() *php.Array { return orNull(boolean()) }

func pictureOrFalse() *php.Array { return anyOf(ref("Picture"), only(false)) }

// dateFields returns the dates of an event with their parts. An event whose metadata lacks a
// date has null. Programs may have stored any text.
func dateFields() []field {
	var out []field
	for _, name := range []string{"start_date", "end_date", "utc_start_date", "utc_end_date"} {
		out = append(out, field{name: name, schema: orNull(text())}, field{name: name + "_details", schema: ref("DateDetails")})
	}
	return out
}

// linkedPost returns the fields of a venue or an organizer. Those that are empty are left out.
func linkedPost(kind *api.PostKind, own, last []field) []field {
	return slices.Concat(id(), postHead(),
		[]field{{name: tribev1.Singular(kind), schema: anyOf(text(), nothing()), optional: true}},
		optional(text, "description", "excerpt", "slug"), optional(pictureOrFalse, "image"),
		own, optional(linkedData(kind), "json_ld"), last, globalID())
}

func linkedData(kind *api.PostKind) func() *php.Array {
	return func() *php.Array {
		return ref(map[*api.PostKind]string{api.Venues: "PlaceData", api.Organizers: "PersonData"}[kind])
	}
}

// dataHead returns the first members of structured data.
func dataHead(typ string) []field {
	return slices.Concat([]field{{name: "@type", schema: only(typ)}}, always(text, "name", "description"),
		[]field{{name: "image", schema: anyOf(text(), only(false)), optional: true}})
}

// listModel returns a page of a list, whose items are under key.
func listModel(name, key, item string) model {
	return model{name: name, fields: slices.Concat([]field{{name: key, schema: listOf(ref(item))}}, always(uri, "rest_url"),
		optional(uri, "next_rest_url", "previous_rest_url"), always(integer, "total", "total_pages"))}
}

// term returns the fields of a category or a tag by itself.
func term(parent ...field) []field {
	return slices.Concat(id(), always(integer, "count"), always(text, "description", "name", "slug", "taxonomy"), parent,
		always(nothing, "meta"), always(uri, "url"),
		[]field{
			{name: "urls", schema: ref("TermAddresses")}, {name: "_links", schema: ref("TermLinks"), optional: true},
		})
}

// models returns the table of all objects. Fields are in the order of responses.
func models() []model {
	offer := func() *php.Array { return anyOf(ref("Offer"), listOf(ref("Offer"))) }
	links := func() *php.Array { return listOf(ref("Link")) }
	return []model{
		{name: "Event", fields: slices.Concat(id(), globalID(), postHead(), always(uri, "rest_url"),
			always(text, "title", "description", "excerpt", "slug"), always(pictureOrFalse, "image"), always(booleanOrNull, "all_day"),
			dateFields(), always(text, "timezone", "timezone_abbr", "cost"), []field{{name: "cost_details", schema: ref("CostDetails")}},
			always(text, "website"), always(booleanOrNull, "show_map", "show_map_link", "hide_from_listings", "sticky", "featured"),
			[]field{
				{name: "categories", schema: listOf(ref("EventTerm"))}, {name: "tags", schema: listOf(ref("EventTerm"))},
				{name: "venue", schema: anyOf(ref("Venue"), listOf(ref("Venue")))}, {name: "organizer", schema: listOf(ref("Organizer"))},
				{name: "custom_fields", schema: anyOf(mapOf(ref("CustomField")), nothing()), without: trait.NoCustomFields},
				{name: "json_ld", schema: ref("EventData"), optional: true},
				{name: "attendance", schema: ref("Attendance"), optional: true, tickets: true},
				{name: "ticketed", schema: anyOf(only(false), listOf(text()), typed("null")), tickets: true},
			})},
		{name: "Venue", fields: linkedPost(api.Venues,
			optional(text, "address", "city", "country", "province", "state", "zip", "phone", "website", "stateprovince"), always(booleanOrNull, "show_map", "show_map_link"))},
		{name: "Organizer", fields: linkedPost(api.Organizers, optional(text, "phone", "website", "email"), nil)},
		{name: "Category", fields: slices.Concat(term(field{name: "parent", schema: integer()}), optional(func() *php.Array { return mapOf(listOf(mapOf(anything()))) }, "_embedded"))},
		{name: "Tag", fields: term()},
		{name: "EventTerm", fields: slices.Concat(always(text, "name", "slug"), always(integer, "term_group", "term_taxonomy_id"), always(text, "taxonomy", "description"),
			always(integer, "parent", "count"), []field{{name: "filter", schema: only("raw")}}, id(), []field{{name: "urls", schema: ref("TermAddresses")}})},
		{name: "TermAddresses", foreign: true, fields: slices.Concat(always(uri, "self", "collection"), optional(uri, "up"))},
		{name: "TermLinks", foreign: true, fields: slices.Concat(always(links, "self", "collection", "about"), optional(links, "up"), always(links, "wp:post_type", "curies"))},
		{name: "Link", foreign: true, fields: slices.Concat(always(text, "href"), optional(boolean, "embeddable", "templated"), optional(text, "name"),
			optional(func() *php.Array { return mapOf(listOf(text())) }, "targetHints"))},
		// A picture shows the stored metadata of the file. The URL of a deleted one is false.
		{name: "Picture", open: true, fields: slices.Concat([]field{{name: "url", schema: anyOf(text(), only(false)), optional: true}}, id(), optional(text, "extension"), optional(integer, "width", "height", "filesize"),
			optional(func() *php.Array { return mapOf(ref("PictureSize")) }, "sizes"))},
		{name: "PictureSize", open: true, fields: slices.Concat(optional(integer, "width", "height"), optional(text, "mime-type"), optional(integer, "filesize"), always(text, "url"))},
		{name: "DateDetails", fields: always(text, "year", "month", "day", "hour", "minutes", "seconds")},
		{name: "CostDetails", fields: slices.Concat(always(text, "currency_symbol", "currency_code", "currency_position"),
			[]field{{name: "values", schema: listOf(typed("string", "number"))}})},
		{name: "CustomField", fields: []field{{name: "label", schema: anything()}, {name: "value", schema: anything()}}},
		{name: "Attendance", tickets: true, fields: always(func() *php.Array { return anyOf(integer(), only("null")) }, "total_attendees", "checked_in", "not_checked_in")},
		{name: "EventData", foreign: true, fields: slices.Concat(always(text, "@context"), dataHead("Event"), always(uri, "url"), optional(offer, "offers"),
			always(text, "eventAttendanceMode", "eventStatus", "startDate", "endDate"),
			[]field{
				{name: "location", schema: anyOf(ref("PlaceData"), only(false)), optional: true}, {name: "organizer", schema: anyOf(ref("PersonData"), only(false)), optional: true},
			}, always(text, "performer"))},
		{name: "PlaceData", foreign: true, fields: slices.Concat(dataHead("Place"), always(text, "url"), []field{{name: "address", schema: ref("AddressData")}}, always(text, "telephone", "sameAs"))},
		{name: "AddressData", foreign: true, fields: slices.Concat([]field{{name: "@type", schema: only("PostalAddress")}},
			optional(text, "streetAddress", "addressLocality", "addressRegion", "postalCode", "addressCountry"))},
		{name: "PersonData", foreign: true, fields: slices.Concat(dataHead("Person"), always(text, "url", "telephone", "email", "sameAs"))},
		{name: "Offer", foreign: true, fields: slices.Concat([]field{{name: "@type", schema: only("Offer")}}, always(text, "price", "priceCurrency", "url", "category", "availability"),
			optional(text, "validFrom"), []field{{name: "validThrough", schema: text(), optional: true, tickets: true}})},
		listModel("EventList", "events", "Event"),
		listModel("VenueList", "venues", "Venue"),
		listModel("OrganizerList", "organizers", "Organizer"),
		listModel("CategoryList", "categories", "Category"),
		listModel("TagList", "tags", "Tag"),
		{name: "Index", fields: slices.Concat(always(text, "namespace"), []field{{name: "routes", schema: mapOf(ref("IndexRoute"))}, {name: "_links", schema: mapOf(links())}})},
		{name: "IndexRoute", foreign: true, fields: []field{
			{name: "namespace", schema: text()}, {name: "methods", schema: listOf(text())}, {name: "endpoints", schema: listOf(ref("IndexEndpoint"))},
			{name: "_links", schema: mapOf(links()), optional: true},
		}},
		{name: "IndexEndpoint", foreign: true, fields: []field{{name: "methods", schema: listOf(text())}, {name: "args", schema: anyOf(mapOf(ref("IndexArgument")), nothing())}}},
		{name: "IndexArgument", foreign: true, fields: slices.Concat(optional(anything, "default"), optional(text, "description", "type", "format"),
			optional(func() *php.Array { return mapOf(text()) }, "items"), optional(func() *php.Array { return listOf(text()) }, "enum"), always(boolean, "required"))},
		{name: "Document", open: true, foreign: true, fields: slices.Concat(always(text, "openapi"), always(func() *php.Array { return typed("object") }, "info", "paths", "components"))},
		{name: "ChangesPage", fields: slices.Concat([]field{{name: "events", schema: listOf(anyOf(ref("Event"), ref("Tombstone")))}}, optional(text, "page_token", "sync_token"))},
		{name: "Tombstone", fields: slices.Concat(id(), []field{{name: "deleted", schema: only(true)}})},
		{name: "JSONFeed", open: true, foreign: true, fields: slices.Concat(always(uri, "version"), always(text, "title"), []field{{name: "items", schema: listOf(typed("object"))}})},
		{name: "Error", fields: slices.Concat(always(text, "code", "message"), []field{
			{name: "data", schema: anyOf(ref("ErrorData"), typed("string", "null")), optional: true}, {name: "additional_data", schema: listOf(integer()), optional: true},
		})},
		{name: "ErrorData", fields: slices.Concat(always(integer, "status"),
			[]field{
				{name: "params", schema: anyOf(mapOf(text()), listOf(text())), optional: true}, {name: "details", schema: anyOf(mapOf(ref("ErrorDetail")), nothing()), optional: true},
			}, optional(integer, "json_error_code"), optional(text, "json_error_message"), optional(integer, "term_id"), optional(text, "reason"))},
		{name: "ErrorDetail", fields: slices.Concat(always(text, "code", "message"), []field{{name: "data", schema: anyOf(mapOf(typed("string", "integer")), typed("null"))}})},
	}
}

// shown reports whether objects of a site have a field.
func (f *field) shown(site *wpsite.Site) bool {
	return (!f.tickets || site.Tickets != nil) && (f.without == "" || !site.Traits.Has(f.without))
}
