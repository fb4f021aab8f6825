//go:build !purego

package peg

// prefetch asks the processor to fetch a word into its cache. The result means nothing, but the
// caller must keep it: see the other version of this function.
//
// Package prefetch has the same for many words. For one word, a call to another package takes
// too long: assembly is called directly only within its package.
//
//go:noescape
func prefetch(word *uint64) uint64
