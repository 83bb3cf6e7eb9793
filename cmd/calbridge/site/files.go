package site

import (
	"fmt"
	"os"
	"sync"

	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest/api"
)

// Files holds the contents of files that several sites share: the folder of WordPress, and a profile. A nil
// *Files reads for one site alone. It is safe for concurrent use.
type Files struct {
	wordpress sitecheck.Folders

	mu sync.Mutex
	// profile was read last, and read is its file, with size and time.
	last *api.Profile
	read string
}

func (f *Files) folders() *sitecheck.Folders {
	if f == nil {
		return nil
	}
	return &f.wordpress
}

// profile returns the profile of a site, nil without one.
func (f *Files) profile(s *settings.Settings) (*api.Profile, error) {
	info, err := os.Stat(s.API.Profile)
	if f == nil || err != nil {
		return LoadProfile(s)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	file := fmt.Sprint(s.API.Profile, info.Size(), info.ModTime().UnixNano())
	if file == f.read {
		return f.last, nil
	}
	p, err := LoadProfile(s)
	if err == nil {
		f.last, f.read = p, file
	}
	return p, err
}
