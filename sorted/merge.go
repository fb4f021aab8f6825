package sorted

// A Source returns codes in increasing order, some at a time, one after another in a slice. They
// are valid until the next call. At the end there are none. Cursor.Next is a Source.
type Source func() ([]uint64, error)

// Array returns a source of sorted codes.
func Array(codes []uint64) Source {
	return func() (all []uint64, err error) {
		all, codes = codes, nil
		return all, nil
	}
}

// A Merger merges sources. It is a heap of them by their next codes.
type Merger struct {
	words int
	heap  []top
	heads []head // by source
}

// A head is the codes of a source that are not merged yet.
type head struct {
	codes []uint64
	next  Source
}

// A top is the first word of the next code of a source. As it holds no pointer, the garbage collector does not see it move.
type top struct {
	first uint64
	from  int // which source
}

// NewMerger merges what sources have from the code first on, or everything if it is nil.
func NewMerger(words int, sources []Source, first []uint64) (*Merger, error) {
	m := &Merger{words: words, heads: make([]head, len(sources))}
	for i, next := range sources {
		for {
			codes, err := next()
			if err != nil {
				return nil, err
			}
			end := len(codes) == 0
			if first != nil {
				codes = codes[Search(codes, first):]
			}
			if len(codes) > 0 {
				m.heads[i] = head{codes, next}
				m.heap = append(m.heap, top{codes[0], i})
			}
			if end || len(codes) > 0 {
				break
			}
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m, nil
}

// down moves a source down to its place.
func (m *Merger) down(i int) {
	t := m.heap[i]
	for {
		child := 2*i + 1
		if child+1 < len(m.heap) && m.before(m.heap[child+1], m.heap[child]) {
			child++
		}
		if child >= len(m.heap) || !m.before(m.heap[child], t) {
			break
		}
		m.heap[i] = m.heap[child]
		i = child
	}
	m.heap[i] = t
}

func (m *Merger) before(a, b top) bool {
	if a.first != b.first || m.words == 1 {
		return a.first < b.first
	}
	return Less(m.heads[a.from].codes[:m.words], m.heads[b.from].codes[:m.words])
}

// Peek returns the next code and its source, or nil at the end.
func (m *Merger) Peek() (code []uint64, from int) {
	if len(m.heap) == 0 {
		return nil, 0
	}
	from = m.heap[0].from
	return m.heads[from].codes[:m.words], from
}

// Pop passes over the code that Peek returns, which is then no longer valid.
func (m *Merger) Pop() (err error) {
	h := &m.heads[m.heap[0].from]
	if h.codes = h.codes[m.words:]; len(h.codes) == 0 {
		if h.codes, err = h.next(); err != nil {
			return err
		}
	}
	if len(h.codes) > 0 {
		m.heap[0].first = h.codes[0]
	} else {
		last := len(m.heap) - 1
		m.heap[0], m.heap = m.heap[last], m.heap[:last]
	}
	if len(m.heap) > 1 {
		m.down(0)
	}
	return nil
}
