package cmd

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"pagoda/internal/long"
	"pagoda/puzzle/peg"
	"pagoda/statespace"
)

// A forgery is a file of states that claims more than it holds, with right checksums.
type forgery struct {
	space        statespace.Definition
	store        string
	size, states uint64
	extra        string // more fields of the metadata
	sections     []section
}

type section struct {
	name string
	data []byte
}

// write writes the file by what docs/reference/format.md says.
func (f forgery) write(t *testing.T, path string) {
	t.Helper()
	space, err := json.Marshal(f.space)
	if err != nil {
		t.Fatal(err)
	}
	layer := map[string]string{"peg": "pegs", "slide": "depth"}[f.space.Family]
	meta := fmt.Sprintf(`{"space":%s,"store":%q,"size":%d,"states":%d,"layer":%q,"layers":[{"layer":0,"states":%d}]%s}`,
		space, f.store, f.size, f.states, layer, f.states, f.extra)
	data := make([]byte, fileHeader)
	copy(data, "PAGODA\x1a\n")
	le := binary.LittleEndian
	le.PutUint32(data[8:], 1)
	le.PutUint32(data[12:], uint32(len(f.sections)+1))
	for i, s := range append(f.sections, section{"meta", []byte(meta)}) {
		entry := data[64+32*i:]
		copy(entry[:16], s.name)
		le.PutUint64(entry[16:], uint64(len(data)))
		le.PutUint64(entry[24:], uint64(len(s.data)))
		data = append(data, s.data...)
		data = append(data, make([]byte, -len(data)&(fileHeader-1))...)
	}
	sums := len(data)
	pieces := (sums - fileHeader + 65535) / 65536
	data = append(data, make([]byte, (4*pieces+fileHeader-1)&^(fileHeader-1))...)
	le.PutUint64(data[16:], uint64(len(data)))
	le.PutUint64(data[24:], uint64(sums))
	mend(data)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// trayOf is the definition of a sliding-block puzzle.
func trayOf(t *testing.T, text string) statespace.Definition {
	t.Helper()
	puzzle, err := json.Marshal(map[string]string{"text": text, "metric": "moves"})
	if err != nil {
		t.Fatal(err)
	}
	return statespace.Definition{Family: "slide", Name: "forged", Puzzle: puzzle, Numbering: []byte(`{"packing":1}`)}
}

// compress makes a frame.
func compress(t *testing.T, data []byte) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return e.EncodeAll(data, nil)
}

// packedTrie is a packed trie with 2^levels leaves, and as many nodes above them. Leaves and nodes are
// alike, so each chunk takes few bytes.
func packedTrie(t *testing.T, size, states uint64, height, levels int) []byte {
	const chunk = 1 << 16
	counts := make([]uint64, height+1) // of leaves, and of nodes by level
	for k := range counts {
		counts[k] = 1
		if k < levels {
			counts[k] = 1 << (levels - k)
		}
	}
	var head []byte
	for _, word := range []uint64{size, states, 2} {
		head = binary.LittleEndian.AppendUint64(head, word)
	}
	order := make([]byte, 64)
	for bit := range 6 + height {
		order[bit] = byte(bit)
	}
	head = append(head, order...)
	for _, n := range counts {
		head = binary.LittleEndian.AppendUint64(head, n)
	}
	out := bytes.NewBufferString("pagoda trie 1\n")
	add := func(frame []byte) {
		out.Write(binary.AppendUvarint(nil, uint64(len(frame))))
		out.Write(frame)
	}
	add(compress(t, head))
	frames := make(map[string][]byte)
	for k, n := range counts {
		for ; n > 0; n -= min(n, chunk) {
			each := min(n, chunk)
			name := fmt.Sprint(k == 0, k > levels, each)
			if frames[name] == nil {
				content := make([]byte, 2*each) // kind 0: the next node
				if k == 0 {
					content = bytes.Repeat([]byte{1}, int(8*each))
				} else if k > levels {
					content[1] = 1 // nothing for a bit 1
				}
				frames[name] = compress(t, content)
			}
			add(frames[name])
		}
	}
	return out.Bytes()
}

// peak runs a command in an address space of some bytes, and returns its exit code, what it says and
// its peak memory. A process inherits the peak of the one that starts it, so a new process of this
// test, which is small, starts the command: see measured.
func peak(t *testing.T, space uint64, name string, args ...string) (code int, out string, bytes uint64) {
	t.Helper()
	return peakWith(t, nil, space, name, args...)
}

// peakWith is peak of a command that reads something on stdin.
func peakWith(t *testing.T, stdin io.Reader, space uint64, name string, args ...string) (code int, out string, bytes uint64) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -v %d; exec "$@"`, space>>10), "sh", filepath.Join(bin, name)}, args...)...)
	cmd.Path, cmd.Args = os.Args[0], append([]string{os.Args[0]}, cmd.Args...)
	cmd.Stdin = stdin
	report := filepath.Join(t.TempDir(), "peak")
	cmd.Env = append(os.Environ(), measuredReport+"="+report)
	text, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	kib, err := os.ReadFile(report)
	if err == nil {
		bytes, err = strconv.ParseUint(string(kib), 10, 64)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return cmd.ProcessState.ExitCode(), string(text), bytes << 10
}

// measuredReport names the file for the peak memory of a command that measured runs.
const measuredReport = "PAGODA_TEST_PEAK"

func init() {
	if report := os.Getenv(measuredReport); report != "" {
		os.Exit(measured(report, os.Args[1], os.Args[2:]...))
	}
}

// measured runs a command, writes its peak memory in KiB into a file, and returns its exit code.
func measured(report, name string, args ...string) int {
	cmd := exec.Command(name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, measuredReport+"=") })
	err := cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	kib := fmt.Sprint(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if err := os.WriteFile(report, []byte(kib), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	return cmd.ProcessState.ExitCode()
}

// Small files that claim much, and the commands that believe them. No command takes more memory than
// --mem or, without that, than a file of its size may, with 64 MiB for the program itself; nor more
// address space than 3 GiB, which a Go program reserves a part of.
func TestHostileFiles(t *testing.T) {
	const (
		mib     = 1 << 20
		program = 64 * mib
		vast    = "tray:\nACEGIK....\nACEGIK....\nBDFHJL....\nBDFHJL....\n..........\n..........\n"
		vastN   = 8306121740
		// The numbering of this tray has two million nodes.
		nodes  = "tray:\nEEEEKK\n.CCFKK\nHHFFAB\nHHII.B\n.HIIJJ\nGGI.DJ\n.L..DJ\ndistinct: *\n"
		nodesN = 27904008960
	)
	board, err := peg.Lookup("peg/6x7")
	if err != nil {
		t.Fatal(err)
	}
	height := bits.Len64(board.Size()/64 - 1)
	// Goals at any place of a tray with few cells and long rows.
	far := "tray:\nA" + strings.Repeat(" ", 254) + ".\n" + strings.Repeat("#\n", 250) + ".\n" + strings.Repeat("anywhere:\nA\n", 2500)
	empty := []section{{"bitmaps", nil}, {"index", nil}}
	trie := func(levels int) forgery {
		return forgery{space: board.Definition(), store: "packed-trie", size: board.Size(), states: 1 << 30,
			sections: []section{{"packed trie", packedTrie(t, board.Size(), 1<<30, height, levels)}}}
	}
	for name, c := range map[string]struct {
		file     forgery
		commands []string // FILE and START stand for the file and the start of the space
		start    string
		memory   string // for --mem, or ""
		most     uint64
		code     int
		says     string
		long     bool
	}{
		"a trie of 4 GiB": {file: trie(28), commands: []string{"query has FILE START", "query count FILE START"}, start: board.Format(board.Roots()[0]),
			most: 32 * mib, code: 2, says: "for its unpacked trie, with the numbers of members; the limit is 1.2 GiB: raise it; --mem sets the limit", long: true},
		"a trie of 64 MiB": {file: trie(22), commands: []string{"query has FILE START"}, start: board.Format(board.Roots()[0]),
			memory: "130MiB", most: 130 * mib, code: 1, says: "no", long: true},
		"a trie of 128 MiB": {file: trie(23), commands: []string{"query has FILE START"}, start: board.Format(board.Roots()[0]),
			memory: "130MiB", most: 32 * mib, code: 2, says: "--mem sets the limit"},
		"a tray of many nodes": {file: forgery{space: trayOf(t, nodes), store: "roaring", size: nodesN, states: 1, sections: empty},
			commands: []string{"query has FILE START", "reach check FILE"}, start: "EEEEKK/.CCFKK/HHFFAB/HHII.B/.HIIJJ/GGI.DJ/.L..DJ",
			memory: "100MiB", most: 100 * mib, code: 2, says: "nodes of the numbering the 104857600 bytes that are allowed are full; --mem sets the limit", long: true},
		"what a tray of many nodes says": {file: forgery{space: trayOf(t, nodes), store: "roaring", size: nodesN, states: 1, sections: empty},
			commands: []string{"reach info FILE"}, most: 0, code: 0, says: "27,904,008,960 numbers"},
		"goals everywhere": {file: forgery{space: trayOf(t, far), store: "roaring", size: 1, states: 1, sections: empty},
			commands: []string{"reach info FILE", "query layers FILE"}, most: 32 * mib, code: 0, says: "forged"},
		"a set of a gigabyte": {file: forgery{space: trayOf(t, vast), store: "roaring", size: vastN, states: 1, sections: empty},
			commands: []string{"query path FILE START", "reach verify FILE", "reach convert FILE --store trie -o FILE2"},
			start:    "ACEGIK..../ACEGIK..../BDFHJL..../BDFHJL..../........../..........", most: 64 * mib, code: 2, says: "the limit is 1.0 GiB: raise it"},
		"distances of two gigabytes": {file: forgery{space: trayOf(t, vast), store: "packed-mod3", size: vastN, states: 1,
			sections: []section{{"frames", nil}, {"offsets", make([]byte, 8*(vastN>>19+2))}}},
			commands: []string{"query has FILE START", "query list FILE", "query path FILE START"},
			start:    "ACEGIK..../ACEGIK..../BDFHJL..../BDFHJL..../........../..........", most: 64 * mib, code: 2, says: "for its unpacked distances; the limit is 1.1 GiB: raise it", long: true},
	} {
		if c.long && !long.Tests {
			continue
		}
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.reach")
			c.file.write(t, path)
			if info, err := os.Stat(path); err != nil || info.Size() > 512<<10 {
				t.Fatalf("the file should be small: %v, %v", info, err)
			}
			for _, command := range c.commands {
				args := strings.Fields(strings.NewReplacer("FILE", path, "START", c.start).Replace(command))
				if c.memory != "" {
					args = append(args, "--mem", c.memory)
				}
				code, out, bytes := peak(t, 3<<30, args[0], args[1:]...)
				if code != c.code || !strings.Contains(out, c.says) || bytes > c.most+program {
					t.Errorf("%s: exit code %d, peak memory %d MiB, expected %d and at most %d MiB: %s", command, code, bytes>>20, c.code, (c.most+program)>>20, out)
				}
			}
		})
	}
}

// Texts without an end, and a small file that claims much.
func TestHostileInputs(t *testing.T) {
	dir := t.TempDir()
	box, network := filepath.Join(dir, "box.txt"), filepath.Join(dir, "network")
	if err := os.WriteFile(box, []byte("3 2\n0 0 0\n0 0 0\n-\n1\n1 1\n1\n-\n2 1\n1 1\n-\n0 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	// Each of four tuples has 2^24 weights: all as at first.
	le := binary.LittleEndian
	data := append(le.AppendUint32(le.AppendUint32([]byte("NTUPLE48"), 1), 8), "2048/4x4"...)
	data = append(data, make([]byte, 3*8+4)...)
	for _, cells := range []uint16{0x3f, 0x3f0, 0x77, 0x770} {
		data = le.AppendUint32(le.AppendUint32(le.AppendUint16(data, cells), 1<<24), 0)
	}
	if err := os.WriteFile(network, le.AppendUint32(data, crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))), 0o644); err != nil {
		t.Fatal(err)
	}
	much := func(line string) io.Reader {
		return strings.NewReader("BEGIN SOLUTION\n" + strings.Repeat(line, (32<<20)/len(line)))
	}
	for _, c := range []struct {
		stdin   io.Reader
		command string
		most    uint64
		code    int
		says    string
		long    bool
	}{
		{much("BEGIN SOLUTION\n"), "judge " + box + " --mem 64MiB", 64 << 20, 1, "the output has no solution", false},
		{much("\n"), "judge " + box + " --mem 64MiB", 64 << 20, 1, "the output has no solution", true},
		{nil, "play 2048 --player network --games 1 --mem 50MiB --network " + network, 50 << 20, 2, "the network for 2048/4x4 needs 256 MiB of memory; the limit is 50 MiB: raise it; --mem sets the limit", false},
		{nil, "train 2048 --games 1 --mem 300MiB -o " + network + ".new", 50 << 20, 2, "the network for 2048/4x4 needs 768 MiB of memory; the limit is 300 MiB: raise it; --mem sets the limit", false},
	} {
		if c.long && !long.Tests {
			continue
		}
		code, out, bytes := peakWith(t, c.stdin, 3<<30, "reach", strings.Fields(c.command)...)
		if code != c.code || !strings.Contains(out, c.says) || bytes > c.most {
			t.Errorf("%s: exit code %d, peak memory %d MiB, expected %d and at most %d MiB: %s", c.command, code, bytes>>20, c.code, c.most>>20, out)
		}
	}
}

// waitForWork waits until a process has worked for a tenth of a second, or has ended.
func waitForWork(pid int) {
	for begin := time.Now(); time.Since(begin) < 2*time.Minute; time.Sleep(5 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the third field on
		if err != nil || len(fields) < 12 || fields[0] == "Z" {
			return
		}
		if ticks, err := strconv.Atoi(fields[11]); err != nil || ticks >= 10 { // of user time, of 10 ms
			return
		}
	}
}

// Ctrl-C ends a command soon that numbers a large tray: one of a file, and one of a text.
func TestNumberingStops(t *testing.T) {
	// Many kinds of pieces make four million nodes and more of few placements.
	const text = "tray:\n.I...K\n.I..JK\nII.HJK\nG...JK\nGG.EBA\nGGEEBA\nEEEDDD\nFCC.DD\ndistinct: *\ngoal:\n......\n.....K\n.....K\n.....K\n.....K\n"
	dir := t.TempDir()
	file, puzzle := filepath.Join(dir, "a.reach"), filepath.Join(dir, "a.txt")
	forgery{space: trayOf(t, text), store: "roaring", size: 1 << 30, states: 1, sections: []section{{"bitmaps", nil}, {"index", nil}}}.write(t, file)
	if err := os.WriteFile(puzzle, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"query", "has", file, "--mem", "8GiB", "K"}, {"reach", "solve", puzzle, "--engine", "numbers"}, {"reach", "explain", puzzle}} {
		cmd := exec.Command(filepath.Join(bin, args[0]), args[1:]...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitForWork(cmd.Process.Pid)
		cmd.Process.Signal(os.Interrupt)
		begin := time.Now()
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%v: exit code %d: %s", args, code, &out)
		}
		if took := cmd.ProcessState.UserTime(); took > 3*time.Second {
			t.Errorf("%v: it took %v of work, and %v after the signal", args, took, time.Since(begin))
		}
	}
}
