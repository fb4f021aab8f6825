//go:build js

// Package engine is the part of the site that computes: the engines and the API, compiled to
// WebAssembly, in a worker of the page. A program knows one family, so that it is small; they are the
// folders below this one. It gives the worker functions, in the object pagoda:
//
//	reads(text)                            reports whether a text draws a puzzle of this engine
//	look(space, text, options)             finds the space of a name, or that a text draws if there is one, and
//	                                       describes it: a tab.Early as JSON; options are a JSON object, by the names of
//	                                       the options of the family
//	prompt(letters)                        takes the solutions of the letters, as JSON, so that words can be drawn before
//	                                       the space is enumerated
//	open(told)                             enumerates that space, and opens the file; told(what, done, total) shows progress
//	answer(id, method, path, query, body)  answers a request of the API about that file; before there is one, what needs none
//	cancel(id)                             ends the answer with this number
//
// But for cancel, all return a promise. An error that says why no tab can hold the space has the name refused. Files are in memory: see files.js.
package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall/js"
	"time"
	"unicode"
	"unicode/utf8"

	"pagoda/ask"
	"pagoda/internal/printable"
	"pagoda/puzzle"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/statespace/cells"
	"pagoda/web/api"
	"pagoda/web/site/tab"
)

// An engine answers questions about the file of one space.
type engine struct {
	options  api.Options
	family   *puzzle.Family
	families *puzzle.Set // that has it alone
	mu       sync.Mutex
	space    statespace.Space // that was looked at
	file     *ask.File
	api      atomic.Pointer[api.API] // of the file, or of the space alone
	cancels  sync.Map                // by number: the context.CancelFunc of each answer that is under way
}

// Main is the main function of a program for a family, whose spaces it enumerates by some engines. Options.Pictures says
// whether its page asks for pictures. The program says which stores there are.
func Main(f *puzzle.Family, o api.Options, engines ...run.Engine) {
	run.Use(engines...)
	// The heap never shrinks: what is garbage must be found soon.
	debug.SetGCPercent(50)
	o.Job, o.Log = run.Options{Memory: tab.Memory, Threads: 1}, logged
	e := &engine{options: o, family: f, families: puzzle.NewSet(f)}
	js.Global().Set("pagoda", js.ValueOf(map[string]any{
		"reads": promised(func(args []js.Value) (any, error) {
			return f.Read != nil && f.Reads(args[0].String()), nil
		}),
		"look": promised(func(args []js.Value) (any, error) {
			return e.look(args[0].String(), args[1].String(), args[2].String())
		}),
		"prompt": promised(func(args []js.Value) (any, error) {
			if a := e.api.Load(); a != nil {
				return nil, a.Prompt([]byte(args[0].String()))
			}
			return nil, errNone
		}),
		"open": promised(func(args []js.Value) (any, error) { return e.open(args[0]) }),
		"answer": promised(func(args []js.Value) (any, error) {
			return e.answer(args[0].Int(), &api.Request{Method: args[1].String(), Path: args[2].String(), Query: args[3].String(), Body: []byte(args[4].String())})
		}),
		"cancel": js.FuncOf(func(_ js.Value, args []js.Value) any {
			if cancel, ok := e.cancels.Load(args[0].Int()); ok {
				cancel.(context.CancelFunc)()
			}
			return nil
		}),
	}))
	js.Global().Get("ready").Invoke()
	select {}
}

// promised returns a function of JavaScript whose promise is settled when f returns.
func promised(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		return js.Global().Get("Promise").New(js.FuncOf(func(_ js.Value, settle []js.Value) any {
			go func() {
				v, err := f(args)
				if err != nil {
					fault := js.Global().Get("Error").New(err.Error())
					if errors.As(err, new(*tab.RefusedError)) {
						fault.Set("name", "refused")
					}
					settle[1].Invoke(fault)
					return
				}
				settle[0].Invoke(v)
			}()
			return nil
		}))
	})
}

// An opened is what open says about a run, as JSON.
type opened struct {
	Space      string  `json:"space"`
	States     uint64  `json:"states"`
	Seconds    float64 `json:"seconds"`
	FileBytes  uint64  `json:"file_bytes"`
	HeldMemory uint64  `json:"held_memory"` // bytes of this program and of the file
}

// find returns the space of a name, or that a text draws if there is one.
func (e *engine) find(ctx context.Context, name, text string, choice puzzle.Choice) (statespace.Space, error) {
	if text != "" || name == "" {
		if e.family.Read == nil {
			return nil, fmt.Errorf("no text draws a puzzle of %s", e.family.About)
		}
		return e.family.Read(ctx, cmp.Or(name, "drawn"), text, choice)
	}
	sp, err := e.family.Lookup(ctx, name, choice)
	if errors.Is(err, statespace.ErrUnknown) {
		err = fmt.Errorf("there is no puzzle “%s”%s", printable.Clip(name), e.families.Suggest(ctx, name, tab.Memory))
	}
	return sp, err
}

// look finds a space and describes it. The options are JSON; those that the family does not have mean nothing.
func (e *engine) look(name, text, options string) (any, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	ctx := context.Background()
	choice := puzzle.Choice{Memory: tab.Memory}
	if err := json.Unmarshal([]byte(options), &choice.Options); err != nil {
		return nil, err
	}
	maps.DeleteFunc(choice.Options, func(name, _ string) bool {
		return !slices.ContainsFunc(e.family.Options, func(o puzzle.Option) bool { return o.Name == name })
	})
	sp, err := e.find(ctx, name, text, choice)
	if err != nil {
		return nil, forPage(err)
	}
	e.close()
	e.space = sp
	a, err := api.NewEarly(sp, e.families, e.options)
	if err != nil {
		return nil, forPage(err)
	}
	e.api.Store(a)
	early, err := tab.Look(ctx, e.family, sp)
	if err != nil {
		return nil, forPage(err)
	}
	data, err := json.Marshal(early)
	return string(data), err
}

// forPage writes an error for people at a page.
func forPage(err error) error {
	var at *cells.SyntaxError
	switch {
	case errors.As(err, &at):
		return fmt.Errorf("Line %d, character %d of the text: %s.", at.Line, at.Col, at.Reason)
	case errors.Is(err, statespace.ErrMemory):
		return &tab.RefusedError{Reason: tab.Many}
	}
	text := err.Error()
	if word, _, _ := strings.Cut(text, " "); !strings.Contains(word, "/") { // it is no name
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if !strings.HasSuffix(text, "?") {
		text += "."
	}
	return errors.New(text)
}

// open enumerates the space that was looked at.
func (e *engine) open(told js.Value) (any, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	ctx, sp := context.Background(), e.space
	if sp == nil {
		return nil, errNone
	}
	o := run.Options{Memory: tab.Memory, MaxStates: tab.MaxListed, Threads: 1, Overwrite: true, Every: time.Hour, Meter: meter(told)}
	file, err := run.OutputName(sp, o)
	if err != nil {
		return nil, err
	}
	o.Output = "/" + file
	r, err := run.Start(ctx, sp, o)
	if err != nil {
		return nil, tab.Ended(err)
	}
	debug.FreeOSMemory() // the file goes where the enumeration was
	e.close()
	if e.file, err = ask.Open(ctx, o.Output, e.families.Define, tab.Memory); err != nil {
		return nil, err
	}
	a, err := api.New(e.file, e.families, e.options)
	if err != nil {
		return nil, err
	}
	e.api.Store(a)
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	data, err := json.Marshal(opened{r.Space, r.States, r.Seconds, r.FileBytes, stats.Sys + r.FileBytes})
	return string(data), err
}

var errNone = errors.New("no puzzle is open")

// logged writes what is not due to a request.
func logged(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func (e *engine) close() {
	if a := e.api.Swap(nil); a != nil {
		a.Close()
	}
	if e.file != nil {
		e.file.Close()
		e.file = nil
	}
}

// meter returns a meter that tells a function of JavaScript how far a part of the work is, some times a second.
func meter(told js.Value) run.Meter {
	return func(what string, _ uint64, _ string, read func() (done, total int64)) (stop func()) {
		ticker, ended := time.NewTicker(60*time.Millisecond), make(chan struct{})
		tell := func() {
			done, total := read()
			told.Invoke(what, float64(done), float64(total))
		}
		go func() {
			for {
				select {
				case <-ticker.C:
					tell()
				case <-ended:
					return
				}
			}
		}()
		return func() {
			ticker.Stop()
			close(ended)
			tell()
		}
	}
}

// answer answers a request: an object with status, headers and body, whose bytes the caller may keep.
func (e *engine) answer(id int, r *api.Request) (any, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e.cancels.Store(id, cancel)
	defer e.cancels.Delete(id)
	a := e.api.Load()
	if a == nil {
		return nil, errNone
	}
	reply := a.Answer(ctx, r)
	if ctx.Err() != nil {
		return nil, errors.New("the question was given up")
	}
	body := js.Global().Get("Uint8Array").New(len(reply.Body))
	js.CopyBytesToJS(body, reply.Body)
	headers := make(map[string]any, len(reply.Headers))
	for name, value := range reply.Headers {
		headers[name] = value
	}
	return map[string]any{"status": reply.Status, "headers": headers, "body": body}, nil
}
