package measure_test

import (
	"context"
	"errors"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"pagoda/docs/make/library/measure"
	_ "pagoda/layers/all"
	"pagoda/puzzle/slide/library"
	"pagoda/puzzle/slide/slidetest"
	"pagoda/puzzle/slide/tray"
	_ "pagoda/run/all"
)

// A piece on a ring of four cells is at most two steps away. Its goal is one step away, by either of
// two ways from the hardest start.
func TestFind(t *testing.T) {
	p := slidetest.Parse(t, "A./.. ./A")
	want := library.Facts{States: 4, Length: 1, Solutions: big.NewInt(1), Diameter: 2, Radius: 2, Pairs: 2, Hardest: 2, Starts: 1, Start: ".A/.."}
	f, err := measure.Find(t.Context(), p, tray.Steps, measure.All)
	if err != nil || !reflect.DeepEqual(f, want) {
		t.Errorf("%+v, %v, want %+v", f, err, want)
	}
	if o := measure.Known(f); o != measure.All {
		t.Errorf("known of all facts: %+v", o)
	}
	f, err = measure.Find(t.Context(), p, tray.Steps, measure.Known(library.Facts{Hardest: 2}))
	if want := (library.Facts{Hardest: 2, Starts: 1, Start: ".A/.."}); err != nil || f != want {
		t.Errorf("only the hardest start: %+v, %v", f, err)
	}
}

// What takes more time or memory than allowed is not known. The end of the context is an error.
func TestBounds(t *testing.T) {
	p := slidetest.Lookup(t, "slide/klotski")
	for _, bounds := range []measure.Options{{Time: time.Nanosecond}, {Memory: 1 << 10}} {
		o := measure.All
		o.Time, o.Memory = bounds.Time, bounds.Memory
		if f, err := measure.Find(t.Context(), p, tray.Moves, o); err != nil || f != (library.Facts{}) {
			t.Errorf("%+v: %+v, %v", bounds, f, err)
		}
	}
	enough := errors.New("enough")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(enough)
	if _, err := measure.Find(ctx, p, tray.Moves, measure.All); !errors.Is(err, enough) {
		t.Errorf("stopped: %v", err)
	}
	walled := slidetest.Parse(t, "A.#./#### ..#A")
	if _, err := measure.Find(t.Context(), walled, tray.Moves, measure.All); err == nil || !strings.Contains(err.Error(), "no goal can be reached") {
		t.Errorf("without a solution: %v", err)
	}
}
