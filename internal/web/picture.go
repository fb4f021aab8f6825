package web

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"pagoda/internal/answer"
	"pagoda/render"
	"pagoda/statespace/peg"
)

// A drawing is what a picture is to show, and how.
type drawing struct {
	parts   render.Ensemble
	columns int
	style   render.Style
	name    string // of the file
	title   string // of an SVG; empty: what it shows
}

// The bounds of pictures, and what is meant if nothing is said.
const (
	maxColumns     = 100
	pictureColumns = 12
	pictureCell    = 24
	maxCell        = 80
	maxGIF         = 32 << 20 // bytes
)

// picture reads the query string of a picture: the letters of a text, or a pattern.
func (s *Server) picture(r *http.Request, names ...string) (*drawing, error) {
	if err := query(r, append(names, "text", "pattern", "columns", "size", "theme")...); err != nil {
		return nil, err
	}
	b, err := s.board()
	if err != nil {
		return nil, err
	}
	v := r.URL.Query()
	d := &drawing{style: render.Style{NoCaptions: true}}
	if d.style.Theme, err = theme(v); err != nil {
		return nil, err
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
		letters, err := s.spell(v.Get("text"))
		if err != nil {
			return nil, err
		}
		if len(letters) == 0 {
			return nil, badRequest("the text is empty: there is nothing to draw")
		}
		d.parts, d.columns = answer.Compose(s.peg, letters, columns)
		d.name, d.title = fileName(v.Get("text")), v.Get("text")
		return d, nil
	}
	text := v.Get("pattern")
	reach, err := s.ask(text)
	if err != nil {
		return nil, err
	}
	d.columns, d.name = 1, "pattern"
	if !reach.Reachable {
		p, err := b.ParsePosition(text)
		d.parts = render.Ensemble{{Still: render.Position{Board: b, Pattern: peg.Pattern{Pegs: p}}}}
		return d, err
	}
	way, err := answer.Path(s.file, s.peg, reach.State)
	if err != nil {
		return nil, answer.ExplainWay(s.file, err)
	}
	d.parts = render.Ensemble{answer.Played(s.peg, way)}
	return d, nil
}

func theme(v url.Values) (render.Theme, error) {
	name := v.Get("theme")
	if name == "" {
		return render.Themes()[0], nil
	}
	t, err := render.ThemeByName(name)
	if err != nil {
		err = badRequest("%v", err)
	}
	return t, err
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

func (s *Server) pictureSVG(r *http.Request) (any, error) {
	d, err := s.picture(r, "show")
	if err != nil {
		return nil, err
	}
	var panels []render.Panel
	switch show := r.URL.Query().Get("show"); show {
	case "", "solved":
		panels, err = d.parts.Panels()
	case "puzzle":
		for i := range d.parts {
			d.parts[i].Solution.Jumps = nil
		}
		panels, err = d.parts.Panels()
	default:
		err = badRequest("show is %.40q, expected puzzle or solved", show)
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
	var b bytes.Buffer
	if err := p.WriteSVG(&b); err != nil {
		return nil, err
	}
	return &reply{"image/svg+xml", d.name + ".svg", b.Bytes()}, nil
}

func (s *Server) pictureGIF(r *http.Request) (any, error) {
	d, err := s.picture(r, "speed")
	if err != nil {
		return nil, err
	}
	speed, err := number(r, "speed", int(render.DefaultJump.Milliseconds()), int(render.MinJump.Milliseconds()), int(render.MaxJump.Milliseconds()))
	if err != nil {
		return nil, err
	}
	scenes, err := d.parts.Scenes(render.Timing{Jump: time.Duration(speed) * time.Millisecond})
	if err != nil {
		return nil, err
	}
	b := &bounded{r: r}
	if err := render.WriteScenes(b, scenes, d.columns, 0, d.style); err != nil {
		if b.err != nil {
			err = b.err
		} else {
			err = badRequest("%v", err)
		}
		return nil, err
	}
	return &reply{"image/gif", d.name + ".gif", b.Bytes()}, nil
}

// A bounded buffer takes no more than a GIF may have, and nothing when the time is over.
type bounded struct {
	bytes.Buffer
	r   *http.Request
	err error
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	switch {
	case b.err != nil:
	case b.r.Context().Err() != nil:
		b.err = errTime
	case b.Len()+len(p) > maxGIF:
		b.err = badRequest("the GIF would be larger than %d MiB: a smaller size or a shorter text makes it smaller", maxGIF>>20)
	default:
		return b.Buffer.Write(p)
	}
	return 0, b.err
}
