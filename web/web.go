// Package web serves a file of states to a browser: a page that plays words, puzzles and
// drawn patterns, and under it an API of JSON that gives the answers of the commands.
//
// The page is in static: plain HTML, CSS and JavaScript, with nothing from other sites. Package
// api answers questions, and this package puts both behind HTTP. hosts.go knows the names of the
// server, and clients.go sees to it that slow clients harm nobody.
package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"pagoda/ask"
	"pagoda/puzzle"
	"pagoda/run"
	"pagoda/web/api"
	"pagoda/web/static"
)

// Options are how a file is served.
type Options struct {
	Job   run.Options // the threads and the memory for what is computed
	Hosts Hosts       // the names that the server answers to
	// Log, if not nil, is called with errors that are not due to a request.
	Log func(format string, args ...any)
}

// A Server answers requests about a file.
type Server struct {
	api     *api.API
	options Options
	zipped  http.Handler // what is served, with answers compressed
	clients *clients

	bodyTime  time.Duration // to send a request
	writeTime time.Duration // to read an answer
}

// New returns a server of an open file, which must stay open. The server must be closed.
func New(f *ask.File, families *puzzle.Set, o Options) (*Server, error) {
	answers, err := api.New(f, families, api.Options{Job: o.Job, Pictures: api.Pictures, Log: o.Log})
	if err != nil {
		return nil, err
	}
	index, err := static.Index(families)
	if err != nil {
		answers.Close()
		return nil, err
	}
	s := &Server{api: answers, options: o, clients: newClients(), bodyTime: bodyTime, writeTime: writeTime}
	mux := http.NewServeMux()
	mux.Handle("/", pages(index))
	mux.HandleFunc("/api/", s.answer)
	s.zipped = gzhttp.GzipHandler(mux)
	return s, nil
}

// Close frees the memory of the hints.
func (s *Server) Close() { s.api.Close() }

// answer answers a request of the API, whose body receive has read.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	write(w, s.api.Answer(r.Context(), &api.Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: body}))
}

// write writes an answer of the API.
func write(w http.ResponseWriter, reply *api.Reply) {
	for name, value := range reply.Headers {
		w.Header().Set(name, value)
	}
	w.WriteHeader(reply.Status)
	w.Write(reply.Body)
}

// pages serves the files of the page, index.html as it is given.
func pages(index string) http.Handler {
	server := http.FileServerFS(static.Files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !api.Takes(r.Method, http.MethodGet) {
			w.Header().Set("Allow", http.MethodGet)
			write(w, api.Fault(&api.Error{Status: http.StatusMethodNotAllowed, Message: fmt.Sprintf("%.60s takes GET, found %.20q", r.URL.Path, r.Method)}))
			return
		}
		w.Header().Set("Cache-Control", "no-cache") // the program may be updated
		if r.URL.Path == "/" {
			http.ServeContent(w, r, "index.html", time.Time{}, strings.NewReader(index))
			return
		}
		if info, err := fs.Stat(static.Files, strings.TrimPrefix(r.URL.Path, "/")); err != nil || info.IsDir() {
			http.Error(w, "There is no such page.", http.StatusNotFound)
			return
		}
		server.ServeHTTP(w, r)
	})
}

// headers are in every response.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
}

// An answer is a response that is written when it is whole.
type answer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

// ServeHTTP implements http.Handler. It reads the request, lets it be answered, and writes the
// answer: only in between does anybody else wait for it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	from, _ := r.Context().Value(clientKey{}).(*client)
	control := http.NewResponseController(w) // a fault of it is one of the connection, which the next read or write meets
	a := &answer{ResponseWriter: w}
	if err := s.receive(w, r); err != nil {
		write(a, api.Fault(err))
	} else {
		s.clients.work(from)
		s.zipped.ServeHTTP(a, r)
		if r.Context().Err() != nil {
			return // the client is gone
		}
	}
	size := a.body.Len()
	defer s.clients.write(from, size)()
	control.SetWriteDeadline(time.Now().Add(s.writeTime + time.Duration(size/writeRate)*time.Second))
	if size > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(size))
	}
	w.WriteHeader(cmp.Or(a.status, http.StatusOK))
	w.Write(a.body.Bytes())
	control.Flush() // before the bytes count as written
}

// receive refuses requests that come from elsewhere, and reads the body of others.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) error {
	if err := cmp.Or(s.options.Hosts.check(r), checkSite(r)); err != nil {
		return err
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, api.MaxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return api.TooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &api.Error{Status: http.StatusRequestTimeout, Message: fmt.Sprintf("the request is not whole after %v", s.bodyTime)}
	case err != nil:
		return &api.Error{Status: http.StatusBadRequest, Message: fmt.Sprintf("the body cannot be read: %v", err)}
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	return nil
}

// checkSite refuses requests from pages of other sites, which could keep the machine busy. A link from there to the
// page is allowed: its request has no origin, and is not for the API. Where others reach the server without
// encryption, browsers send no Sec-Fetch-Site, so the origin counts, too.
func checkSite(r *http.Request) error {
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	_, host, _ := strings.Cut(origin, "://")
	switch {
	case site == "same-origin":
		return nil
	case origin != "" && !strings.EqualFold(host, r.Host):
		return &api.Error{Status: http.StatusForbidden, Message: fmt.Sprintf("this server is not for pages of other sites, such as %.100q", origin)}
	case site != "" && site != "none" && strings.HasPrefix(r.URL.Path, "/api/"):
		return &api.Error{Status: http.StatusForbidden, Message: "the API is not for pages of other sites"}
	}
	return nil
}

// Serve answers requests until ctx ends. Requests that have begun then get three seconds.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ConnContext:       s.clients.arrive,
		ConnState:         s.clients.change,
		ReadHeaderTimeout: s.bodyTime / 2,
		ReadTimeout:       s.bodyTime,
		WriteTimeout:      api.MaxTime + s.bodyTime + s.writeTime,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    32 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		server.Close()
	}
	return nil
}
