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
	heap  []head
}

// A head is the codes of a source that are not merged yet.
type head struct {
	codes []uint64
	from  int // which source
	next  Source
}

// NewMerger merges what sources have from the code first on, or everything if it is nil.
func NewMerger(words int, sources []Source, first []uint64) (*Merger, error) {
	m := &Merger{words: words}
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
				m.heap = append(m.heap, head{codes, i, next})
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

// down moves a head down to its place.
func (m *Merger) down(i int) {
	h := m.heap[i]
	for {
		child := 2*i + 1
		if child+1 < len(m.heap) && m.before(&m.heap[child+1], &m.heap[child]) {
			child++
		}
		if child >= len(m.heap) || !m.before(&m.heap[child], &h) {
			break
		}
		m.heap[i] = m.heap[child]
		i = child
	}
	m.heap[i] = h
}

func (m *Merger) before(a, b *head) bool {
	if a.codes[0] != b.codes[0] {
		return a.codes[0] < b.codes[0]
	}
	return Less(a.codes[1:m.words], b.codes[1:m.words])
}

// Peek returns the next code and its source, or nil at the end.
func (m *Merger) Peek() (code []uint64, from int) {
	if len(m.heap) == 0 {
		return nil, 0
	}
	return m.heap[0].codes[:m.words], m.heap[0].from
}

// Pop passes over the code that Peek returns, which is then no longer valid.
func (m *Merger) Pop() (err error) {
	top := &m.heap[0]
	if top.codes = top.codes[m.words:]; len(top.codes) == 0 {
		if top.codes, err = top.next(); err != nil {
			return err
		}
		if last := len(m.heap) - 1; len(top.codes) == 0 {
			*top = m.heap[last]
			m.heap = m.heap[:last]
		}
	}
	if len(m.heap) > 1 {
		m.down(0)
	}
	return nil
}
