package definition

import (
	"strconv"
	"strings"

	"pagoda/internal/lazy"
)

const (
	blanks = " \t\n\r"
	ends   = blanks + "()[]:,"
	// maxNested is how many brackets may be within each other.
	maxNested = 64
	// maxWork is how many places all sequences of a text may move pieces to, so that a short text takes no minutes.
	maxWork = 1 << 23
)

// amounts matches how often a move is made, and whether back.
var amounts = lazy.Regexp(`^([0-9]{0,10})('?)$`)

// isWord reports whether a sequence is a single word.
func isWord(sequence string) bool {
	sequence = strings.Trim(sequence, blanks)
	return sequence != "" && !strings.ContainsAny(sequence, ends)
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
	s := &sequence{builder: b, of: w, rest: w.sequence}
	does, _, err := s.read("")
	w.does = does
	return does, err
}

// A sequence is read in the notation of cubing.js: words with an amount, such as R2', groups (R U)2, conjugates [R: U]
// and commutators [R, U].
type sequence struct {
	*builder
	of     *word
	rest   string
	nested int
}

func (s *sequence) errorf(format string, args ...any) error {
	return s.of.at.Errorf(0, "the sequence "+s.of.name+": "+format, args...)
}

// read reads up to one of some characters, or to the end of the text if there are none. It returns that character.
func (s *sequence) read(stops string) (does [][]From, stop byte, err error) {
	if s.nested++; s.nested > maxNested {
		return nil, 0, s.errorf("expected at most %d brackets within each other", maxNested)
	}
	defer func() { s.nested-- }()
	does = s.still()
	for {
		if s.rest = strings.TrimLeft(s.rest, blanks); s.rest == "" {
			if stops != "" {
				return nil, 0, s.errorf("it ends within brackets: expected %s", strings.Join(strings.Split(stops, ""), " or "))
			}
			return does, 0, nil
		}
		c := s.rest[0]
		var part [][]From
		switch {
		case strings.IndexByte(stops, c) >= 0:
			s.rest = s.rest[1:]
			return does, c, nil
		case c == '(' || c == '[':
			part, err = s.brackets()
		case strings.IndexByte(ends, c) >= 0:
			return nil, 0, s.errorf("found %c, expected a move", c)
		default:
			part, err = s.find(s.cut())
		}
		if err != nil {
			return nil, 0, err
		}
		does = s.then(does, part)
		if s.worked += s.places; s.worked > maxWork {
			return nil, 0, s.errorf("the sequences make more moves than is supported: %d with their amounts, of %d places", s.worked/s.places, s.places)
		}
	}
}

// cut cuts off what stands before a blank or a bracket.
func (s *sequence) cut() string {
	at := strings.IndexAny(s.rest, ends)
	if at < 0 {
		at = len(s.rest)
	}
	text := s.rest[:at]
	s.rest = s.rest[at:]
	return text
}

// brackets reads a group, a conjugate or a commutator, with its amount.
func (s *sequence) brackets() ([][]From, error) {
	stops := ")"
	if s.rest[0] == '[' {
		stops = ":,"
	}
	s.rest = s.rest[1:]
	part, stop, err := s.read(stops)
	if err == nil && stop != ')' {
		a := part
		if part, _, err = s.read("]"); err == nil {
			b := part
			part = s.then(s.then(a, b), s.inverse(a))
			if stop == ',' {
				part = s.then(part, s.inverse(b))
			}
		}
	}
	if err != nil {
		return nil, err
	}
	amount := s.cut()
	if !amounts().MatchString(amount) {
		return nil, s.errorf("found %.40q behind a bracket, expected an amount such as 2'", amount)
	}
	return s.times(part, amount)
}

// find returns what a word does, perhaps with an amount.
func (s *sequence) find(name string) ([][]From, error) {
	for at := len(name); at > 0 && amounts().MatchString(name[at:]); at-- {
		if w := s.words[name[:at]]; w != nil {
			does, err := s.work(w)
			if err != nil {
				return nil, err
			}
			return s.times(does, name[at:])
		}
	}
	return nil, s.errorf("there is no move %.40s", name)
}

// times returns a move as often as an amount says.
func (s *sequence) times(m [][]From, amount string) ([][]From, error) {
	parts := amounts().FindStringSubmatch(amount)
	if parts[2] != "" {
		m = s.inverse(m)
	}
	if parts[1] == "" {
		return m, nil
	}
	n, err := strconv.ParseUint(parts[1], 10, 31)
	if err != nil {
		return nil, s.errorf("the amount %s is too large", parts[1])
	}
	all := s.still()
	for ; n > 0; n >>= 1 {
		s.worked += s.places
		if n&1 != 0 {
			all = s.then(all, m)
		}
		m = s.then(m, m)
	}
	return all, nil
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
