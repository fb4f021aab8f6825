//go:build !failpoints

// Package failpoint lets tests make a run fail, and look at what is left. Inject makes operations
// on files fail. With the build tag failpoints, the process can be killed at named points, the
// operations on files among them.
package failpoint

// Hit is a point at which the process may be killed.
func Hit(string) {}
