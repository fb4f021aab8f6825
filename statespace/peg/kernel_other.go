//go:build !amd64 || purego

package peg

func vectorKernels() []*kernel { return nil }
