package render

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"pagoda/internal/lists"
)

// WriteAnimatedSVG writes an animation as an SVG document, which shows it for ever. Scenes are those of WriteGIF. What
// several scenes show is there once, with the time at which it is seen. A viewer that does not animate shows the last
// scene.
func WriteAnimatedSVG(w io.Writer, scenes []Scene, columns int, title string, style Style) error {
	g, _, err := stage(scenes, columns, 0, style)
	if err != nil {
		return err
	}
	times := []time.Duration{0} // when each scene begins, and when the last one ends
	for _, scene := range scenes {
		times = append(times, times[len(times)-1]+scene.Delay)
	}
	if times[len(scenes)] == 0 {
		return fmt.Errorf("the animation takes no time")
	}
	out := &svgWriter{ids: make(map[string]string)}
	width, height := g.size()
	p := NewPicture(width, height, g.Theme.Background)
	if p.title = title; title == "" {
		p.title = scenes[len(scenes)-1].Panels[0].Drawing.Title()
	}
	out.begin(p)
	for i := range scenes[0].Panels {
		var parts []part
		for k, scene := range scenes {
			if k > 0 && reflect.DeepEqual(scene.Panels[i], scenes[k-1].Panels[i]) {
				for j := range parts {
					parts[j].extend(k)
				}
				continue
			}
			elements := lists.Map(g.one(i, scene.Panels[i]).shapes, out.element)
			parts = merge(parts, elements, k)
		}
		out.parts(parts, times)
	}
	out.end()
	_, err = w.Write(out.Bytes())
	return err
}

// A part is an element of an animation that is seen from scene first to scene last.
type part struct {
	element     string
	first, last int
}

// extend shows a part in scene k, too, if it is seen in the one before.
func (p *part) extend(k int) {
	if p.last == k-1 {
		p.last = k
	}
}

// merge adds the elements of scene k to the parts, which come in the order in which they are drawn. Elements that the
// scene before has, in the same order, go on; others are new.
func merge(parts []part, elements []string, k int) []part {
	var before []int // the places of the parts of the scene before
	for i := range parts {
		if parts[i].last == k-1 {
			before = append(before, i)
		}
	}
	kept := common(len(before), len(elements), func(i, j int) bool { return parts[before[i]].element == elements[j] })
	var merged []part
	from := 0 // of the parts
	j := 0    // of the elements
	add := func(upTo int) {
		for ; j < upTo; j++ {
			merged = append(merged, part{elements[j], k, k})
		}
	}
	for _, pair := range kept {
		at := before[pair[0]]
		merged = append(merged, parts[from:at]...)
		add(pair[1])
		parts[at].last = k
		merged = append(merged, parts[at])
		from, j = at+1, pair[1]+1
	}
	// What is new at the end lies over all that was there.
	merged = append(merged, parts[from:]...)
	add(len(elements))
	return merged
}

// common returns a longest common subsequence of two sequences of n and m: pairs of places, in order.
func common(n, m int, equal func(i, j int) bool) (pairs [][2]int) {
	start := 0
	for start < n && start < m && equal(start, start) {
		pairs = append(pairs, [2]int{start, start})
		start++
	}
	var tail [][2]int
	for n > start && m > start && equal(n-1, m-1) {
		n, m = n-1, m-1
		tail = append(tail, [2]int{n, m})
	}
	rows, columns := n-start, m-start
	longest := make([][]int, rows+1) // of what is left from there
	for i := range longest {
		longest[i] = make([]int, columns+1)
	}
	for i := rows - 1; i >= 0; i-- {
		for j := columns - 1; j >= 0; j-- {
			if equal(start+i, start+j) {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < rows && j < columns; {
		switch {
		case equal(start+i, start+j):
			pairs = append(pairs, [2]int{start + i, start + j})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	slices.Reverse(tail)
	return append(pairs, tail...)
}

// element returns a shape as an element.
func (w *svgWriter) element(s Shape) string {
	from := w.Len()
	s.svg(w)
	text := string(w.Bytes()[from:])
	w.Truncate(from)
	return text
}

// parts writes the parts of a panel. Neighbours that are seen at the same time share a group.
func (w *svgWriter) parts(parts []part, times []time.Duration) {
	end := len(times) - 1
	for len(parts) > 0 {
		first, last := parts[0].first, parts[0].last
		n := 1
		for n < len(parts) && parts[n].first == first && parts[n].last == last {
			n++
		}
		always := first == 0 && last == end-1
		if !always {
			w.WriteString("<g")
			if last < end-1 {
				w.WriteString(` visibility="hidden"`)
			}
			w.WriteString(">")
		}
		for _, p := range parts[:n] {
			w.WriteString(p.element)
		}
		if !always {
			w.seen(times[first], times[last+1], times[end])
			w.WriteString("</g>\n")
		}
		parts = parts[n:]
	}
}

// seen says when a group is seen, of an animation that takes some time.
func (w *svgWriter) seen(from, to, whole time.Duration) {
	values, keys := []string{"hidden", "visible", "hidden"}, []time.Duration{0, from, to}
	if from == 0 {
		values, keys = values[1:], keys[1:]
	}
	if to == whole {
		values, keys = values[:len(values)-1], keys[:len(keys)-1]
	}
	shares := lists.Map(keys, func(k time.Duration) string { return strconv.FormatFloat(float64(k)/float64(whole), 'g', 5, 64) })
	fmt.Fprintf(w, `<animate attributeName="visibility" calcMode="discrete" values="%s" keyTimes="%s" dur="%ss" repeatCount="indefinite"/>`,
		strings.Join(values, ";"), strings.Join(shares, ";"), strconv.FormatFloat(whole.Seconds(), 'f', -1, 64))
}
