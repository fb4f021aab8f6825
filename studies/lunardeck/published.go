package lunardeck

import (
	"fmt"
	"hash/fnv"

	"pagoda/puzzle/lunar/board"
)

// fingerprint returns a checksum of a problem on the board 5x5, the same for all its images.
func fingerprint(b *board.Board, p board.Position) uint64 {
	least := p
	for _, turn := range b.Turns() {
		if q := p.Turned(turn); q.Letters < least.Letters || q.Letters == least.Letters && q.Numbers < least.Numbers {
			least = q
		}
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%x %x", least.Letters, least.Numbers)
	return h.Sum64()
}

// isPublished reports whether a problem is a card of the deck that is sold.
func isPublished(b *board.Board, p board.Position) bool {
	if rows, cols := b.Size(); rows != 5 || cols != 5 || len(b.Cells()) != 25 {
		return false
	}
	return published[fingerprint(b, p)]
}

// published has the fingerprints of the 40 cards of Lunar Lockout (Binary Arts, later ThinkFun). Two
// lists of them, which people have typed independently of each other, agree on all cards but 39, which
// is here in both ways.
var published = map[uint64]bool{
	0xe31bbef8c0c709bd: true, 0x17bd2e8fec150cb8: true, 0x14516343ad17d51a: true, 0x1d121ddbb08e0c57: true, 0x0b42dd603a301224: true,
	0xbb60b03ddb5666a8: true, 0xea7436cf17eb994a: true, 0x936e20bfbce930a1: true, 0xe7ff9a965699f2f1: true, 0xe65192ff2e486a09: true,
	0x27077207504ad4b6: true, 0x5a5b3555397b6fa4: true, 0x61f04c4912a4650a: true, 0xf584038fd8d178df: true, 0x088ac6ff418c0d2d: true,
	0x44d4401771a901ac: true, 0x84a52a6eb8cb1ce1: true, 0x6f47f28ee96cf955: true, 0xdff193543d42eb18: true, 0x2034d07d66d7e2df: true,
	0xf8a4a93571692b16: true, 0x5a513b5539732551: true, 0xd4fed4211b5b8bbb: true, 0x088abaff418bf8c9: true, 0xb5345e1c50e8489a: true,
	0x2e45dcf6cb2ad2d7: true, 0xdd5a9c65b9ac6d90: true, 0x17a9a963c2de487b: true, 0x91ee2212dad7eddb: true, 0x0047748a8a4005f8: true,
	0xc6123cd2819bf2f1: true, 0x7e68694c280dd7be: true, 0xf83d58a6eb3a7017: true, 0xfa76e91d9bb96e20: true, 0x91d29212dac03173: true,
	0x238d4bb644807b1d: true, 0xeffa6d2c92f8bd8b: true, 0x6cb776705dfec68a: true, 0x6e2acbbe6866d9f3: true, 0x5ae745e7531a9d1d: true,
	0x7c53a0846f3b1c97: true,
}
