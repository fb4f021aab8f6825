package definition

import (
	"strconv"
	"strings"
)

const (
	blanks    = " \t\n\r"
	maxNested = 64 // brackets within each other
	maxDigits = 10 // of an amount
)

// isWord reports whether a sequence is a single word.
func isWord(sequence string) bool {
	sequence = strings.Trim(sequence, blanks)
	return sequence != "" && !strings.ContainsAny(sequence, blanks+"()[]:,")
}

// work returns what a word does.
func (b *builder) work(w *word) ([][]From, error) {
	if w.does != nil {
		return w.does, nil
	}
	if w.inWork {
		return nil, w.at.Errorf(0, "the sequence %s leads back to itself", w.name)
	}
	w.inWork = true
	s := &sequence{builder: b, in: w, rest: w.sequence}
	does, _, err := s.read("")
	w.does = does
	return does, err
}

// A sequence is read in the notation of cubing.js: words with an amount, such as R2', groups (R U)2, conjugates [R: U]
// and commutators [R, U].
type sequence struct {
	*builder
	in     *word
	rest   string
	nested int
}

func (s *sequence) errorf(format string, args ...any) error {
	return s.in.at.Errorf(0, "the sequence "+s.in.name+": "+format, args...)
}

// read reads up to one of the characters of ends, or to the end of the text if that is empty.
func (s *sequence) read(ends string) (does [][]From, end byte, err error) {
	if s.nested++; s.nested > maxNested {
		return nil, 0, s.errorf("expected at most %d brackets within each other", maxNested)
	}
	defer func() { s.nested-- }()
	does = s.still()
	for {
		if s.rest = strings.TrimLeft(s.rest, blanks); s.rest == "" {
			if ends != "" {
				return nil, 0, s.errorf("it ends within brackets: expected %s", strings.Join(strings.Split(ends, ""), " or "))
			}
			return does, 0, nil
		}
		c := s.rest[0]
		if s.rest = s.rest[1:]; strings.IndexByte(ends, c) >= 0 {
			return does, c, nil
		}
		var part [][]From
		switch c {
		case '(':
			part, _, err = s.read(")")
		case '[':
			part, err = s.brackets()
		case ')', ']', ':', ',':
			return nil, 0, s.errorf("found %c, expected a move", c)
		default:
			name := string(c) + s.rest
			if at := strings.IndexAny(name, blanks+"()[]:,"); at >= 0 {
				name = name[:at]
			}
			s.rest = s.rest[len(name)-1:]
			part, err = s.find(name)
		}
		if err == nil && (c == '(' || c == '[') {
			name := s.rest
			s.rest = strings.TrimLeft(s.rest, "0123456789")
			amount, back := name[:len(name)-len(s.rest)], false
			s.rest, back = strings.CutPrefix(s.rest, "'")
			part, err = s.amount(part, amount, back)
		}
		if err != nil {
			return nil, 0, err
		}
		does = s.then(does, part)
	}
}

// brackets reads a conjugate or a commutator behind its first bracket.
func (s *sequence) brackets() ([][]From, error) {
	a, sep, err := s.read(":,")
	if err != nil {
		return nil, err
	}
	b, _, err := s.read("]")
	if err != nil {
		return nil, err
	}
	part := s.then(s.then(a, b), s.inverse(a))
	if sep == ',' {
		part = s.then(part, s.inverse(b))
	}
	return part, nil
}

// find returns what a word does, perhaps with an amount.
func (s *sequence) find(name string) ([][]From, error) {
	base, back := name, false
	w := s.words[name]
	if w == nil {
		base, back = strings.CutSuffix(name, "'")
		w = s.words[base]
	}
	amount := ""
	for digits := 1; w == nil && digits <= maxDigits && digits < len(base); digits++ {
		bare := base[:len(base)-digits]
		if amount = base[len(bare):]; amount[0] < '0' || amount[0] > '9' {
			break
		}
		w = s.words[bare]
	}
	if w == nil {
		return nil, s.errorf("there is no move %.40s", name)
	}
	does, err := s.work(w)
	if err != nil {
		return nil, err
	}
	return s.amount(does, amount, back)
}

// amount returns a move some times, or once if the text is empty, and back if it is taken back.
func (s *sequence) amount(m [][]From, text string, back bool) ([][]From, error) {
	if text != "" {
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return nil, s.errorf("the amount %.40s is too large", text)
		}
		m = s.times(m, int(n))
	}
	if back {
		m = s.inverse(m)
	}
	return m, nil
}

// then returns one move after another.
func (p *Puzzle) then(a, b [][]From) [][]From {
	both := make([][]From, len(p.Sets))
	for i, s := range p.Sets {
		both[i] = make([]From, s.Places)
		for to, f := range b[i] {
			before := a[i][f.Place]
			both[i][to] = From{before.Place, (before.Turn + f.Turn) % s.Turns}
		}
	}
	return both
}

// still returns the move that leaves all in its place.
func (p *Puzzle) still() [][]From {
	m := make([][]From, len(p.Sets))
	for i, s := range p.Sets {
		m[i] = make([]From, s.Places)
		for to := range m[i] {
			m[i][to].Place = to
		}
	}
	return m
}

// inverse returns the move that takes a move back.
func (p *Puzzle) inverse(m [][]From) [][]From {
	back := p.still()
	for i, s := range p.Sets {
		for to, f := range m[i] {
			back[i][f.Place] = From{to, (s.Turns - f.Turn) % s.Turns}
		}
	}
	return back
}

// times returns a move n times.
func (p *Puzzle) times(m [][]From, n int) [][]From {
	all := p.still()
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			all = p.then(all, m)
		}
		m = p.then(m, m)
	}
	return all
}
