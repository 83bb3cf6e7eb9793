package recording

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"
)

// LoadLogins reads a password file: lines of login:application password, "#"
// starting a comment line.
func LoadLogins(file string) (map[string]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("password file cannot be read: %w", err)
	}
	logins := map[string]string{}
	for number, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		login, password, found := strings.Cut(line, ":")
		if !found || login == "" || password == "" {
			return nil, fmt.Errorf("%s:%d: expected login:application password", file, number+1)
		}
		logins[login] = strings.TrimSpace(password)
	}
	return logins, nil
}

// authorization is the Authorization header that a login's requests were
// recorded with: HTTP Basic with the application password.
func (s *Site) Authorization(login string) (string, error) {
	if s == nil {
		return "", errors.New("logins need their application passwords, from a site file (--site) or a password file")
	}
	user, known := s.Users[login]
	if !known || user.ApplicationPassword == "" {
		return "", fmt.Errorf("the site file has no application password of %q", login)
	}
	return BasicAuthorization(login, user.ApplicationPassword), nil
}

func BasicAuthorization(login, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(login+":"+password))
}
