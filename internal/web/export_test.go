package web

import (
	"time"
)

// What tests look at.
var Static = static

// The bounds of connections.
const (
	MaxClients = maxClients
	MaxUnread  = maxUnread
)

// SetBodyTime sets how long a client may take to send a request.
func (s *Server) SetBodyTime(d time.Duration) { s.bodyTime = d }

// Unread returns how many bytes of answers are being written.
func (s *Server) Unread() int {
	s.clients.mu.Lock()
	defer s.clients.mu.Unlock()
	return s.clients.unread
}
