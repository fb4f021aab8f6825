package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

const lunarVerdict = "document.getElementById('lunar-verdict').textContent"

// Boards of Lunar Lockout fit, wide and narrow, light and dark.
func TestLunarLooks(t *testing.T) {
	for _, space := range []string{"lunar/5x5:2-3", "lunar/cross:1-3"} {
		address := serve(t, space)
		for _, width := range []int64{360, 1280} {
			for _, theme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%s-%d-%s", space[6:9], width, theme), func(t *testing.T) {
					features := []*emulation.MediaFeature{calm()}
					if theme == "dark" {
						features = append(features, dark())
					}
					p := open(t, address, "", width, 800, features...)
					p.wait("/left/.test(" + lunarVerdict + ")")
					p.shot("start")
					p.do(chromedp.KeyEvent("h"))
					p.wait("/^Best/.test(" + lunarVerdict + ")")
					p.shot("hint")
					p.expect("document.documentElement.scrollWidth <= innerWidth")
					if small := js[string](p, `[...document.querySelectorAll('button, .button, .views a')].filter((el) => el.checkVisibility() && (el.offsetHeight < 32 || el.offsetWidth < 32)).map((el) => el.outerHTML).join('\n')`); small != "" {
						t.Errorf("too small:\n%.500s", small)
					}
				})
			}
		}
	}
}
