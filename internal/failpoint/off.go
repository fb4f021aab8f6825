//go:build !failpoints

// Package failpoint kills the process at named points, for tests that look at what
// is left. Without the build tag failpoints it does nothing.
package failpoint

// Hit is a point at which the process may be killed.
func Hit(string) {}
