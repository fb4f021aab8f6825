package web

import (
	"time"
)

// The bounds of connections.
const (
	MaxClients = maxClients
	MaxUnread  = maxUnread
)

// SetTimes sets how long a client may take to send a request, and to read an answer.
func (s *Server) SetTimes(body, write time.Duration) { s.bodyTime, s.writeTime = body, write }

// Unread returns how many bytes of answers are being written.
func (s *Server) Unread() int {
	s.clients.mu.Lock()
	defer s.clients.mu.Unlock()
	return s.clients.unread
}
