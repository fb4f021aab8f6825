package cluster

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pagoda/internal/long"
	"pagoda/run"
)

// children returns the worker processes of a driver.
func children(driver int) (all []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(driver) && fields[0] != "Z" {
			all = append(all, pid)
		}
	}
	return all
}

// TestKills kills workers and drivers at any time: the file has the same bytes, and nothing is
// counted twice.
func TestKills(t *testing.T) {
	for space, kills := range map[string]int{"slide/n2x5": 16, "peg/5x7": 8} { // by layers, by blocks
		if !long.Tests {
			kills /= 4
		}
		t.Run(strings.ReplaceAll(space, "/", "-"), func(t *testing.T) { kill(t, space, kills) })
	}
}

func kill(t *testing.T, space string, kills int) {
	sp := lookup(t, space)
	file, other := want(t, sp, run.Options{})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	var workers, drivers, unkilled int
	for workers+drivers < kills {
		output := filepath.Join(t.TempDir(), "got.reach")
		for {
			cmd := exec.Command(self)
			args := []string{"run", space, "-o", output, "--workers", "2", "--levels", "6", "--attempts", "100", "--quiet"}
			cmd.Env = append(os.Environ(), "PAGODA_TEST_DRIVER="+strings.Join(args, "\n"))
			var log bytes.Buffer
			cmd.Stdout, cmd.Stderr = &log, &log
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- cmd.Wait() }()
			killed := false
			var err error
			for running := true; running; {
				select {
				case err = <-done:
					running = false
				case <-time.After(time.Duration(150+rng.IntN(500)) * time.Millisecond):
					all := children(cmd.Process.Pid)
					switch {
					case workers+drivers >= kills || killed:
					case workers <= drivers && len(all) > 0:
						if syscall.Kill(all[rng.IntN(len(all))], syscall.SIGKILL) == nil {
							workers++
						}
					case drivers < workers:
						cmd.Process.Kill()
						drivers, killed = drivers+1, true
					}
				}
			}
			if killed {
				continue // the same command goes on
			}
			if err != nil {
				t.Fatalf("after %d kills of workers and %d of drivers: %v\n%s", workers, drivers, err, log.String())
			}
			break
		}
		if !bytes.Equal(read(t, output), file) {
			t.Fatal("the file has other bytes than that of one machine")
		}
		if left, _ := filepath.Glob(output + "*"); len(left) != 1 {
			t.Errorf("the run has left %v", left)
		}
		if unkilled++; unkilled > kills {
			t.Fatal("runs end before anything is killed")
		}
	}
	t.Logf("%d workers and %d drivers were killed in %d runs of %d states", workers, drivers, unkilled, other.States)
}
