package app

import (
	"errors"
	"strings"

	"calbridge/cmd/calbridge/cmdline"
)

// userPassword is the environment variable with the application password for --user.
const userPassword = "CALBRIDGE_USER_PASSWORD"

// userHelp is the help of --user for commands that record a site.
const userHelp = "user `NAME`, such as an editor's, for messages that visitors don't get; asks for the application password unless " + userPassword +
	" has it. All these requests read, or are refused before anything is written"

// passwordOf returns the application password of a user: from the environment, else from
// standard input, where a terminal shows a prompt.
func passwordOf(p *cmdline.Process, command, user string) (string, error) {
	password := p.Getenv(userPassword)
	if password == "" {
		var err error
		if password, err = p.ReadSecret("Application password of " + user + ": "); err != nil && !errors.Is(err, cmdline.ErrNoInput) {
			return "", err
		}
	}
	if password = strings.TrimSpace(password); password == "" {
		return "", cmdline.Usagef("%s: --user %s needs an application password: set %s, or type it in a terminal", command, user, userPassword)
	}
	return password, nil
}
