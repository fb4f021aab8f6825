package sorted

import "math/bits"

// Less reports whether code a is below code b, which has as many words.
func Less(a, b []uint64) bool {
	for i, x := range a {
		if x != b[i] {
			return x < b[i]
		}
	}
	return false
}

// Search returns the index in codes, which are sorted and lie one after another, of the first
// that is not below a code.
func Search(codes, code []uint64) int {
	w := len(code)
	low, high := 0, len(codes)/w
	for low < high {
		mid := (low + high) / 2
		if Less(codes[mid*w:(mid+1)*w], code) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low * w
}

// Distinct sorts codes of words words in place, and returns them without duplicates.
func Distinct(codes []uint64, words int) []uint64 {
	Sort(codes, words)
	return once(codes, words)
}

// DistinctWith is Distinct for codes of one word, with as much room beside them. If a bit for each number that they can be
// fits there, it takes a fifth of the time.
func DistinctWith(codes, room []uint64) []uint64 {
	differ := differing(codes)
	words := uint64(1) << bits.Len64(differ>>6)
	if len(codes) == 0 || words > uint64(len(codes)) || len(room) < len(codes) {
		SortWith(codes, room)
		return once(codes, 1)
	}
	mask := words<<6 - 1
	first, set := codes[0]&^mask, room[:words]
	clear(set)
	for _, x := range codes {
		set[x&mask>>6] |= 1 << (x & 63)
	}
	n := 0
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			codes[n] = first | uint64(i)<<6 | uint64(bits.TrailingZeros64(word))
			n++
		}
	}
	return codes[:n]
}

// differing returns the bits in which codes of one word differ.
func differing(codes []uint64) (differ uint64) {
	for _, x := range codes {
		differ |= x ^ codes[0]
	}
	return differ
}

// once returns sorted codes without duplicates.
func once(codes []uint64, words int) []uint64 {
	n := 0
	if words == 1 {
		for i, x := range codes {
			if codes[n] = x; i+1 == len(codes) || codes[i+1] != x {
				n++
			}
		}
		return codes[:n]
	}
	for at := 0; at < len(codes); at += words {
		code := codes[at : at+words]
		if n == 0 || Less(codes[n-words:n], code) {
			n += copy(codes[n:], code)
		}
	}
	return codes[:n]
}

// SortWith is Sort for codes of one word, with as much room beside them. It takes a third of the time: what fits into the
// cache is sorted from the lowest bits on, where all passes are sequential, and more is first parted by the highest bits.
func SortWith(codes, room []uint64) {
	const few, many, mostBits, partBits = 1 << 8, 1 << 16, 11, 8
	if len(codes) < few || len(room) < len(codes) {
		Sort(codes, 1)
		return
	}
	differing := bits.Len64(differing(codes))
	var places [1 << mostBits]uint32
	// move moves codes to where those with the same digit lie, in order.
	move := func(to, from []uint64, shift, digit int) {
		mask := uint64(1)<<digit - 1
		places := places[:mask+1]
		clear(places)
		for _, x := range from {
			places[x>>(shift&63)&mask]++
		}
		sum := uint32(0)
		for i, n := range places {
			places[i], sum = sum, sum+n
		}
		for _, x := range from {
			place := &places[x>>(shift&63)&mask]
			to[*place] = x
			*place++
		}
	}
	from, to := codes, room[:len(codes)]
	if len(codes) > many && len(codes) < 1<<32 && differing > partBits {
		move(to, from, differing-partBits, partBits)
		first := 0
		for _, end := range places[:1<<partBits] {
			SortWith(to[first:end], codes[first:end])
			first = int(end)
		}
		copy(codes, to)
		return
	}
	passes := max(1, (differing+mostBits-1)/mostBits)
	digit := (differing + passes - 1) / passes
	for shift := 0; shift < differing; shift += digit {
		move(to, from, shift, digit)
		from, to = to, from
	}
	copy(codes, from)
}

// Sort sorts codes of words words in place: a radix sort from the highest bits on (McIlroy,
// Bostic and McIlroy, Engineering radix sort, 1993), in which bits that all codes share cost
// next to nothing.
func Sort(codes []uint64, words int) { sortFrom(codes, words, 0) }

// sortFrom sorts codes that have the words before one in common.
func sortFrom(codes []uint64, words, word int) {
	const (
		few      = 32
		mostBits = 8
	)
	for len(codes) > few*words {
		differ := uint64(0)
		for at := word; at < len(codes); at += words {
			differ |= codes[at] ^ codes[word]
		}
		if differ == 0 {
			if word++; word == words {
				return
			}
			continue
		}
		digit := min(mostBits, bits.Len(uint(len(codes)/words))-3) // some codes in each bucket
		shift := max(digit, bits.Len64(differ)) - digit
		mask := uint64(1)<<digit - 1
		var next, ends [1 << mostBits]int
		for at := word; at < len(codes); at += words {
			ends[codes[at]>>shift&mask]++
		}
		sum := 0
		for b, n := range ends[:mask+1] {
			next[b] = sum
			sum += n * words
			ends[b] = sum
		}
		for b := range next[:mask+1] {
			for next[b] < ends[b] {
				chase(codes, words, word, uint64(b), shift, mask, &next)
			}
		}
		first := 0
		for _, end := range ends[:mask+1] {
			if end-first > words {
				if shift > 0 {
					sortFrom(codes[first:end], words, word)
				} else if word+1 < words {
					sortFrom(codes[first:end], words, word+1)
				}
			}
			first = end
		}
		return
	}
	if words == 1 {
		for i, x := range codes {
			for ; i > 0 && codes[i-1] > x; i-- {
				codes[i] = codes[i-1]
			}
			codes[i] = x
		}
		return
	}
	for end := words; end < len(codes); end += words {
		for at := end; at > 0 && Less(codes[at:at+words], codes[at-words:at]); at -= words {
			swap(codes, at, at-words, words)
		}
	}
}

// chase puts the next code of bucket b to its place, and each code that it displaces, until
// one belongs to bucket b.
func chase(codes []uint64, words, word int, b uint64, shift int, mask uint64, next *[256]int) {
	at := next[b]
	if words == 1 {
		for x := codes[at]; ; {
			to := x >> (shift & 63) & mask
			place := next[to&255]
			next[to&255] = place + 1
			if to == b {
				codes[at] = x
				return
			}
			x, codes[place] = codes[place], x
		}
	}
	for {
		to := codes[at+word] >> shift & mask
		place := next[to]
		next[to] = place + words
		if to == b {
			return
		}
		swap(codes, at, place, words)
	}
}

func swap(codes []uint64, a, b, words int) {
	for i := range words {
		codes[a+i], codes[b+i] = codes[b+i], codes[a+i]
	}
}
