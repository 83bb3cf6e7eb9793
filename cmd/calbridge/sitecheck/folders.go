package sitecheck

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	"calbridge/rest/sitefacts"
	"calbridge/wpstore/wpfolder"
)

// Folders holds readings of the folders of WordPress, for several sites with the same folder. Sites with
// the same theme, plugins and languages share a reading. It is safe for concurrent use.
type Folders struct {
	mu  sync.Mutex
	all map[string]*folder
}

// readAfter is the age after which a reading that several sites share is made again. It is less than the
// time between two looks at a site's facts.
const readAfter = 30 * time.Second

// folder holds the readings of a folder for one query.
type folder struct {
	mu sync.Mutex
	// read is the last reading, made at at; nil before the first one.
	read *wpfolder.Folder
	at   time.Time
	// searched are the hooks that were found in files last, when, and in which folder. The
	// search reads every PHP file of all plugins.
	searched   []wpfolder.Hook
	searchedAt time.Time
	searchedIn *wpfolder.Folder
}

// of returns the readings for a query.
func (f *Folders) of(dir string, q wpfolder.Query) *folder {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all == nil {
		f.all = map[string]*folder{}
	}
	key := fmt.Sprintf("%q %+q", dir, q)
	if f.all[key] == nil {
		f.all[key] = &folder{}
	}
	return f.all[key]
}

// get reads a folder for one of several sites, unless another site has done so just now.
func (f *Folders) get(ctx context.Context, dir string, q wpfolder.Query) (*wpfolder.Folder, error) {
	of := f.of(dir, q)
	of.mu.Lock()
	defer of.mu.Unlock()
	if of.read != nil && time.Since(of.at) < readAfter {
		return of.read, nil
	}
	return of.get(ctx, dir, q)
}

// get reads the folder, and from time to time its hooks.
func (f *folder) get(ctx context.Context, dir string, q wpfolder.Query) (*wpfolder.Folder, error) {
	read, err := wpfolder.Read(ctx, dir, q)
	if err == nil && (time.Since(f.searchedAt) >= searchEvery || !reflect.DeepEqual(read, f.searchedIn)) {
		f.searchedIn = read
		q.Hooks = sitefacts.HookNames()
		if read, err = wpfolder.Read(ctx, dir, q); err == nil {
			f.searched, f.searchedAt = read.Hooks, time.Now()
		}
	}
	if err != nil {
		return nil, err
	}
	whole := *read
	whole.Hooks = f.searched
	f.read, f.at = &whole, time.Now()
	return f.read, nil
}
