package main

import (
	"context"
	"html/template"
	"math/big"
	"path/filepath"
)

// A level is a puzzle on the page of levels.
type level struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Text  string `json:"text"` // draws it
	// Lengths are those of the shortest solutions, by the metric. What is not known is left out.
	Lengths map[string]*big.Int `json:"lengths"`
}

// levels writes the page of the puzzles that people can play one after another: those that a text draws, of
// families that count moves in several ways, and that a tab can compute.
func (s *site) levels(ctx context.Context, style, icon string) error {
	var all []level
	for _, f := range s.families.All() {
		if f.Play == nil || f.Entries == nil {
			continue
		}
		for _, e := range f.Entries() {
			if e.Text == nil || e.Facts == nil {
				continue
			}
			if fits, err := s.playable(ctx, e); err != nil {
				return err
			} else if !fits {
				continue
			}
			l := level{e.Name, e.About, e.Text(), make(map[string]*big.Int)}
			numbers := e.Facts().Numbers
			for _, o := range f.Options {
				for _, v := range o.Values {
					if n := numbers[v]; n != nil {
						l.Lengths[v] = n
					}
				}
			}
			all = append(all, l)
		}
	}
	script, _, err := s.bundle(filepath.Join(own, "levels.js"), map[string]any{"globalThis.PAGODA_LEVELS": all})
	if err != nil {
		return err
	}
	files := map[string]string{"Policy": policy, "Style": style, "Icon": icon, "Script": script}
	return s.page("levels.html", levelsPage, map[string]any{"Files": files})
}

var levelsPage = template.Must(template.Must(template.New("levels").Parse(frame)).Parse(`{{template "head" .}}<title>Levels – Pagoda</title>
<meta name="description" content="Puzzles from easy to hard. Each says how short its shortest solution is, and what your best result was.">
<link rel="icon" href="{{.Files.Icon}}" type="image/svg+xml">
<link rel="stylesheet" href="{{.Files.Style}}">
<script type="module" src="{{.Files.Script}}"></script>
</head>
<body>
<header class="top"><a class="brand" href="./"><img src="{{.Files.Icon}}" alt="" width="28" height="28"> Pagoda</a><nav class="views" aria-label="Pages"><a href="collection.html">The collection</a></nav></header>
<main class="levels">
<h1>Levels</h1>
<p class="lead">Solve a puzzle without hints, and your result stays here, on this device. A star says that no solution is shorter. <span id="levels-told" role="status"></span></p>
<div class="actions">
<label class="check">Count <select id="levels-metric"></select></label>
<label class="check">Order <select id="levels-order"><option value="length">from easy to hard</option><option value="name">by name</option></select></label>
<label class="check">Search <input type="search" id="levels-search" autocomplete="off"></label>
<button type="button" id="levels-forget">Forget my results</button>
</div>
<ul class="level-list" id="levels-list"></ul>
<noscript><p class="notice">This page needs JavaScript.</p></noscript>
</main>
</body>
</html>
`))
