package render

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"pagoda/statespace/peg"
)

// ensemble returns parts of several kinds and lengths.
func ensemble(r *rand.Rand) Ensemble {
	b := boards()["peg/4x4"]
	start := b.Full() &^ 1
	return Ensemble{
		{Solution: play(r, b, start, 4)}, {Solution: play(r, b, start, 2)}, {Still: Plate{b, "\u00c4"}},
		{Solution: play(r, b, start, 0)}, {Still: Nothing{}}, {Still: Plate{b, "too long for it"}},
	}
}

// The GIF of several boards, of which only those that change are drawn anew, is what
// drawing all of them for each frame gives.
func TestScenes(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for i, theme := range Themes() {
		style := Style{Cell: []int{9, 16, 23}[i], Theme: theme}
		scenes, err := ensemble(r).Scenes(Timing{Jump: 300 * time.Millisecond, Hold: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		for _, columns := range []int{0, 1, 4, 9} {
			var data bytes.Buffer
			if err := WriteScenes(&data, scenes, columns, 0, style); err != nil {
				t.Fatal(err)
			}
			compareGIF(t, theme.Name, &data, scenes, columns, style)
		}
	}
}

// A solution alone is shown as without others, but for captions; of several, each ends
// with the last scene, is played without a pause, and stays as it begins before.
func TestEnsemble(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	e := ensemble(r)
	timing := Timing{Jump: 500 * time.Millisecond}
	scenes, err := e.Scenes(timing)
	if err != nil {
		t.Fatal(err)
	}
	ends, err := e.Panels()
	if err != nil {
		t.Fatal(err)
	}
	if last := scenes[len(scenes)-1]; !reflect.DeepEqual(last.Panels, ends) {
		t.Errorf("the last scene is %v, the parts end as %v", last.Panels, ends)
	}
	for i, part := range e {
		for k, scene := range scenes {
			if part.Still != nil && scene.Panels[i].Drawing != part.Still {
				t.Fatalf("part %d: scene %d shows %v", i, k, scene.Panels[i])
			}
		}
		if part.Still != nil {
			continue
		}
		alone, err := part.Solution.Frames(timing)
		if err != nil {
			t.Fatal(err)
		}
		wait := len(scenes) - len(alone)
		for k, scene := range scenes {
			f := alone[max(0, k-wait)]
			if d := scene.Panels[i].Drawing; !reflect.DeepEqual(d, f.Drawing) {
				t.Fatalf("part %d: scene %d shows %v, expected %v", i, k, d, f.Drawing)
			}
			if i == 0 && scene.Delay != f.Delay {
				t.Errorf("scene %d is shown for %v, expected %v", k, scene.Delay, f.Delay)
			}
		}
	}
}

func TestStill(t *testing.T) {
	b := boards()["peg/4x4"]
	scenes, err := Ensemble{{Still: Plate{b, "x"}}}.Scenes(Timing{})
	if err != nil || len(scenes) != 1 {
		t.Errorf("a part without jumps has %d scenes, %v", len(scenes), err)
	}
	var text strings.Builder
	panels := []Panel{{Drawing: Plate{b, "x"}}, {Drawing: Nothing{}}, {Drawing: Plate{b, "abcdefgh"}}, {Drawing: Position{Board: b, Pattern: peg.Pattern{Pegs: 1}}}}
	if err := Text(&text, panels, 2, Style{}); err != nil {
		t.Fatal(err)
	}
	const want = `#######
#     #
#  x  #
#######

#######    o . . .
#     #    . . . .
#abcde#    . . . .
#######    . . . .
`
	if text.String() != want {
		t.Errorf("found\n%s\nexpected\n%s", text.String(), want)
	}
	if got := svg(t, sheet(t, panels, 2, Style{})); !strings.Contains(got, ">abcdefgh</text>") || strings.Count(got, "class=\"hole\"") != 15 {
		t.Errorf("the sheet is %s", got)
	}
}
