package web

import (
	"bytes"
	"net/http"
	"time"

	"pagoda/internal/answer"
	"pagoda/render"
	"pagoda/statespace/peg"
)

// A wish is what a picture is to show.
type wish struct {
	patterns []peg.Pattern
	name     string // of the file
	style    render.Style
}

// wish reads the query string of a picture: the letters of a text, or patterns.
func (s *Server) wish(r *http.Request, names ...string) (*wish, error) {
	if err := query(r, append(names, "text", "pattern", "theme", "size")...); err != nil {
		return nil, err
	}
	b, err := s.board()
	if err != nil {
		return nil, err
	}
	values := r.URL.Query()
	texts := values["pattern"]
	w := &wish{name: "patterns"}
	if values.Has("text") {
		if texts != nil {
			return nil, badRequest("expected text or pattern, found both")
		}
		runes, err := s.letters(values.Get("text"))
		if err != nil {
			return nil, err
		}
		for _, c := range runes {
			l := newLetter(c)
			if !l.Known {
				return nil, badRequest("the font has no %q", c)
			}
			texts = append(texts, l.Pattern)
		}
		w.name = fileName(runes)
	}
	if len(texts) == 0 || len(texts) > maxLetters {
		return nil, badRequest("there are %d patterns to draw, expected 1 to %d", len(texts), maxLetters)
	}
	for _, text := range texts {
		if err := checkPattern(text); err != nil {
			return nil, err
		}
		p, err := b.ParsePattern(text)
		if err != nil {
			return nil, answer.BadPattern(text, err)
		}
		w.patterns = append(w.patterns, p)
	}
	w.style = render.Style{NoCaptions: true}
	theme := values.Get("theme")
	if theme == "" {
		theme = render.Themes()[0].Name
	}
	if w.style.Theme, err = render.ThemeByName(theme); err != nil {
		return nil, badRequest("%v", err)
	}
	if w.style.Cell, err = number(r, "size", 0, render.MinCell, 80); err != nil {
		return nil, err
	}
	return w, nil
}

// fileName is a name for a picture of a word.
func fileName(word []rune) string {
	name := []rune{}
	for _, c := range word {
		switch {
		case 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			name = append(name, c)
		case c == ' ' && len(name) > 0:
			name = append(name, '-')
		}
	}
	if len(name) == 0 {
		return "word"
	}
	return string(name)
}

func (s *Server) pictureSVG(r *http.Request) (any, error) {
	w, err := s.wish(r, "columns")
	if err != nil {
		return nil, err
	}
	columns, err := number(r, "columns", 0, 1, maxLetters)
	if err != nil {
		return nil, err
	}
	var panels []render.Panel
	for _, p := range w.patterns {
		panels = append(panels, render.Panel{Drawing: render.Position{Board: s.peg.Board(), Pattern: p}})
	}
	picture, err := render.Sheet(panels, columns, w.style)
	if err != nil {
		return nil, badRequest("%v", err)
	}
	var b bytes.Buffer
	if err := picture.WriteSVG(&b); err != nil {
		return nil, err
	}
	return &reply{"image/svg+xml", w.name + ".svg", b.Bytes()}, nil
}

func (s *Server) pictureGIF(r *http.Request) (any, error) {
	w, err := s.wish(r, "speed")
	if err != nil {
		return nil, err
	}
	speed, err := number(r, "speed", int(render.DefaultJump.Milliseconds()), int(render.MinJump.Milliseconds()), int(render.MaxJump.Milliseconds()))
	if err != nil {
		return nil, err
	}
	_, _ = w, time.Duration(speed)
	return nil, badRequest("not yet")
}
