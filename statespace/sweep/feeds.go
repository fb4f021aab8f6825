package sweep

import "pagoda/statespace"

// Chains returns, by block, how many blocks the longest chain of sources behind it has. Blocks
// with chains of the same length do not depend on each other. So they can be made like a stage,
// after all blocks with shorter chains. No other division has fewer stages.
func Chains(f statespace.Feeds) []uint16 {
	chains := make([]uint16, f.Begin(f.Stages()))
	var sources []uint64
	for i := range chains {
		sources = f.Sources(sources[:0], uint64(i))
		for _, from := range sources {
			chains[i] = max(chains[i], chains[from]+1)
		}
	}
	return chains
}
