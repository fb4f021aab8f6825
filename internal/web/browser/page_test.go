package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// Every view fits, wide and narrow, light and dark.
func TestLooks(t *testing.T) {
	address := serve(t, "peg/5x7")
	for _, width := range []int64{360, 1280} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d-%s", width, theme), func(t *testing.T) {
				features := []*emulation.MediaFeature{calm()}
				if theme == "dark" {
					features = append(features, dark())
				}
				height := int64(800)
				p := open(t, address, "", width, height, features...)
				p.wait("document.querySelectorAll('.letter').length === 6")
				p.shot("word")
				for _, v := range []struct{ path, ready string }{
					{"?text=HELLO+WORLD+1234,+WHAT%3F+%C3%A9", "document.querySelectorAll('.letter').length === 25"},
					{"?view=play", "/can still/.test(verdict.textContent)"},
					{"?view=draw&pick=oooo.o...oo...ooo.o.o....o....o....", "document.querySelectorAll('.match').length === 12 && document.querySelector('#watch-board .peg')"},
					{"?view=file", "document.querySelectorAll('.column').length === 33"},
				} {
					p.do(navigate(address + v.path))
					p.wait("document.body.classList.contains('ready')")
					p.wait(v.ready)
					p.shot(v.path[1:10])
					p.expect("document.documentElement.scrollWidth <= innerWidth")
				}
			})
		}
	}
}
