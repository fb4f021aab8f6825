package chance

import "math"

// A Chance is a probability p, kept as p up to one half, and else as p-1, which is not positive: 1 is
// -0. So small chances and chances near 1 have as many digits.
type Chance float64

// Certain is the chance 1.
var Certain = Chance(math.Copysign(0, -1))

// P returns the chance, Q that of the opposite.
func (c Chance) P() float64 {
	if math.Signbit(float64(c)) {
		return 1 + float64(c)
	}
	return float64(c)
}

// Q returns 1-P, with all digits.
func (c Chance) Q() float64 {
	if math.Signbit(float64(c)) {
		return -float64(c)
	}
	return 1 - float64(c)
}

// Less reports whether a chance is smaller than another.
func (c Chance) Less(d Chance) bool {
	if a, b := math.Signbit(float64(c)), math.Signbit(float64(d)); a != b {
		return b
	}
	return c < d
}

// mix is a weighted mean of chances.
type mix struct {
	low   float64 // of those up to one half: the sum of weight times p
	rest  float64 // the sum of their weights
	high  float64 // of the others: the sum of weight times 1-p
	whole float64 // the sum of their weights
}

func (m *mix) add(weight, c float64) {
	if math.Signbit(c) {
		m.whole += weight
		m.high -= float64(weight * c)
	} else {
		m.rest += weight
		m.low += float64(weight * c)
	}
}

// mean returns the mean. No term loses digits: low is at most half of rest, high at most half of whole.
func (m *mix) mean() float64 {
	p := m.low + (m.whole - m.high)
	q := m.high + (m.rest - m.low)
	if p <= q {
		return p / (p + q)
	}
	return -(q / (p + q))
}
