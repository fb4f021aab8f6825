package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"time"

	"pagoda/ask"
	"pagoda/puzzle"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

func (a *API) space(context.Context, *Request) (any, error) {
	v := struct {
		ask.Info
		Title string       `json:"title,omitempty"`
		About string       `json:"store_about"`
		Layer string       `json:"layer"` // what the layers count
		Board any          `json:"board"` // of a puzzle that can be played, see puzzle.Player
		Page  *puzzle.Page `json:"page"`  // that plays it
	}{a.file.Info(), a.title, a.file.AboutStore(), a.file.Meta().Layer, nil, nil}
	v.File = filepath.Base(v.File)
	if a.player != nil {
		v.Board, v.Page = a.player.Board(), a.page
	}
	return v, nil
}

func (a *API) layers(context.Context, *Request) (any, error) {
	return struct {
		Space  string     `json:"space"`
		States uint64     `json:"states"`
		Layers ask.Layers `json:"layers"`
	}{a.of.Name(), a.file.Meta().States, a.file.Layers()}, nil
}

// posted makes a question of a JSON object.
func posted[Q any](find func(ctx context.Context, q Q) (any, error)) func(ctx context.Context, r *Request) (any, error) {
	return func(ctx context.Context, r *Request) (any, error) {
		var q Q
		if err := decode(r.Body, &q); err != nil {
			return nil, err
		}
		return find(ctx, q)
	}
}

// A patternRequest is a question about a pattern alone.
type patternRequest struct {
	Pattern string `json:"pattern"`
}

func (a *API) has(_ context.Context, q patternRequest) (any, error) {
	if err := checkPatterns(q.Pattern); err != nil {
		return nil, err
	}
	return a.file.Has(q.Pattern)
}

// A nearRequest asks for the members near to patterns. The field layers may also have the name
// of the layers of the space, such as pegs.
type nearRequest struct {
	Patterns []string     `json:"patterns"`
	Sum      bool         `json:"sum"`
	Weights  string       `json:"weights"`
	Within   *json.Number `json:"within"`
	Limit    int          `json:"limit"`
	Layers   string       `json:"layers"`
}

func (a *API) near(ctx context.Context, fields map[string]json.RawMessage) (any, error) {
	q := nearRequest{Limit: 20}
	const general = "layers"
	own := a.file.Meta().Layer
	if fields[own] != nil {
		if fields[general] != nil {
			return nil, badRequest("%s and %s mean the same: expected one of them", own, general)
		}
		fields[general] = fields[own]
		delete(fields, own)
	} else {
		own = general
	}
	if err := decode(statespace.Encode(fields), &q); err != nil {
		return nil, err
	}
	if n := len(q.Patterns); n < 1 || n > maxPatterns {
		return nil, badRequest("there are %d patterns, expected 1 to %d", n, maxPatterns)
	}
	if q.Limit < 1 || q.Limit > maxMatches {
		return nil, badRequest("limit is %d, expected 1 to %d", q.Limit, maxMatches)
	}
	near := ask.NearQuestion{Patterns: q.Patterns, Sum: q.Sum, Weights: q.Weights, Limit: q.Limit}
	if q.Within != nil {
		near.Within = q.Within.String()
	}
	if q.Layers != "" {
		layers, err := cells.ParseRange(q.Layers)
		if err != nil {
			return nil, badRequest("%s is %.40q, %v", own, q.Layers, err)
		}
		near.Layers = &layers
	}
	if err := checkPatterns(q.Patterns...); err != nil {
		return nil, err
	}
	return a.file.Near(ctx, near)
}

func (a *API) path(ctx context.Context, q patternRequest) (any, error) {
	return a.solve(ctx, q.Pattern)
}

// solve finds moves that lead from the start to a pattern.
func (a *API) solve(ctx context.Context, pattern string) (*ask.Solution, error) {
	if err := checkPatterns(pattern); err != nil {
		return nil, err
	}
	if a.file == nil {
		return nil, puzzle.ErrNoFile
	}
	if !a.file.AtOnce() {
		return nil, badRequest("paths in %s need distances, and the store %s keeps none", a.of.Name(), a.file.Meta().Store)
	}
	return a.file.PathTo(ctx, pattern, a.options.Job)
}

type hintRequest struct {
	Pattern string `json:"pattern"`
	Target  string `json:"target"`
}

func (a *API) hint(ctx context.Context, q hintRequest) (any, error) {
	if a.player == nil {
		return nil, &puzzle.NoHintsError{Reason: a.of.Name() + " cannot be played here"}
	}
	if err := checkPatterns(q.Pattern, q.Target); err != nil {
		return nil, err
	}
	return a.player.Hint(ctx, q.Pattern, q.Target)
}

type lengthsRequest struct {
	Puzzle  string `json:"puzzle"`
	Metric  string `json:"metric"`
	Seconds int    `json:"seconds"` // how long it may take; 0 means 1
}

const maxSeconds = 10 // of a question about lengths

func (a *API) lengths(ctx context.Context, q lengthsRequest) (any, error) {
	measurer, ok := a.player.(puzzle.Measurer)
	if !ok {
		return nil, badRequest("%s is of a family whose puzzles are not measured here", a.of.Name())
	}
	if q.Seconds < 0 || q.Seconds > maxSeconds {
		return nil, badRequest("seconds is %d, expected at most %d", q.Seconds, maxSeconds)
	}
	return measurer.Measure(ctx, q.Puzzle, q.Metric, time.Duration(q.Seconds)*time.Second)
}

func (a *API) word(ctx context.Context, r *Request) (any, error) {
	text := r.values().Get("text")
	word, err := a.spell(ctx, text, pictureColumns)
	if err != nil {
		return nil, err
	}
	return struct {
		Text    string `json:"text"`
		Letters any    `json:"letters"`
	}{text, word.Letters}, nil
}

// spell returns the letters of a text, if the puzzle has any.
func (a *API) spell(ctx context.Context, text string, columns int) (*puzzle.Word, error) {
	speller, ok := a.player.(puzzle.Speller)
	if !ok {
		return nil, badRequest("%s has no letters", a.of.Name())
	}
	return speller.Spell(ctx, text, columns)
}

func checkPatterns(texts ...string) error {
	for _, text := range texts {
		if len(text) > maxPattern {
			return badRequest("a pattern has %d bytes, expected at most %d", len(text), maxPattern)
		}
	}
	return nil
}

// kinds names the types of fields for people.
var kinds = map[reflect.Kind]string{reflect.String: "a string", reflect.Int: "a whole number", reflect.Bool: "true or false", reflect.Slice: "a list"}

// decode reads one JSON object, without fields that v does not have.
func decode(text []byte, v any) error {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) > 0 && text[0] != '{' { // null would pass as an object without fields
		return badRequest("the body is not the JSON that was expected: it begins with %q, expected an object", text[:1])
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("there is more after the object")
		}
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = fmt.Errorf("%s is a %s, expected %s", kind.Field, kind.Value, kinds[kind.Type.Kind()])
	}
	switch {
	case errors.Is(err, io.EOF):
		return badRequest("the body is empty, expected a JSON object")
	case err != nil:
		return badRequest("the body is not the JSON that was expected: %v", err)
	}
	return nil
}

// query makes sure that the query string has only these names, each once at most.
func query(r *Request, names ...string) error {
	values, err := url.ParseQuery(r.Query)
	if err != nil {
		return badRequest("the query string cannot be read: %v", err)
	}
	for name, list := range values {
		if !slices.Contains(names, name) {
			return badRequest("%s does not take %.40q", r.Path, name)
		}
		if len(list) > 1 {
			return badRequest("%s is given %d times", name, len(list))
		}
	}
	return nil
}

// number reads a number of the query string.
func number(r *Request, name string, value, least, most int) (int, error) {
	text := r.values().Get(name)
	if text == "" {
		return value, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, badRequest("%s is %.40q, expected %d to %d", name, text, least, most)
	}
	return n, nil
}
