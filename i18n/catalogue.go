package i18n

// Catalogue is calbridge's own wording in one language. A profile recorded from a site
// takes precedence over it.
type Catalogue struct {
	Language string // ISO 639-1 code
	// Errors are messages by error code, with placeholders such as {id}.
	Errors map[string]string
	// Arguments describe request arguments by name.
	Arguments map[string]string
	// Documents describe fields and responses in the OpenAPI document, by
	// "Schema.field", by field alone, or by "response.kind.status". A field without an
	// entry has the text of the argument with its name.
	Documents map[string]string
	// Words are single words in values and URLs. Those of URLs are the same in all
	// catalogues, because a URL must not change with the reader's language.
	Words map[string]string
}

// Catalogues returns the built-in catalogues by language code.
func Catalogues() map[string]*Catalogue {
	return map[string]*Catalogue{"cs": czech(), "de": german(), "en": english()}
}
