package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	"pagoda/puzzle"
)

// A tile of the shelf on the first page is a puzzle to play.
type tile struct {
	Name, About string
	space       string // that is played
	state       string // that is drawn; if it is empty, the start
	like        string // the space that draws it, if the one that is played is none
	Pack        string // of levels: the tile leads to the first that is not solved

	Link          string // where it is played
	Picture       string // from the root of the site
	Width, Height int    // of the picture
}

// tiles are those of the shelf, best first: the first four are seen at once, beside the puzzle of the day.
var tiles = []tile{
	{Name: "Peg solitaire", About: "Jump and take, until a single peg is left.", space: "peg/english", Pack: "pegs"},
	{Name: "Klotski", About: "Free the big block, in 47 ways.", space: "slide/klotski", Pack: "huarong-dao"},
	{Name: "Rush Hour", About: "Get the red car out of the jam.", space: "slide/rushhour1", Pack: "rush-hour"},
	{Name: "2048", About: "Join equal tiles. Small boards are solved exactly.", space: "2048/4x4", state: "2,8,4,2/4,16,64,8/16,128,256,32/512,1024,64,4"},
	{Name: "8-puzzle", About: "Eight numbers, one gap: put them in order.", space: "slide/n3x3", state: "837/142/.65"},
	{Name: "Lunar Lockout", About: "Robots stop only at robots. Land the red one.", space: "lunar/5x5:2-3", state: "..X../..1../..+../...../..2..", Pack: "lunar"},
	{Name: "15-puzzle", About: "The craze of 1880, still a good one.", space: "slide/15-puzzle", like: "slide/n4x4", state: "3FAC/D169/.E28/B745"},
	{Name: "Threes", About: "Ones and twos make threes, and threes make six.", space: "threes/4x4", like: "threes/3x4", state: "3,6,2,1/12,24,3,2/48,1,96,3"},
	{Name: "Cracker barrel", About: "Fourteen pegs on a triangle. Leave one.", space: "peg/triangle15", Pack: "cracker-barrel"},
}

// shelf draws the tiles, and returns them as HTML.
func (s *site) shelf(ctx context.Context) (string, error) {
	all := make([]tile, len(tiles))
	for i, t := range tiles {
		sp, err := s.families.Lookup(ctx, cmp.Or(t.like, t.space), nil, puzzle.Choice{})
		if err != nil {
			return "", fmt.Errorf("%s: %w", t.space, err)
		}
		drawer, err := s.families.Drawer(sp)
		if err != nil {
			return "", fmt.Errorf("%s: %w", t.space, err)
		}
		if t.state == "" {
			t.state = sp.Format(sp.Roots()[0])
		}
		t.Link = playAt("space", t.space)
		for _, p := range s.packs {
			if p.ID == t.Pack {
				t.Link = p.Levels[0].Href
			}
		}
		t.Picture = "shelf/" + base(t.space) + ".svg"
		sheet, err := s.still(sp, drawer, t.state, t.Name, t.Picture)
		if err != nil {
			return "", fmt.Errorf("%s: %w", t.space, err)
		}
		t.Width, t.Height = sheet.Size()
		all[i] = t
	}
	var b bytes.Buffer
	err := templates.ExecuteTemplate(&b, "shelf.html", all)
	return b.String(), err
}
