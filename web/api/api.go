// Package api answers questions about a file of states as JSON, and with pictures: docs/reference/api.md
// describes it.
//
// It knows no sockets. query serve puts it behind HTTP, and the site, which has no server, calls it
// in the browser. Every request is bounded in time, work and size, and a file that changes while
// it is read is an error of its own. questions.go answers questions, picture.go makes downloads. A
// puzzle.Player knows how its puzzle is played.
package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"pagoda/ask"
	"pagoda/internal/exactjson"
	"pagoda/internal/mapped"
	"pagoda/internal/printable"
	"pagoda/puzzle"
	"pagoda/render"
	"pagoda/run"
	"pagoda/statespace"
)

// Options are how questions are answered.
type Options struct {
	Job run.Options // the threads and the memory for what is computed
	// Pictures, if not nil, lets the API draw: it is the function of this name. Programs without it are smaller.
	Pictures func(a *API)
	// Log, if not nil, is called with errors that are not due to a request.
	Log func(format string, args ...any)
}

// An API answers questions about a file.
type API struct {
	file    *ask.File // nil: nothing has been computed
	of      statespace.Space
	page    *puzzle.Page  // of the family; may be nil
	player  puzzle.Player // nil: the puzzle cannot be played
	drawer  render.Drawer // nil: it cannot be drawn, or there are no pictures
	title   string        // what people call the space; may be empty
	options Options
	paths   map[string]*path

	families *puzzle.Set

	work     chan struct{} // requests that compute
	replaced sync.Once     // is said once
}

// The methods of requests, which are those of HTTP.
const (
	get  = "GET"
	head = "HEAD" // counts as GET
	post = "POST"
)

// A path is a question of the API.
type path struct {
	method   string
	fields   []string      // that the query string may have
	turn     chan struct{} // if not nil, a request waits for a place in it: so its capacity bounds how many compute at once
	most     time.Duration
	find     func(ctx context.Context, r *Request) (any, error)
	inFlight chan struct{}
}

// A Request asks a question. The body is a JSON object, Query a query string without the question mark.
type Request struct {
	Method, Path, Query string
	Body                []byte
}

// values returns the fields of the query string, which have been checked: see query.
func (r *Request) values() url.Values {
	v, _ := url.ParseQuery(r.Query)
	return v
}

// A Reply is an answer. Headers are those of HTTP.
type Reply struct {
	Status  int
	Headers map[string]string
	Body    []byte
}

// The statuses of answers, as HTTP has them.
const (
	ok                  = 200
	wrongRequest        = 400
	notFound            = 404
	methodNotAllowed    = 405
	internalServerError = 500
	notImplemented      = 501
	serviceUnavailable  = 503
)

// The bounds of requests.
const (
	// MaxBody is how many bytes a body may have, MaxTime how long the longest answer may take.
	MaxBody = 64 << 10
	MaxTime = maxHintTime

	maxInFlight = 64 // that a path computes, or that wait for it
	maxPattern  = 1000
	maxPatterns = 16
	maxMatches  = 1000
	maxTime     = 10 * time.Second
	maxHintTime = 60 * time.Second // an enumeration of a large board
)

// title returns what a family says a space is that people should know, with any start and in any metric; else nothing.
func title(f *puzzle.Family, space string) string {
	for _, e := range f.List() {
		if e.Name == space || strings.HasPrefix(space, e.Name+"@") {
			return e.About
		}
	}
	return ""
}

// New returns what answers questions about an open file, which must stay open. It must be closed.
func New(f *ask.File, families *puzzle.Set, o Options) (*API, error) {
	return newAPI(f.Space(), f, families, o)
}

// NewEarly returns what answers the questions that need no file, about a space that has not been enumerated: it measures
// puzzles, and draws words, when Prompt has told how their letters are played.
func NewEarly(sp statespace.Space, families *puzzle.Set, o Options) (*API, error) {
	return newAPI(sp, nil, families, o)
}

func newAPI(sp statespace.Space, f *ask.File, families *puzzle.Set, o Options) (*API, error) {
	if o.Job.Threads == 0 {
		o.Job.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	a := &API{file: f, of: sp, options: o, families: families, work: make(chan struct{}, max(2, o.Job.Threads))}
	if own := families.Of(sp); own != nil {
		a.title = title(own, sp.Name())
		if own.Page != nil {
			var err error
			if a.player, err = own.Page.Play(sp, f, o.Job); err != nil {
				return nil, err
			}
			a.page = own.Page
		}
	}
	a.paths = map[string]*path{
		"/api/lengths": {method: post, turn: a.work, most: maxTime, find: posted(a.lengths)},
		"/api/word":    {method: get, fields: []string{"text"}, turn: a.work, most: maxTime, find: a.word},
	}
	if o.Pictures != nil {
		o.Pictures(a)
	}
	if f != nil {
		maps.Copy(a.paths, map[string]*path{
			"/api/space":  {method: get, most: maxTime, find: a.space},
			"/api/layers": {method: get, most: maxTime, find: a.layers},
			"/api/has":    {method: post, turn: a.work, most: maxTime, find: posted(a.has)},
			"/api/near":   {method: post, turn: a.work, most: maxTime, find: posted(a.near)},
			"/api/path":   {method: post, turn: a.work, most: maxTime, find: posted(a.path)},
			"/api/hint":   {method: post, most: maxHintTime, find: posted(a.hint)},
		})
	}
	if p, ok := a.player.(puzzle.Prover); f == nil && ok && p.Proves() {
		a.paths["/api/hint"] = &path{method: post, most: maxHintTime, find: posted(a.hint)}
	}
	for _, p := range a.paths {
		p.inFlight = make(chan struct{}, maxInFlight)
	}
	return a, nil
}

// Prompt takes the solutions of the letters, so that words need no file. See puzzle.Prompter.
func (a *API) Prompt(letters []byte) error {
	p, ok := a.player.(puzzle.Prompter)
	if !ok {
		return badRequest("%s has no letters", a.of.Name())
	}
	return p.Prompt(letters)
}

// Close frees the memory of the hints.
func (a *API) Close() {
	if a.player != nil {
		a.player.Close()
	}
}

// Answer answers a request. When ctx ends, it stops soon; then the answer is of no use. The file has its base name in it: its
// path may say more than others should know.
func (a *API) Answer(ctx context.Context, r *Request) *Reply {
	reply := a.answer(ctx, r)
	if a.file != nil && strings.HasPrefix(reply.Headers["Content-Type"], "application/json") {
		path := a.file.Path()
		at, _ := filepath.EvalSymlinks(path)
		reply.Body = []byte(strings.NewReplacer(path, filepath.Base(path), cmp.Or(at, path), filepath.Base(path)).Replace(string(reply.Body)))
	}
	return reply
}

func (a *API) answer(ctx context.Context, r *Request) *Reply {
	p := a.paths[r.Path]
	switch {
	case p == nil:
		return Fault(&Error{notFound, fmt.Sprintf("there is no %.60q: docs/reference/api.md lists what there is", r.Path)})
	case !Takes(r.Method, p.method):
		reply := Fault(&Error{methodNotAllowed, fmt.Sprintf("%.60s takes %s, found %.20q", r.Path, p.method, r.Method)})
		reply.Headers["Allow"] = p.method
		return reply
	case len(r.Body) > MaxBody:
		return Fault(TooLarge())
	}
	select {
	case p.inFlight <- struct{}{}:
		defer func() { <-p.inFlight }()
	default:
		return Fault(errBusy)
	}
	asked := ctx
	ctx, cancel := context.WithTimeoutCause(ctx, p.most, errTime)
	defer cancel()
	if p.turn != nil {
		select {
		case p.turn <- struct{}{}:
			defer func() { <-p.turn }()
		case <-ctx.Done():
			return Fault(errBusy)
		}
	}
	var file reply
	err := mapped.Guard(func() error {
		if err := query(r, p.fields...); err != nil {
			return err
		}
		v, err := p.find(ctx, r)
		if err == nil {
			file, err = encode(v)
		}
		return err
	})
	if intact := mapped.Intact(); intact != nil { // the answer may be wrong
		err = intact
	}
	a.lookForAnother()
	if err != nil {
		if status(err) == internalServerError && asked.Err() == nil {
			a.options.Log("%s %s: %v", r.Method, r.Path, err)
		}
		return Fault(err)
	}
	answer := &Reply{ok, map[string]string{"Cache-Control": "no-store", "Content-Type": file.kind}, file.data}
	if file.name != "" {
		answer.Headers["Content-Disposition"] = `attachment; filename="` + file.name + `"`
	}
	return answer
}

// Takes reports whether a request has the method that is expected.
func Takes(method, expected string) bool {
	return method == expected || method == head && expected == get
}

// lookForAnother says once if another file has got the name of the file that is served.
func (a *API) lookForAnother() {
	if a.file != nil && a.file.Replaced() {
		a.replaced.Do(func() {
			a.options.Log("%s was replaced by another file; answers are from the one before: restart to serve the new one", a.file.Path())
		})
	}
}

// A reply is a file that answers a request.
type reply struct {
	kind string // of content
	name string // of the file to be saved, or empty
	data []byte
}

// encode writes what was found, if it is not a file, as JSON.
func encode(v any) (reply, error) {
	if file, ok := v.(*reply); ok {
		return *file, nil
	}
	data, err := exactjson.Marshal(v)
	return reply{kind: "application/json; charset=utf-8", data: append(data, '\n')}, err
}

// An Error is a fault of a request, with its HTTP status.
type Error struct {
	Status  int
	Message string
}

func (e *Error) Error() string { return e.Message }

func badRequest(format string, args ...any) error {
	return &Error{wrongRequest, fmt.Sprintf(format, args...)}
}

// TooLarge is the error for a body of more than MaxBody bytes.
func TooLarge() *Error { return &Error{413, fmt.Sprintf("the body is larger than %d bytes", MaxBody)} }

var (
	errTime = errors.New("the answer takes too long")
	errBusy = &Error{serviceUnavailable, "the server is busy: try again later"}
)

// status returns the HTTP status of an error.
func status(err error) int {
	var bad *Error
	var noHints *puzzle.NoHintsError
	switch {
	case errors.As(err, &bad):
		return bad.Status
	case errors.As(err, &noHints):
		return notImplemented
	case errors.Is(err, ask.ErrQuestion):
		return wrongRequest
	case errors.Is(err, errTime):
		return serviceUnavailable
	}
	return internalServerError
}

// Fault is the answer with an error, as JSON.
func Fault(err error) *Reply {
	r := &Reply{status(err), map[string]string{"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store"}, nil}
	if r.Status == serviceUnavailable {
		r.Headers["Retry-After"] = "1"
	}
	var b bytes.Buffer
	json.NewEncoder(&b).Encode(map[string]string{"error": printable.Clip(err.Error())})
	r.Body = b.Bytes()
	return r
}
