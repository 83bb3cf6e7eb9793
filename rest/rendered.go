package rest

import (
	"calbridge/rest/wptext/content"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// What is kept for rendering takes besides its own bytes, in bytes: measured, as
// TestRenderedIsWhatItSays does.
const (
	eventOverhead    = 340
	refsOverhead     = 80
	metadataOverhead = 500
	// perStoredByte is what a byte of serialized metadata becomes.
	perStoredByte = 6
)

// shareOut divides the memory for rendered events and for what rendering reads from
// texts.
func (s *Server) shareOut(bytes int) {
	s.refs.limit, s.metadata.limit = bytes/8, bytes/8
	s.events.limit = bytes - s.refs.limit - s.metadata.limit
}

// RenderedBytes is what all of that takes now.
func (s *Server) RenderedBytes() uint64 {
	return uint64(s.events.kept() + s.refs.kept() + s.metadata.kept())
}

func (s *Server) keepEvent(key eventKey, e writtenEvent) {
	s.events.put(key, e, cap(e.json)+eventOverhead)
}

func (s *Server) keepRefs(key refsKey, refs *content.Refs) {
	s.refs.put(key, refs, refs.Size()+refsOverhead)
}

// keepMetadata keeps a file's metadata, which was stored in so many bytes.
func (s *Server) keepMetadata(file wpstore.Digest, metadata php.Value, stored int) {
	s.metadata.put(file, metadata, perStoredByte*stored+metadataOverhead)
}
