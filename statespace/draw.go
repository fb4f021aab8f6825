package statespace

import (
	"math/big"
	"math/rand/v2"
)

// Draw draws a number below n. The chance of i is in proportion to weight(i), which is not
// negative. At least one weight must be above 0.
func Draw(rng *rand.Rand, n int, weight func(i int) *big.Int) int {
	weights, sum := make([]*big.Int, n), new(big.Int)
	for i := range weights {
		weights[i] = weight(i)
		sum.Add(sum, weights[i])
	}
	at := randBelow(rng, sum)
	for i, w := range weights {
		if at.Cmp(w) < 0 {
			return i
		}
		at.Sub(at, w)
	}
	panic("statespace: a number below the sum lies beyond it")
}

// randBelow returns a random number from 0 to n-1.
func randBelow(rng *rand.Rand, n *big.Int) *big.Int {
	for {
		x := new(big.Int)
		for range (n.BitLen() + 63) / 64 {
			x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(rng.Uint64()))
		}
		if x.Rsh(x, uint(-n.BitLen())&63).Cmp(n) < 0 {
			return x
		}
	}
}
