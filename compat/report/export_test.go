package report

// ValidateReport checks a JSON report against its schema, for external tests.
var ValidateReport = validateReport
