package builtin_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pagoda/ask"
	"pagoda/cli"
	"pagoda/internal/console"
	"pagoda/internal/failpoint"
	"pagoda/internal/mapped"
	"pagoda/web/api"
)

// A victim is a small file with the questions that the test asks about it.
type victim struct {
	path      string
	run       string // what makes the file
	good      []byte
	sections  []span
	lists     []span // those in sections that are sorted lists
	questions []question
}

// A span is a part of a file.
type span struct{ first, length uint64 }

// A question is put to a file, in a directory for what it writes. It returns an exit code.
type question struct {
	text string
	put  func(ctx context.Context, p *cli.Program, dir, file string) (code int, errs string)
}

// command makes a question of a command, with FILE for the file and OUT for one to write.
func command(text string) question {
	return question{text, func(_ context.Context, p *cli.Program, dir, file string) (int, string) {
		out := filepath.Join(dir, "out.csv")
		os.Remove(out)
		words := strings.Fields(text)
		for i, w := range words {
			words[i] = strings.NewReplacer("FILE", file, "OUT", out).Replace(w)
		}
		root := p.Query()
		if words[0] == "reach" {
			root = p.Reach()
		}
		var answer, errs bytes.Buffer
		code := console.Main(root, words[1:], strings.NewReader(""), &answer, &errs)
		return code, errs.String()
	}}
}

// page makes a question of requests of the page, between which the file may change, too.
func page(pattern, target string) question {
	return question{"the page", func(ctx context.Context, p *cli.Program, _, file string) (int, string) {
		f, err := ask.Open(ctx, file, p.Families.Define, 0)
		if err != nil {
			return console.Damaged, err.Error()
		}
		defer mapped.Lost()
		defer f.Close()
		var a *api.API
		if err := mapped.Guard(func() (err error) { a, err = api.New(f, p.Families, api.Options{Pictures: api.Pictures}); return err }); err != nil {
			return console.Damaged, err.Error()
		}
		defer a.Close()
		body := func(v any) []byte {
			b, _ := json.Marshal(v)
			return b
		}
		about := body(map[string]string{"pattern": pattern})
		last := console.Yes
		for _, r := range []api.Request{
			{Method: "GET", Path: "/api/space"},
			{Method: "GET", Path: "/api/layers"},
			{Method: "POST", Path: "/api/has", Body: about},
			{Method: "POST", Path: "/api/hint", Body: body(map[string]string{"pattern": pattern, "target": target})},
			{Method: "POST", Path: "/api/near", Body: body(map[string][]string{"patterns": {pattern}})},
			{Method: "POST", Path: "/api/path", Body: about},
			{Method: "GET", Path: "/api/picture.svg", Query: "pattern=" + pattern},
			{Method: "POST", Path: "/api/hint", Body: body(map[string]string{"pattern": pattern, "target": ""})},
		} {
			failpoint.Checked(file)
			reply := a.Answer(ctx, &r)
			if last = console.Yes; reply.Status >= 500 {
				last = console.Damaged
			}
		}
		return last, ""
	}}
}

// victims are small files of all stores and families.
func victims() (all []*victim) {
	add := func(run string, questions ...question) {
		for _, text := range []string{
			"query list FILE --json --limit 20", "query list FILE --sort=-branching --limit 5", "query list FILE --where branching>1 --limit 5 --show branching,orbit",
			"query count FILE --where branching>1", "query export FILE -o OUT", "query sample FILE -n 5 --seed 1", "query layers FILE --up-to-symmetry", "query layers FILE",
			"query nth FILE 3", "query ways FILE", "reach check FILE", "reach info FILE", "reach verify FILE", "reach convert FILE -o OUT", "reach graph FILE -o OUT --format csv"} {
			questions = append(questions, command(text))
		}
		all = append(all, &victim{run: run, questions: questions})
	}
	about := func(pattern, target string, more ...string) (questions []question) {
		for _, text := range append([]string{"query has FILE PATTERN", "query rank FILE PATTERN", "query near FILE PATTERN --limit 5", "query path FILE PATTERN",
			"query path FILE PATTERN --all --limit 3", "query path FILE PATTERN --random", "query render FILE PATTERN --format svg -o OUT", "query list FILE PATTERN"}, more...) {
			questions = append(questions, command(strings.ReplaceAll(text, "PATTERN", pattern)))
		}
		return append(questions, page(pattern, target))
	}
	for _, how := range []string{"--store set", "--store folded", "--store backptr", "--store backptr --numbering raw", "--store roaring", "--store trie", "--store packed",
		"--store packed-trie", "--engine sparse"} {
		add("peg/4x4 "+how, about(".o../.oo./o.../....", "o.../..../..../....", "query solve FILE", "query count FILE o?.?/????/????/????", "query path FILE PATTERN --fewest-moves")...)
	}
	for _, how := range []string{"--store mod3", "--store distance", "--store packed-mod3", "--store packed-distance", "--store backptr", "--store set", "--engine sparse"} {
		add("slide/hardest-3x4 "+how, about(".ABC/EEDF/HHHG", "", "query path FILE --goal", "query path FILE --goal --all --limit 2", "query render FILE --solution --goal --format svg -o OUT")...)
	}
	add("slide/cluttered-bag", about("Arr.BBB/.r55vvB/.55nuvu/ccnnuuu/cttt.../cct....", "", "query path FILE --goal")...)
	for _, how := range []string{"--store distance", "--engine sparse", "--store packed-distance"} {
		add("lunar/3x3:1-2 "+how, about("12./.+./..X", "", "query list FILE --sort=-moves,-steps --show moves,steps,solutions", "query configurations FILE --list", "query places FILE 12./.+./...")...)
	}
	add("2048/2x2", about("2,4/.,2", "", "query value FILE PATTERN", "query path FILE --seed 7", "query list FILE --where score>10", "query list FILE --sort=-score --limit 5")...)
	add("2048/2x2 --engine sparse", about("2,4/.,2", "")...)
	add("threes/2x2", about("3,1/.,.@1112222333", "", "query value FILE PATTERN", "query path FILE --seed 7", "query list FILE --where score>10")...)
	return all
}

// make makes the file in a directory, and finds its parts: docs/reference/format.md.
func (v *victim) make(t testing.TB, p *cli.Program, dir string) {
	t.Helper()
	v.path = filepath.Join(dir, strings.NewReplacer(" ", "-", "/", "-", ":", "-").Replace(v.run)+".reach")
	if code, errs := command("reach run "+v.run+" -o FILE --quiet").put(t.Context(), p, dir, v.path); code != 0 {
		t.Fatalf("%s: exit code %d, %s", v.run, code, errs)
	}
	var err error
	if v.good, err = os.ReadFile(v.path); err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	for i := range le.Uint32(v.good[12:]) {
		entry := v.good[64+32*i:]
		s := span{le.Uint64(entry[16:]), le.Uint64(entry[24:])}
		if s.length == 0 {
			continue
		}
		v.sections = append(v.sections, s)
		magic := []byte("pagoda sorted 1\n") // lists follow one another
		all := v.good[s.first : s.first+s.length]
		for at := uint64(0); at < s.length && bytes.HasPrefix(all[at:], magic); {
			n := s.length - at
			if next := bytes.Index(all[at+1:], magic); next >= 0 {
				n = uint64(next) + 1
			}
			v.lists = append(v.lists, span{s.first + at, n})
			at += n
		}
	}
}

// damage changes some bytes of a section.
func (v *victim) damage(rng *rand.Rand, data []byte) {
	s := v.sections[rng.IntN(len(v.sections))]
	at := s.first + rng.Uint64N(s.length)
	n := min(1+rng.Uint64N(16), s.first+s.length-at)
	switch rng.IntN(5) {
	case 0: // a bit
		data[at] ^= 1 << rng.IntN(8)
	case 1: // a word is great, small, or of any length
		binary.LittleEndian.PutUint64(data[at&^7:], []uint64{^uint64(0), 0, rng.Uint64() >> rng.IntN(64)}[rng.IntN(3)])
	case 2: // what stands elsewhere
		from := s.first + rng.Uint64N(s.length-n+1)
		copy(data[at:at+n], data[from:from+n])
	default:
		for i := range n {
			data[at+i] = byte(rng.Uint32())
		}
	}
}

// mend makes all checksums right: of lists within sections, of pieces, of checksums and of the header.
func (v *victim) mend(data []byte) {
	le := binary.LittleEndian
	crc := func(parts ...[]byte) (sum uint32) {
		for _, b := range parts {
			sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), b)
		}
		return sum
	}
	for _, s := range v.lists {
		list, good := data[s.first:s.first+s.length], v.good[s.first:s.first+s.length]
		foot := len(good) - 32
		words, index := int(le.Uint64(good[foot:])), int(le.Uint64(good[foot+16:]))
		for at := index; at < foot; at += 8 * (words + 1) {
			first, end := int(le.Uint64(good[at+8*words:])), index
			if next := at + 8*(words+1); next < foot {
				end = int(le.Uint64(good[next+8*words:]))
			}
			le.PutUint32(list[first:], crc(list[first+4:end]))
		}
		le.PutUint32(list[foot+24:], crc(list[index:foot], list[foot:foot+24]))
	}
	const header, piece = 4096, 65536
	sums := le.Uint64(data[24:])
	for first, at := uint64(header), sums; first < sums; first, at = first+piece, at+4 {
		le.PutUint32(data[at:], crc(data[first:min(first+piece, sums)]))
	}
	le.PutUint32(data[32:], crc(data[sums:]))
	le.PutUint32(data[header-4:], crc(data[:header-4]))
}

// A file that a stranger has made, with right checksums, and one that others write to or cut short while it is
// read, is an error at the worst: no question makes a panic, of any store and any family. The file changes
// behind its reader, between a check and the use of what was checked.
func FuzzDamage(f *testing.F) {
	if runtime.GOOS == "windows" {
		f.Skip("a mapped file cannot be cut short here")
	}
	const seeds = 60
	for i := range uint64(seeds) {
		f.Add(i)
	}
	p, dir, all := program(), f.TempDir(), victims()
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 2))
		v := all[seed%uint64(len(all))]
		if v.good == nil {
			v.make(t, p, dir)
		}
		q := v.questions[rng.IntN(len(v.questions))]
		bad := slices.Clone(v.good)
		for range 1 + rng.IntN(3) {
			v.damage(rng, bad)
		}
		if rng.IntN(3) == 0 {
			v.mend(bad)
			if err := os.WriteFile(v.path, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			q.put(t.Context(), p, dir, v.path)
			return
		}
		if err := os.WriteFile(v.path, v.good, 0o644); err != nil {
			t.Fatal(err)
		}
		at, short := 1+rng.IntN(1+rng.IntN(20)), rng.IntN(10) == 0
		checks, changed := 0, false
		defer failpoint.Change(func(path string) {
			if path != v.path {
				return
			}
			if checks++; checks != at {
				return
			}
			w, err := os.OpenFile(v.path, os.O_RDWR, 0)
			if err != nil {
				t.Error(err)
				return
			}
			defer w.Close()
			w.WriteAt(bad, 0)
			if short {
				w.Truncate(int64(len(bad) / 2))
			}
			os.Chtimes(v.path, time.Time{}, time.Unix(1, 0)) // clocks of file systems are coarse
			changed = true
		})()
		code, errs := q.put(t.Context(), p, dir, v.path)
		if changed && (code == console.Yes || code == console.No) {
			t.Errorf("%s: %s: exit code %d, and the file has changed at check %d: %s", v.run, q.text, code, at, errs)
		}
	})
}
