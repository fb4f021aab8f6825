package cmd

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"

	"pagoda/statespace"
	"pagoda/statespace/peg"
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

// write writes the file by what docs/format.md says.
func (f forgery) write(t *testing.T, path string) {
	t.Helper()
	space, err := json.Marshal(f.space)
	if err != nil {
		t.Fatal(err)
	}
	meta := fmt.Sprintf(`{"space":%s,"store":%q,"size":%d,"states":%d,"layer":"depth","layers":[{"layer":0,"states":%d}]%s}`,
		space, f.store, f.size, f.states, f.states, f.extra)
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

// tray is the definition of a sliding-block puzzle.
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
// its peak memory.
func peak(t *testing.T, space uint64, name string, args ...string) (code int, out string, bytes uint64) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -v %d; exec "$@"`, space>>10), "sh", filepath.Join(bin, name)}, args...)...)
	text, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text), uint64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) << 10
}

func TestZZ(t *testing.T) {
	dir := t.TempDir()
	sp, err := peg.Lookup("peg/6x7")
	if err != nil {
		t.Fatal(err)
	}
	for _, levels := range []int{18, 22, 24, 27} {
		path := filepath.Join(dir, fmt.Sprint("trie", levels))
		n := sp.Size()
		h := 0
		for 64<<h < n {
			h++
		}
		forgery{space: sp.Definition(), store: "packed-trie", size: n, states: 1 << 28, sections: []section{{"packed trie", packedTrie(t, n, 1<<28, h, levels)}}}.write(t, path)
		info, _ := os.Stat(path)
		code, out, rss := peak(t, 8<<30, "query", "has", path, sp.Format(sp.Roots()[0]))
		fmt.Println(levels, info.Size(), code, strings.TrimSpace(out), rss>>20, "MiB")
		code, out, rss = peak(t, 8<<30, "query", "has", path, "--mem", "64MiB", sp.Format(sp.Roots()[0]))
		fmt.Println(levels, info.Size(), code, strings.TrimSpace(out), rss>>20, "MiB")
	}
}
