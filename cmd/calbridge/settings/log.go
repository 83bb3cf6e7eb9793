package settings

import "calbridge/cmd/calbridge/logging"

func logRows(c *logging.Config) table {
	const g = GroupLog
	return table{
		{name: "log-format", arg: "FORMAT", def: "text", group: g, help: "text or json",
			set: oneOf(&c.Format, "text", "json")},
		{name: "log-level", arg: "LEVEL", def: "info", group: g, help: "least severe messages to log: debug, info, warn or error; info has a line for each request",
			set: oneOf(&c.Level, "debug", "info", "warn", "error")},
	}
}
