package purge

import (
	"encoding"
	"encoding/json"
	"errors"
	"sync"

	"calbridge/wpstore/statedir"
)

const (
	// savedFile is the name of the file, and savedVersion that of its format.
	savedFile    = "position.json"
	savedVersion = 1
	// mostSaved is the size of the file above which it is damaged.
	mostSaved = 1 << 20
)

// savedText is the content of the file.
type savedText struct {
	Version  int
	Identity string
	Position string
}

// saved is the file with the position up to which caches were purged.
type saved struct {
	dir, identity string

	mu     sync.Mutex
	folder *statedir.Folder // nil while another site or process has it
	waits  bool             // for the sites that this one replaces
	ended  bool
}

// open locks the folder and returns the stored position; nil if there is none for the identity. Such a file is
// removed: from now on, caches get responses that it doesn't cover. While another site has the folder, or may
// get it, open returns nil.
func (s *saved) open() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" || s.waits {
		return nil, nil
	}
	folder, err := statedir.Open(s.dir, "lock")
	if err != nil {
		if errors.Is(err, statedir.ErrInUse) {
			err = nil
		}
		return nil, err
	}
	s.folder = folder
	var in savedText
	text, err := folder.Read(savedFile, mostSaved)
	if err == nil && json.Unmarshal(text, &in) == nil && in.Version == savedVersion && in.Identity == s.identity && in.Position != "" {
		return []byte(in.Position), nil
	}
	if err := folder.Remove(savedFile); err != nil {
		s.folder = nil
		return nil, errors.Join(err, folder.Close())
	}
	return nil, nil
}

// lock reports whether it has locked a folder that another site had before. The position in it is removed.
func (s *saved) lock() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" || s.folder != nil || s.waits || s.ended {
		return false
	}
	folder, err := statedir.Open(s.dir, "lock")
	if err != nil {
		return false
	}
	if err := folder.Remove(savedFile); err != nil {
		_ = folder.Close()
		return false
	}
	s.folder = folder
	return true
}

// succeed ends the waiting for the sites that this one replaces.
func (s *saved) succeed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waits = false
}

// held reports whether positions can be stored.
func (s *saved) held() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.folder != nil && !s.ended
}

// save stores a position. If no other process could resume there, it removes the file.
func (s *saved) save(at encoding.TextMarshaler) error {
	position, err := at.MarshalText()
	if err != nil {
		return err
	}
	text, err := json.Marshal(savedText{savedVersion, s.identity, string(position)})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder == nil || s.ended {
		return nil
	}
	if len(position) == 0 {
		return s.folder.Remove(savedFile)
	}
	return s.folder.Replace(savedFile, text)
}

// release removes the position, and ends storing. The folder remains locked.
func (s *saved) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.folder != nil {
		_ = s.folder.Remove(savedFile) // the site that comes next removes it, too
	}
}

// close unlocks the folder.
func (s *saved) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.folder != nil {
		_ = s.folder.Close()
		s.folder = nil
	}
}
