package i18n

// Catalogue is the wording of one language: short texts of our own. A site
// profile recorded off a site takes precedence over it.
type Catalogue struct {
	Language string // ISO 639-1 code
	// Errors are messages by error code, with placeholders such as {id}.
	Errors map[string]string
	// Arguments describe request arguments by name.
	Arguments map[string]string
	// Documents describe fields and answers in the OpenAPI document, by
	// "Schema.field", by field alone, or by "response.kind.status". A field without an
	// entry reads like the argument of its name.
	Documents map[string]string
	// Words are single words that show up in values and URLs. Those of URLs are the
	// same in all catalogues: a URL must not change with the language of a reader.
	Words map[string]string
}

// Catalogues returns the built-in ones by language code.
func Catalogues() map[string]*Catalogue {
	return map[string]*Catalogue{"cs": czech(), "de": german(), "en": english()}
}
