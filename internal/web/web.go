// Package web serves a file of states to a browser: a page that plays words, puzzles and
// drawn patterns, and under it an API of JSON that gives the answers of the commands.
//
// The page is in static: plain HTML, CSS and JavaScript, with nothing from other sites.
// api.go answers questions, picture.go makes downloads, and this file guards both: every
// request is bounded in time, work and size, and a file that changes while it is read is an
// error of its own. hosts.go knows the names of the server, and clients.go sees to it that slow
// clients harm nobody. A family.Player knows how its puzzle is played.
package web

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"pagoda/ask"
	"pagoda/family"
	"pagoda/internal/cli"
	"pagoda/internal/mapped"
	"pagoda/internal/printable"
	"pagoda/render"
	"pagoda/run"
)

//go:embed static
var static embed.FS

// Options are how a file is served.
type Options struct {
	Job   run.Options // the threads and the memory for what is computed
	Hosts Hosts       // the names that the server answers to
	// Log, if not nil, is called with errors that are not due to a request.
	Log func(format string, args ...any)
}

// A Server answers requests about a file.
type Server struct {
	file    *ask.File
	player  family.Player // nil: the puzzle cannot be played
	drawer  render.Drawer // nil: it cannot be drawn
	options Options
	mux     *http.ServeMux
	zipped  http.Handler // mux, with answers compressed
	clients *clients

	bodyTime time.Duration // to send a request
	work     chan struct{} // requests that compute
	pictures chan struct{} // requests that draw
	replaced sync.Once     // is said once
}

// The bounds of requests.
const (
	maxInFlight = 64 // that a path computes, or that wait for it
	maxBody     = 64 << 10
	maxPattern  = 1000
	maxPatterns = 16
	maxMatches  = 1000
	maxTime     = 10 * time.Second
	maxHintTime = 60 * time.Second // an enumeration of a large board
)

// New returns a server of an open file, which must stay open. The server must be closed.
func New(f *ask.File, families *family.Set, o Options) (*Server, error) {
	if o.Job.Threads == 0 {
		o.Job.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	s := &Server{file: f, options: o, mux: http.NewServeMux(), clients: newClients(), bodyTime: bodyTime,
		work: make(chan struct{}, max(2, o.Job.Threads)), pictures: make(chan struct{}, 1)}
	s.zipped = gzhttp.GzipHandler(s.mux)
	files, err := fs.Sub(static, "static")
	if err != nil {
		return nil, err
	}
	s.drawer, _ = families.Drawer(f.Space())
	if own := families.Of(f.Space()); own != nil && own.Play != nil {
		if s.player, err = own.Play(f, o.Job); err != nil {
			return nil, err
		}
	}
	s.mux.Handle("/", pages(files))
	s.mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w, &requestError{http.StatusNotFound, fmt.Sprintf("there is no %.60q: docs/api.md lists what there is", r.URL.Path)})
	})
	s.handle(http.MethodGet, "/api/space", nil, maxTime, s.space)
	s.handle(http.MethodGet, "/api/layers", nil, maxTime, s.layers)
	s.handle(http.MethodPost, "/api/has", s.work, maxTime, s.has)
	s.handle(http.MethodPost, "/api/near", s.work, maxTime, s.near)
	s.handle(http.MethodPost, "/api/path", s.work, maxTime, s.path)
	s.handle(http.MethodPost, "/api/hint", nil, maxHintTime, s.hint)
	s.handle(http.MethodGet, "/api/word", s.work, maxTime, s.word)
	s.handle(http.MethodGet, "/api/picture.svg", s.pictures, maxTime, s.pictureSVG)
	s.handle(http.MethodGet, "/api/picture.gif", s.pictures, maxHintTime, s.pictureGIF)
	return s, nil
}

// Close frees the memory of the hints.
func (s *Server) Close() {
	if s.player != nil {
		s.player.Close()
	}
}

// pages serves the files of the page.
func pages(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !takes(w, r, http.MethodGet) {
			return
		}
		if _, err := fs.Stat(files, strings.TrimPrefix(r.URL.Path, "/")); r.URL.Path != "/" && err != nil {
			http.Error(w, "There is no such page.", http.StatusNotFound)
			return
		}
		w.Header().Set("Cache-Control", "no-cache") // the program may be updated
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
		writeError(a, err)
	} else {
		s.clients.work(from)
		s.zipped.ServeHTTP(a, r)
		if r.Context().Err() != nil {
			return // the client is gone
		}
	}
	size := a.body.Len()
	defer s.clients.write(from, size)()
	control.SetWriteDeadline(time.Now().Add(writeTime + time.Duration(size/writeRate)*time.Second))
	if size > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(size))
	}
	w.WriteHeader(cmp.Or(a.status, http.StatusOK))
	w.Write(a.body.Bytes())
	control.Flush() // before the bytes count as written
}

// receive refuses requests that come from elsewhere, and reads the body of others.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) error {
	if err := s.options.Hosts.check(r); err != nil {
		return err
	}
	// Pages of other sites could keep the machine busy.
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" && strings.HasPrefix(r.URL.Path, "/api/") {
		return &requestError{http.StatusForbidden, "the API is not for pages of other sites"}
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return &requestError{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes", large.Limit)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &requestError{http.StatusRequestTimeout, fmt.Sprintf("the request is not whole after %v", s.bodyTime)}
	case err != nil:
		return badRequest("the body cannot be read: %v", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	return nil
}

// A reply is a file that answers a request.
type reply struct {
	kind string // of content
	name string // of the file to be saved, or empty
	data []byte
}

// takes reports whether a request has the expected method; HEAD counts as GET. If not, it
// answers with an error.
func takes(w http.ResponseWriter, r *http.Request, method string) bool {
	if r.Method == method || r.Method == http.MethodHead && method == http.MethodGet {
		return true
	}
	w.Header().Set("Allow", method)
	writeError(w, &requestError{http.StatusMethodNotAllowed, fmt.Sprintf("%.60s takes %s, found %.20q", r.URL.Path, method, r.Method)})
	return false
}

// handle serves a path of the API. If turn is not nil, a request waits for a place in it, so
// that its capacity bounds how many requests compute at once.
func (s *Server) handle(method, path string, turn chan struct{}, most time.Duration, find func(r *http.Request) (any, error)) {
	inFlight := make(chan struct{}, maxInFlight)
	s.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		if !takes(w, r, method) {
			return
		}
		select {
		case inFlight <- struct{}{}:
			defer func() { <-inFlight }()
		default:
			writeError(w, errBusy)
			return
		}
		ctx, cancel := context.WithTimeoutCause(r.Context(), most, errTime)
		defer cancel()
		if turn != nil {
			select {
			case turn <- struct{}{}:
				defer func() { <-turn }()
			case <-ctx.Done():
				writeError(w, errBusy)
				return
			}
		}
		var file reply
		err := mapped.Guard(func() error {
			v, err := find(r.WithContext(ctx))
			if err == nil {
				file, err = encode(v)
			}
			return err
		})
		if intact := mapped.Intact(); intact != nil { // the answer may be wrong
			err = intact
		}
		s.lookForAnother()
		w.Header().Set("Cache-Control", "no-store")
		if err != nil {
			if status(err) == http.StatusInternalServerError {
				s.options.Log("%s %s: %v", r.Method, r.URL.Path, err)
			}
			writeError(w, err)
			return
		}
		w.Header().Set("Content-Type", file.kind)
		if file.name != "" {
			w.Header().Set("Content-Disposition", `attachment; filename="`+file.name+`"`)
		}
		w.Write(file.data)
	})
}

// lookForAnother says once if another file has got the name of the file that is served.
func (s *Server) lookForAnother() {
	if s.file.Replaced() {
		s.replaced.Do(func() {
			s.options.Log("%s was replaced by another file; answers are from the one before: restart to serve the new one", s.file.Path())
		})
	}
}

// encode writes what was found, if it is not a file, as JSON.
func encode(v any) (reply, error) {
	if file, ok := v.(*reply); ok {
		return *file, nil
	}
	var b bytes.Buffer
	err := cli.WriteJSON(&b, v)
	return reply{kind: "application/json; charset=utf-8", data: b.Bytes()}, err
}

// A requestError is a fault of a request, with its HTTP status.
type requestError struct {
	status  int
	message string
}

func (e *requestError) Error() string { return e.message }

func badRequest(format string, args ...any) error {
	return &requestError{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

var (
	errTime = errors.New("the answer takes too long")
	errBusy = &requestError{http.StatusServiceUnavailable, "the server is busy: try again later"}
)

// status returns the HTTP status of an error.
func status(err error) int {
	var bad *requestError
	var noHints *family.NoHintsError
	switch {
	case errors.As(err, &bad):
		return bad.status
	case errors.As(err, &noHints):
		return http.StatusNotImplemented
	case errors.Is(err, ask.ErrQuestion):
		return http.StatusBadRequest
	case errors.Is(err, errTime):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// writeError writes an error as JSON.
func writeError(w http.ResponseWriter, err error) {
	code := status(err)
	if code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(map[string]string{"error": printable.Clip(err.Error())})
}

// Serve answers requests until ctx ends. Requests that have begun then get three seconds.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ConnContext:       s.clients.arrive,
		ConnState:         s.clients.change,
		ReadHeaderTimeout: s.bodyTime / 2,
		ReadTimeout:       s.bodyTime,
		WriteTimeout:      maxHintTime + s.bodyTime + writeTime,
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
