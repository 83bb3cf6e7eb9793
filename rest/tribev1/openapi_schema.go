package tribev1

// schema is one entry of the OpenAPI document's components.
type schema struct {
	name       string
	properties []property
}

// property is one line of a schema. keys lists its keywords in order where they
// are not just "type description".
type property struct {
	name, typ  string
	keys       string
	format     string
	items, ref string
	enum       []string
}

const (
	itemsFirst = "type items description"
	itemsLast  = "type description items"
	withRef    = "type description $ref"
	withFormat = "type format description"
)

func text(names ...string) []property { return all("string", names) }

func integer(names ...string) []property { return all("integer", names) }

func boolean(names ...string) []property { return all("boolean", names) }

func all(typ string, names []string) []property {
	out := make([]property, len(names))
	for i, n := range names {
		out[i] = property{name: n, typ: typ}
	}
	return out
}

func one(p property) []property { return []property{p} }

func properties(groups ...[]property) []property {
	var out []property
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

// lineage, listOf and objectOf are shapes that several schemas share.
func lineage() []property {
	return one(property{name: "global_id_lineage", typ: "array", keys: itemsFirst, items: "string"})
}

func listOf(name, ref string) []property {
	return one(property{name: name, typ: "array", keys: itemsLast, ref: ref})
}

func objectOf(name, typ, ref string) []property {
	return one(property{name: name, typ: typ, keys: withRef, ref: ref})
}

var postDates = text("date", "date_utc", "modified", "modified_utc", "status", "url")

// schemas are the components of the OpenAPI document, in order. The key
// "currency_position " has its trailing space in the reference too.
var schemas = []schema{
	{"ImageSize", properties(integer("width", "height"), text("mime-type"),
		one(property{name: "url", typ: "string", keys: withFormat, format: "uri"}))},
	{"CostDetails", properties(text("currency_symbol"),
		one(property{name: "currency_position ", typ: "string", keys: "type description enum", enum: []string{"prefix", "postfix"}}),
		one(property{name: "values", typ: "array", keys: itemsFirst, items: "integer"}))},
	{"Term", properties(integer("id"), text("name", "slug", "taxonomy", "description"), integer("parent", "count"), text("url"),
		one(property{name: "urls", typ: "array", keys: itemsFirst, items: "string"}))},
	{"Image", properties(one(property{name: "url", typ: "string", keys: withFormat, format: "uri"}), integer("id"), text("extension"),
		integer("width", "height"), listOf("sizes", "ImageSize"))},
	{"DateDetails", integer("year", "month", "day", "hour", "minutes", "seconds")},
	{"Event", properties(integer("id"), text("global_id"), lineage(), integer("author"), postDates,
		text("rest_url", "title", "description", "excerpt", "slug"), objectOf("image", "object", "Image"), boolean("all_day"),
		text("start_date"), listOf("start_date_details", "DateDetails"), text("end_date"), listOf("end_date_details", "DateDetails"),
		text("utc_start_date"), listOf("utc_start_date_details", "DateDetails"), text("utc_end_date"), listOf("utc_end_date_details", "DateDetails"),
		text("timezone", "timezone_abbr", "cost"), listOf("cost_details", "CostDetails"), text("website"),
		boolean("show_map", "show_map_link", "hide_from_listings", "sticky", "featured"),
		listOf("categories", "Term"), listOf("tags", "Term"), objectOf("venue", "object", "Venue"), listOf("organizer", "Organizer"))},
	{"Venue", properties(integer("id"), text("global_id"), lineage(), integer("author"), postDates, text("venue", "description", "excerpt", "slug"),
		objectOf("image", "string", "Image"), boolean("show_map", "show_map_link"),
		text("address", "city", "country", "province", "state", "zip", "phone", "website", "stateprovince"),
		one(property{name: "geo_lat", typ: "number", keys: withFormat, format: "double"}),
		one(property{name: "geo_lng", typ: "number", keys: withFormat, format: "double"}))},
	{"Organizer", properties(integer("id"), text("global_id"), lineage(), integer("author"), postDates, text("organizer", "description", "excerpt", "slug"),
		objectOf("image", "string", "Image"), text("phone", "website", "email"))},
}
