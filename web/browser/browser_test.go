// Package browser drives the page of query serve in a real browser. It is a module of its
// own, so that the program does not depend on what drives browsers.
package browser

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// root is the directory of the main module.
var root = filepath.Join("..", "..")

// bin is the directory of the commands.
var bin string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		if _, err := findBrowser(); err != nil {
			return m.Run() // every test says why it is skipped
		}
		dir, err := os.MkdirTemp("", "pagoda-browser")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		bin = dir
		build := exec.Command("go", "build", "-o", dir, "./cmd/...")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
			return 1
		}
		return m.Run()
	}())
}

func findBrowser() (string, error) {
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no browser is installed: looked for %s", strings.Join(names, ", "))
}

// making guards the files of spaces: tests run side by side.
var making sync.Mutex

// serve makes the file of a space, once for all tests, serves it, and returns the address.
func serve(t *testing.T, space string) string {
	t.Helper()
	if _, err := findBrowser(); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(bin, strings.NewReplacer("/", "-", ":", "-").Replace(space)+".reach")
	making.Lock()
	defer making.Unlock()
	if _, err := os.Stat(file); err != nil {
		if out, err := exec.Command(filepath.Join(bin, "reach"), "run", space, "-o", file, "--quiet").CombinedOutput(); err != nil {
			t.Fatalf("reach run %s: %v\n%s", space, err, out)
		}
	}
	return serveFile(t, file)
}

// serveFile serves a file, and returns the address.
func serveFile(t *testing.T, file string) string {
	t.Helper()
	if _, err := findBrowser(); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(filepath.Join(bin, "query"), "serve", file, "--addr", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("query serve ended with %v after an interrupt\n%s", err, &stderr)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("query serve said %q, %v\n%s", line, err, &stderr)
	}
	return strings.TrimSpace(line)
}

// A page is a tab of a browser.
type page struct {
	*testing.T
	ctx     context.Context
	address string
	mu      sync.Mutex
	faults  []string // what the browser complained of
}

// open opens a path in a window of a size.
func open(t *testing.T, address, path string, width, height int64, features ...*emulation.MediaFeature) *page {
	t.Helper()
	browser, err := findBrowser()
	if err != nil {
		t.Skip(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.WindowSize(int(width), int(height)))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 20*time.Minute) // a test looks at many views
	t.Cleanup(cancel)
	p := &page{T: t, ctx: ctx, address: address}
	chromedp.ListenTarget(ctx, func(event any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			p.faults = append(p.faults, e.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
				p.faults = append(p.faults, e.Entry.Text)
			}
		}
	})
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, f := range p.faults {
			t.Errorf("the browser says: %s", f)
		}
	})
	p.do(log.Enable(), emulation.SetDeviceMetricsOverride(width, height, 1, width < 500),
		emulation.SetEmulatedMedia().WithFeatures(features), chromedp.Navigate(address+strings.TrimPrefix(path, "/")))
	p.wait("document.body.classList.contains('ready')")
	return p
}

// size changes the size of the window.
func (p *page) size(width, height int64) {
	p.Helper()
	p.do(emulation.SetDeviceMetricsOverride(width, height, 1, width < 500))
}

func (p *page) do(actions ...chromedp.Action) {
	p.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.Fatal(err)
	}
}

// js evaluates an expression, and waits for a promise.
func js[T any](p *page, expression string) T {
	p.Helper()
	v, err := try[T](p, expression)
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return v
}

func try[T any](p *page, expression string) (v T, err error) {
	err = chromedp.Run(p.ctx, chromedp.Evaluate(expression, &v, func(e *runtime.EvaluateParams) *runtime.EvaluateParams {
		return e.WithAwaitPromise(true)
	}))
	return v, err
}

// comes reports whether a condition comes to hold within a time. What it names may not be there yet, and the page may just go
// to another.
func (p *page) comes(condition string, within time.Duration) bool {
	p.Helper()
	for end := time.Now().Add(within); ; time.Sleep(50 * time.Millisecond) {
		holds, err := try[bool](p, "(() => { try { return Boolean("+condition+"); } catch { return false; } })()")
		if holds && err == nil {
			return true
		}
		if p.ctx.Err() != nil {
			p.Fatalf("%s: %v", condition, err)
		}
		if time.Now().After(end) {
			p.shot("failed")
			return false
		}
	}
}

// wait waits until a condition holds, however long that takes on a slow machine.
func (p *page) wait(condition string) {
	p.Helper()
	if !p.comes(condition, 3*time.Minute) {
		p.Fatalf("it does not come to this: %s", condition)
	}
}

// expect is for what holds when the page has come to rest: on a busy machine that takes a moment.
func (p *page) expect(condition string) {
	p.Helper()
	if !p.comes(condition, 10*time.Second) {
		p.Errorf("it should hold: %s", condition)
	}
}

// shot keeps a picture of the page in the directory that PAGODA_SCREENSHOTS names.
func (p *page) shot(name string) {
	p.Helper()
	dir := os.Getenv("PAGODA_SCREENSHOTS")
	if dir == "" {
		return
	}
	for range 100 { // a page that has just come may have no size yet
		if js[bool](p, "document.readyState === 'complete' && document.documentElement.offsetWidth > 0 && new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	var png []byte
	if err := chromedp.Run(p.ctx, chromedp.FullScreenshot(&png, 100)); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(p.Name(), "/", "-")+"-"+name+".png"), png, 0o644); err != nil {
		p.Fatal(err)
	}
}

func dark() *emulation.MediaFeature {
	return &emulation.MediaFeature{Name: "prefers-color-scheme", Value: "dark"}
}

func calm() *emulation.MediaFeature {
	return &emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"}
}

// dragBy moves the pointer from the middle of an element by a number of cells of a board.
func (p *page) dragBy(board, element string, rows, cols float64) {
	p.Helper()
	x, y := p.middle(board + " " + element)
	cell := js[float64](p, "document.querySelector("+quote(board+" .tray")+").getScreenCTM().a") * 40
	p.do(chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft))
	for i := range 21 {
		share := float64(i) / 20
		p.do(chromedp.MouseEvent("mouseMoved", x+cols*cell*share, y+rows*cell*share, chromedp.ButtonLeft))
	}
	p.do(chromedp.MouseEvent("mouseReleased", x+cols*cell, y+rows*cell, chromedp.ButtonLeft))
}

// fits opens a view of some spaces, wide and narrow, light and dark. Look waits for what is to be seen. Nothing may be
// wider than the window, and no button too small for a finger.
func fits(t *testing.T, path string, spaces []string, look func(p *page)) {
	for _, space := range spaces {
		address := serve(t, space)
		for _, width := range []int64{360, 1280} {
			for _, theme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%s-%d-%s", strings.NewReplacer("/", "-", ":", "-").Replace(space), width, theme), func(t *testing.T) {
					features := []*emulation.MediaFeature{calm()}
					if theme == "dark" {
						features = append(features, dark())
					}
					p := open(t, address, path, width, 800, features...)
					look(p)
					p.expect("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
					if small := js[string](p, `[...document.querySelectorAll('button, .button, #menu a, .segments span')].filter((el) => el.checkVisibility() && (el.offsetHeight < 32 || el.offsetWidth < 32)).map((el) => el.outerHTML).join('\n')`); small != "" {
						t.Errorf("too small:\n%.500s", small)
					}
				})
			}
		}
	}
}
