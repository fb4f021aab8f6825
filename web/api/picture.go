package api

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"strings"
	"time"
	"unicode"

	"pagoda/render"
)

// A drawing says what a picture shows, and how.
type drawing struct {
	films   []render.Film
	columns int
	style   render.Style
	name    string // of the file
	title   string // of an SVG; empty: what it shows
}

// The limits and the defaults of pictures.
const (
	maxColumns     = 100
	pictureColumns = 12
	pictureCell    = 24
	maxCell        = 80
	maxPlayed      = 32 << 20 // bytes
)

// Pictures adds the questions whose answers are pictures, for Options.Pictures.
func Pictures(a *API) {
	a.drawer, _ = a.families.Drawer(a.of)
	one := make(chan struct{}, 1) // they are drawn in turn
	a.paths["/api/picture.svg"] = &path{method: get, fields: append(pictureFields, "show"), turn: one, most: maxTime, find: a.pictureSVG}
	a.paths["/api/picture.gif"] = &path{method: get, fields: pictureFields, turn: one, most: maxHintTime, find: a.pictureGIF}
}

// pictureFields are those of all pictures. An SVG has speed only if it is played.
var pictureFields = []string{"text", "pattern", "columns", "size", "theme", "speed"}

// picture reads the query string of a picture: the letters of a text, or a pattern.
func (a *API) picture(ctx context.Context, r *Request) (*drawing, error) {
	if a.drawer == nil {
		return nil, badRequest("%s cannot be drawn", a.of.Name())
	}
	v := r.values()
	d := &drawing{style: render.Style{NoCaptions: true}}
	var err error
	if d.style.Theme, err = render.ThemeByName(cmp.Or(v.Get("theme"), render.Themes()[0].Name)); err != nil {
		return nil, badRequest("%v", err)
	}
	if d.style.Cell, err = number(r, "size", pictureCell, render.MinCell, maxCell); err != nil {
		return nil, err
	}
	columns, err := number(r, "columns", pictureColumns, 1, maxColumns)
	if err != nil {
		return nil, err
	}
	switch {
	case v.Has("text") == v.Has("pattern"):
		return nil, badRequest("expected either text or pattern")
	case v.Has("text"):
		word, err := a.spell(ctx, v.Get("text"), columns)
		if err != nil {
			return nil, err
		}
		if len(word.Films) == 0 {
			return nil, badRequest("the text is empty: there is nothing to draw")
		}
		d.films, d.columns = word.Films, word.Columns
		d.name, d.title = fileName(v.Get("text")), v.Get("text")
		return d, nil
	}
	return d, a.drawPattern(ctx, d, v.Get("pattern"))
}

// drawPattern draws a pattern, with the moves to it if it can be reached.
func (a *API) drawPattern(ctx context.Context, d *drawing, text string) error {
	d.columns, d.name = 1, "pattern"
	solution, err := a.solve(ctx, text)
	if err != nil {
		return err
	}
	if !solution.Reachable {
		panel, err := a.drawer.Still(a.of, text)
		d.films = []render.Film{render.Still(panel)}
		return err
	}
	film, err := a.drawer.Film(solution.Space(), solution.Path)
	d.films = []render.Film{film}
	return err
}

// fileName makes a name for a file of a text.
func fileName(text string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c <= unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c)):
			return c
		case unicode.IsSpace(c):
			return '-'
		}
		return -1
	}, text)
	if name = strings.Trim(name, "-"); name == "" {
		return "word"
	}
	return name
}

func (a *API) pictureSVG(ctx context.Context, r *Request) (any, error) {
	show := r.values().Get("show")
	if show != "played" && r.values().Has("speed") {
		return nil, badRequest("%s does not take %.40q", r.Path, "speed")
	}
	d, err := a.picture(ctx, r)
	if err != nil {
		return nil, err
	}
	var panels []render.Panel
	switch show {
	case "", "solved":
		panels = render.Ends(d.films...)
	case "puzzle":
		for _, film := range d.films {
			panels = append(panels, film.Frame(0, 0))
		}
	case "played":
		return d.played(ctx, r, "image/svg+xml", ".svg", func(w io.Writer, scenes []render.Scene) error {
			return render.WriteAnimatedSVG(w, scenes, d.columns, d.title, d.style)
		})
	default:
		err = badRequest("show is %.40q, expected puzzle, solved or played", show)
	}
	if err != nil {
		return nil, err
	}
	p, err := render.Sheet(panels, d.columns, d.style)
	if err != nil {
		return nil, badRequest("%v", err)
	}
	if d.title != "" {
		p.SetTitle(d.title)
	}
	return &reply{"image/svg+xml", d.name + ".svg", p.SVG()}, nil
}

func (a *API) pictureGIF(ctx context.Context, r *Request) (any, error) {
	d, err := a.picture(ctx, r)
	if err != nil {
		return nil, err
	}
	return d.played(ctx, r, "image/gif", ".gif", func(w io.Writer, scenes []render.Scene) error {
		return render.WriteGIF(w, scenes, d.columns, 0, d.style)
	})
}

// played makes a file in which the films are played.
func (d *drawing) played(ctx context.Context, r *Request, kind, ending string, write func(w io.Writer, scenes []render.Scene) error) (any, error) {
	speed, err := number(r, "speed", int(render.DefaultMove.Milliseconds()), int(render.MinTime.Milliseconds()), int(render.MaxTime.Milliseconds()))
	if err != nil {
		return nil, err
	}
	scenes, err := render.Play(time.Duration(speed)*time.Millisecond, d.films...)
	if err != nil {
		return nil, err
	}
	b := &bounded{ctx: ctx}
	if err := write(b, scenes); err != nil {
		if b.err != nil {
			err = b.err
		} else {
			err = badRequest("%v", err)
		}
		return nil, err
	}
	return &reply{kind, d.name + ending, b.Bytes()}, nil
}

// A bounded buffer refuses more than maxPlayed bytes, and everything after the time is over.
type bounded struct {
	bytes.Buffer
	ctx context.Context
	err error
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	switch {
	case b.err != nil:
	case b.ctx.Err() != nil:
		b.err = errTime
	case b.Len()+len(p) > maxPlayed:
		b.err = badRequest("the file would be larger than %d MiB: choose a smaller size or a shorter text", maxPlayed>>20)
	default:
		return b.Buffer.Write(p)
	}
	return 0, b.err
}
