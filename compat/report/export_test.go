package report

// ValidateReport holds a JSON report against its schema, for the tests outside.
var ValidateReport = validateReport
