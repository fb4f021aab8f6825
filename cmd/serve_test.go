package cmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The API of query serve answers what the commands answer, and Ctrl-C ends it.
func TestServe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals")
	}
	file := filepath.Join(t.TempDir(), "5x5.reach")
	run := func(name string, args ...string) []byte {
		t.Helper()
		out, err := exec.Command(filepath.Join(bin, name), args...).Output()
		if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
			t.Fatalf("%s %v: %v", name, args, err)
		}
		return out
	}
	run("reach", "run", "peg/5x5", "-o", file, "--quiet")
	serve := exec.Command(filepath.Join(bin, "query"), "serve", file, "--addr", "127.0.0.1:0")
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	serve.Stderr = &stderr
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer serve.Process.Kill()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	address = strings.TrimSpace(address)
	same := func(path, body string, name string, args ...string) {
		t.Helper()
		var response *http.Response
		if body == "" {
			response, err = http.Get(address + path)
		} else {
			response, err = http.Post(address+path, "application/json", strings.NewReader(body))
		}
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		got, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		want := run(name, append([]string{args[0], file}, args[1:]...)...)
		if name != "reach" {
			if !bytes.Equal(got, want) {
				t.Errorf("%s %s is\n%s, and %s %v\n%s", path, body, got, name, args, want)
			}
			return
		}
		// What reach info tells is part of the answer.
		var has, wants map[string]any
		if err := json.Unmarshal(got, &has); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(want, &wants); err != nil {
			t.Fatal(err)
		}
		wants["file"] = filepath.Base(file)
		for k, v := range wants {
			a, _ := json.Marshal(has[k])
			b, _ := json.Marshal(v)
			if !bytes.Equal(a, b) {
				t.Errorf("%s of %s is %s, and of %s %v %s", k, path, a, name, args, b)
			}
		}
	}
	const reached, wish, other = "..ooo/..o.o/o.ooo/ooooo/ooooo", "o...o/.o.o./..o../.o.o./o...o", "o...o/.o?o./..o../.o.o./o...o"
	same("api/space", "", "reach", "info", "--json")
	same("api/layers", "", "query", "layers", "--json")
	for _, p := range []string{reached, wish, "ooooo/ooooo/ooooo/ooooo/ooooo"} {
		same("api/has", `{"pattern":"`+p+`"}`, "query", "has", p, "--json")
		same("api/path", `{"pattern":"`+p+`"}`, "query", "path", p, "--json")
		same("api/near", `{"patterns":["`+p+`"]}`, "query", "near", p, "--json")
	}
	same("api/near", `{"patterns":["`+wish+`","`+other+`"],"within":6,"limit":50,"pegs":"4-9"}`,
		"query", "near", wish, other, "--within", "6", "--limit", "50", "--pegs", "4-9", "--json")
	same("api/near", `{"patterns":["`+wish+`","`+other+`"],"sum":true,"within":6}`, "query", "near", wish, other, "--sum", "--within", "6", "--json")

	if err := serve.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := serve.Wait(); err != nil {
		t.Errorf("after Ctrl-C it ended with %v: %s", err, &stderr)
	}
}
