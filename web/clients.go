package web

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// The bounds of connections. Nobody waits for a client: a request is read before it takes a place
// where answers are computed, and the place is free again before the answer is written.
const (
	maxClients = 512
	maxUnread  = 64 << 20         // bytes of all answers that are being written
	bodyTime   = 20 * time.Second // to send a request
	writeTime  = 30 * time.Second // to read an answer, and a second more for each writeRate bytes
	writeRate  = 256 << 10
)

// clients knows the connections of a server. When there are too many, it closes the one that has
// kept the server waiting for longest; so slow clients make room for others.
type clients struct {
	mu     sync.Mutex
	freed  sync.Cond // bytes were freed
	open   map[net.Conn]*client
	unread int // bytes of answers
}

// A client is a connection.
type client struct {
	conn   net.Conn
	since  time.Time // when the server began to wait for the client
	works  bool      // no: the client waits for the server
	unread int       // bytes of its answer
	closed bool
}

func newClients() *clients {
	c := &clients{open: make(map[net.Conn]*client)}
	c.freed.L = &c.mu
	return c
}

// clientKey is the key of the client in the context of a request.
type clientKey struct{}

// arrive is the ConnContext of a server: it adds a connection, and closes another one if there
// are too many.
func (c *clients) arrive(ctx context.Context, conn net.Conn) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := &client{conn: conn, since: time.Now()}
	if len(c.open) >= maxClients {
		slowest := c.slowest(func(one *client) bool { return true })
		if slowest == nil {
			slowest = one // all others wait for the server
		}
		c.hangUp(slowest)
	}
	if !one.closed {
		c.open[conn] = one
	}
	return context.WithValue(ctx, clientKey{}, one)
}

// change is the ConnState of a server.
func (c *clients) change(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := c.open[conn]
	switch {
	case one == nil:
	case state == http.StateClosed:
		delete(c.open, conn)
	case state == http.StateActive, state == http.StateIdle:
		one.since, one.works = time.Now(), false
	}
}

// slowest returns the client for which the server has waited for longest, of those that are to be
// considered; or nil. The caller holds the lock.
func (c *clients) slowest(consider func(*client) bool) (slowest *client) {
	for _, one := range c.open {
		if !one.works && consider(one) && (slowest == nil || one.since.Before(slowest.since)) {
			slowest = one
		}
	}
	return slowest
}

// hangUp closes a connection. Its handler, if there is one, gets an error from its next read or
// write. The caller holds the lock.
func (c *clients) hangUp(one *client) {
	one.closed = true
	delete(c.open, one.conn)
	one.conn.Close()
}

// work says that a client, which may be nil, has sent its request and now waits for the server.
func (c *clients) work(one *client) {
	if one != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		one.works = true
	}
}

// write says that an answer is about to be written to a client, which may be nil. If too many bytes
// of answers are being written, it closes the connections that have taken longest. The function
// that it returns says that the answer is written.
func (c *clients) write(one *client, bytes int) (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.unread > 0 && c.unread+bytes > maxUnread {
		if slowest := c.slowest(func(one *client) bool { return one.unread > 0 }); slowest != nil {
			c.hangUp(slowest)
		}
		c.freed.Wait() // its handler frees them
	}
	c.unread += bytes
	if one != nil {
		one.since, one.works, one.unread = time.Now(), false, bytes
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.unread -= bytes
		if one != nil {
			one.unread = 0
		}
		c.freed.Broadcast()
	}
}
