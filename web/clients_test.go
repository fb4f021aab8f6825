package web_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"pagoda/ask"
	"pagoda/layers"
	"pagoda/puzzle"
	"pagoda/puzzle/builtin"
	"pagoda/run"
	"pagoda/statespace"
	"pagoda/web"
)

// listen serves on a socket until the test ends, and returns the address.
func listen(t *testing.T, s *web.Server) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// open connects to a server and sends some bytes.
func open(t *testing.T, address, sent string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, sent); err != nil {
		t.Fatal(err)
	}
	return c
}

// A test whose clients never finish by themselves gives them more time than patience, which is what a
// client waits for an answer: so what comes in time did not wait for them, however busy the machine is.
const (
	never    = time.Hour
	patience = 2 * time.Minute
)

// answersAtOnce checks that a client who sends a question and reads the answer gets it within patience.
func answersAtOnce(t *testing.T, address, path, body, want string) {
	t.Helper()
	begin := time.Now()
	client := http.Client{Timeout: patience, Transport: new(http.Transport)}
	defer client.CloseIdleConnections()
	r, err := client.Post("http://"+address+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatalf("after %v: %v", time.Since(begin), err)
	}
	defer r.Body.Close()
	if text, err := io.ReadAll(r.Body); err != nil || r.StatusCode != 200 || !strings.Contains(string(text), want) {
		t.Fatalf("%d %.200s, %v; want %s", r.StatusCode, text, err, want)
	}
}

const hasRequest = "POST /api/has HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30\r\n\r\n"

// Clients who send slowly, however many there are, keep nobody else from an answer.
func TestSlowSenders(t *testing.T) {
	s := newServer(t, "peg/4x4@0,1", layers.SetStore)
	s.SetTimes(never, never)
	address := listen(t, s)
	const question, answer = `{"pattern":"oooooooooooooooo"}`, `"reachable":`
	var slow []net.Conn
	for i := range web.MaxClients + 100 {
		sent := hasRequest + `{"pat`
		if i%3 == 0 {
			sent = hasRequest[:20] // not even the header
		}
		slow = append(slow, open(t, address, sent))
		if i%100 == 0 {
			answersAtOnce(t, address, "/api/has", question, answer)
		}
	}
	answersAtOnce(t, address, "/api/has", question, answer)
	// The slowest had to go. The last one still gets an answer.
	slow[0].SetReadDeadline(time.Now().Add(patience))
	if n, err := slow[0].Read(make([]byte, 1)); n != 0 || err == nil || isTimeout(err) {
		t.Errorf("the first one is still connected: %d, %v", n, err)
	}
	last := slow[len(slow)-2]
	if _, err := io.WriteString(last, `tern":"oooooooooooooooo"}`); err != nil {
		t.Fatal(err)
	}
	last.SetReadDeadline(time.Now().Add(patience))
	if r, err := http.ReadResponse(bufio.NewReader(last), nil); err != nil || r.StatusCode != 200 {
		t.Errorf("the last one has sent all: %v, %v", r, err)
	}
}

func isTimeout(err error) bool {
	e, ok := err.(net.Error)
	return ok && e.Timeout()
}

// A client that sends too slowly gets an error; one that waits long for an answer gets it.
func TestTooSlow(t *testing.T) {
	families := puzzle.NewSet(hallFamily(func(statespace.Space, *ask.File, run.Options) (puzzle.Player, error) {
		return lavish{"found", 900 * time.Millisecond}, nil
	}))
	s := openServer(t, makeFile(t, families, "hall/9", ""), families, web.Options{})
	s.SetTimes(300*time.Millisecond, never)
	address := listen(t, s)
	slow := open(t, address, hasRequest+`{"pat`)
	answersAtOnce(t, address, "/api/hint", `{}`, "found")
	r, err := http.ReadResponse(bufio.NewReader(slow), nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := io.ReadAll(r.Body); r.StatusCode != 408 || !strings.Contains(string(text), "the request is not whole after 300ms") {
		t.Errorf("%d %s", r.StatusCode, text)
	}
}

// lavish is a player with long answers, after some time.
type lavish struct {
	answer string
	after  time.Duration
}

func (lavish) Board() any { return nil }
func (lavish) Close()     {}

func (l lavish) Hint(ctx context.Context, _, _ string) (any, error) {
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-time.After(l.after):
		return l.answer, nil
	}
}

// Clients who do not read their answers keep nobody else from one, and the answers that wait do not
// fill the memory.
func TestSlowReaders(t *testing.T) {
	long := strings.Repeat("x", 6<<20) // more than a socket takes
	families := puzzle.NewSet(hallFamily(func(statespace.Space, *ask.File, run.Options) (puzzle.Player, error) {
		return lavish{answer: long}, nil
	}))
	s := openServer(t, makeFile(t, families, "hall/9", ""), families, web.Options{})
	s.SetTimes(never, never)
	address := listen(t, s)
	const slow = 3 * web.MaxUnread / 2 / (6 << 20)
	for range slow {
		open(t, address, "POST /api/hint HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}").(*net.TCPConn).SetReadBuffer(4096)
	}
	for range 3 {
		answersAtOnce(t, address, "/api/has", `{"pattern":"3"}`, `"reachable":true`)
		answersAtOnce(t, address, "/api/hint", `{}`, `xxx`)
		if n := s.Unread(); n > web.MaxUnread {
			t.Errorf("%d bytes of answers wait", n)
		}
	}
}

// Answers are compressed for clients that know how to read them.
func TestCompressed(t *testing.T) {
	s := newServer(t, "peg/4x4@0,1", layers.SetStore)
	for path, want := range map[string]bool{"/": true, "/main.js": true, "/api/space": true, "/api/layers": false /* short */, "/api/picture.svg?pattern=oooo............": true,
		"/api/picture.gif?size=8&speed=100&pattern=oooo............": false} {
		plain := send(s, path, "")
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Host = "localhost"
		r.Header.Set("Accept-Encoding", "gzip")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != want || w.Header().Get("Content-Length") != fmt.Sprint(w.Body.Len()) {
			t.Errorf("%s: compressed %t, want %t; %v, %d bytes", path, got, want, w.Header(), w.Body.Len())
			continue
		}
		checkHeaders(t, w)
		data := w.Body.Bytes()
		if want {
			z, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if data, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
			if 2*w.Body.Len() > len(data) {
				t.Errorf("%s: %d of %d bytes", path, w.Body.Len(), len(data))
			}
		}
		if !bytes.Equal(data, plain.Body.Bytes()) || plain.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s is not the same when it is compressed", path)
		}
	}
}

// The names of a server that listens at an address.
func TestHosts(t *testing.T) {
	families := builtin.Families()
	f := makeFile(t, families, "peg/4x4@0,1", layers.SetStore)
	lan := &net.TCPAddr{IP: net.IPv4(192, 168, 1, 7), Port: 8377}
	for _, c := range []struct {
		at       net.IP
		more     []string
		yes, not string
	}{
		{net.IPv4(127, 0, 0, 1), nil, "localhost 127.0.0.1:8377 [::1]:1", "192.168.1.7 evil.example puzzles.example"},
		{net.IPv4(127, 0, 0, 1), []string{"Puzzles.Example"}, "localhost puzzles.example:80 PUZZLES.example.", "192.168.1.7 evil.example a.puzzles.example"},
		{net.IPv4zero, nil, "localhost 192.168.1.7:8377 [::ffff:192.168.1.7]", "0.0.0.0 192.168.1.8 evil.example 192.168.1.7.evil.example"},
		{lan.IP, []string{"10.0.0.1", "[fd00::1]"}, "192.168.1.7 10.0.0.1:8377 [fd00::1]:1 [FD00:0::1]", "192.168.1.8 evil.example [fd00::2]"},
	} {
		hosts, err := web.NewHosts(&net.TCPAddr{IP: c.at, Port: 8377}, c.more)
		if err != nil {
			t.Fatal(err)
		}
		if c.at.Equal(net.IPv4zero) != slices.ContainsFunc(hosts.Names, func(name string) bool { return strings.HasSuffix(name, ".local") }) && !c.at.Equal(lan.IP) {
			t.Errorf("at %v it has the names %v", c.at, hosts.Names)
		}
		s := openServer(t, f, families, web.Options{Hosts: hosts})
		for want, names := range map[int]string{200: c.yes, 421: c.not} {
			for _, host := range append(strings.Fields(names), hosts.Names...) {
				if slices.Contains(hosts.Names, host) {
					want = 200
				}
				r := httptest.NewRequest("GET", "/api/space", nil)
				r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, lan))
				r.Host = host
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				var answer struct{ Error string }
				json.Unmarshal(w.Body.Bytes(), &answer)
				if w.Code != want || want == 421 && !strings.Contains(answer.Error, "start query serve with --host") {
					t.Errorf("at %v and %v: host %q gets %d %s, want %d", c.at, c.more, host, w.Code, answer.Error, want)
				}
			}
		}
	}
	hosts, err := web.NewHosts(lan, []string{"puzzles.example"})
	if text := hosts.Exposure(lan); err != nil || !strings.HasPrefix(text, "everybody who reaches 192.168.1.7:8377 can see the page and all that the file holds") || !strings.Contains(text, "puzzles.example") {
		t.Errorf("it says: %s, %v", text, err)
	}
	if text := hosts.Exposure(&net.TCPAddr{IP: net.IPv4zero, Port: 80}); !strings.Contains(text, "port 80 of this machine") {
		t.Errorf("it says: %s", text)
	}
	for _, name := range []string{"", "a b", "http://a", "a:80", "*"} {
		if _, err := web.NewHosts(lan, []string{name}); err == nil || !strings.Contains(err.Error(), "expected the name of a host") {
			t.Errorf("--host %q: %v", name, err)
		}
	}
}
