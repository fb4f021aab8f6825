package cmd

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pagoda/internal/long"
)

// Hints of the page stay within --mem, however many targets are asked for, and are refused where
// one does not fit. What two sets and a list take is more than is allowed here.
func TestHintMemory(t *testing.T) {
	if !long.Tests {
		t.Skip("hints on the English board take seconds")
	}
	file := filepath.Join(t.TempDir(), "english.reach")
	if out, err := exec.Command(filepath.Join(bin, "reach"), "run", "peg/english", "-o", file, "--quiet").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const start = "ooo/ooo/ooooooo/ooo.ooo/ooooooo/ooo/ooo"
	targets := []string{"##.../##.../....o../.....o./.o...../##.../##...", "##.../##.../.....o./o....../......./##o../##...", "##.../##.../......./......./...o..o/##.../##.o."}
	hint := func(address, target string) (int, string) {
		t.Helper()
		r, err := http.Post(address+"api/hint", "application/json", strings.NewReader(fmt.Sprintf(`{"pattern":%q,"target":%q}`, start, target)))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(text)
	}
	const most = 150 << 20
	address, pid := serve(t, file, "--mem", strconv.Itoa(most))
	for _, target := range targets {
		status, text := hint(address, target)
		var answer struct{ Reachable bool }
		if err := json.Unmarshal([]byte(text), &answer); status != 200 || err != nil || !answer.Reachable {
			t.Fatalf("%s: %d %s", target, status, text)
		}
	}
	if peak := peakRSS(t, pid); peak > most {
		t.Errorf("hints took %d MiB, allowed are %d", peak>>20, most>>20)
	}
	address, _ = serve(t, file, "--mem", "90MiB")
	if status, text := hint(address, targets[0]); status != 501 || !strings.Contains(text, "for a set of its numbers") {
		t.Errorf("with too little memory: %d %s", status, text)
	}
}

// serve starts query serve, until the test ends, and returns the address and the process.
func serve(t *testing.T, file string, flags ...string) (address string, pid int) {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "query"), append([]string{"serve", file, "--addr", "127.0.0.1:0"}, flags...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	if address, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address), cmd.Process.Pid
}

// peakRSS returns the most memory that a process has had, in bytes.
func peakRSS(t *testing.T, pid int) (kib uint64) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib << 10
}
