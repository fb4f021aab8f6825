//go:build long

package long

// Tests reports whether the tests that take long run, too.
const Tests = true
