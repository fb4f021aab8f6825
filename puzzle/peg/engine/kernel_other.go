//go:build !amd64 || purego

package engine

func vectorKernels() []*kernel { return nil }
