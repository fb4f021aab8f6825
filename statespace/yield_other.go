//go:build !js

package statespace

func yield() {}
