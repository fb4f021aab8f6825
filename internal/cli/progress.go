package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
)

// A Meter shows progress: how much is done of a total, in any unit.
type Meter func() (done, total int64)

// Progress shows on stderr how far a computation is until stop is called: on a
// terminal a line that changes, elsewhere a line every 30 seconds. Size is how
// many things, named by unit, the whole computation goes through.
func Progress(stderr io.Writer, what string, size uint64, unit string, meter Meter) (stop func()) {
	terminal := Terminal(stderr) && os.Getenv("TERM") != "dumb"
	interval := 30 * time.Second
	if terminal {
		interval = 200 * time.Millisecond
	}
	start := time.Now()
	ticker := time.NewTicker(interval)
	end := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		defer ticker.Stop()
		shown := false
		for {
			select {
			case <-end:
				if shown {
					fmt.Fprint(stderr, "\r\x1b[K")
				}
				return
			case <-ticker.C:
			}
			line := what + ": " + describe(time.Since(start), size, unit, meter)
			if terminal {
				fmt.Fprint(stderr, "\r", line, "\x1b[K")
				shown = true
			} else {
				fmt.Fprintln(stderr, line)
			}
		}
	})
	return func() {
		close(end)
		group.Wait()
	}
}

// describe gives the share done, the rate and the time left; or, if the size is 0, what is done of
// what is found so far.
func describe(elapsed time.Duration, size uint64, unit string, meter Meter) string {
	done, total := meter()
	if total == 0 || done == 0 {
		return fmt.Sprintf("%v", elapsed.Round(time.Second))
	}
	if size == 0 {
		return fmt.Sprintf("%s of %s %s found, %v", humanize.Comma(done), humanize.Comma(total), unit, elapsed.Round(time.Second))
	}
	share := float64(done) / float64(total)
	rate := share * float64(size) / elapsed.Seconds()
	left := time.Duration(float64(elapsed) * (1 - share) / share)
	return fmt.Sprintf("%.0f%%, %v, %.3g %s/s, %v left", 100*share, elapsed.Round(time.Second), rate, unit, left.Round(time.Second))
}
