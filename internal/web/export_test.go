package web

// What tests look at.
var Static = static

// Turns returns the channels that bound requests, and those that compute.
func (s *Server) Turns() (inFlight, work chan struct{}) { return s.inFlight, s.work }
