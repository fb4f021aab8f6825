// Package long says whether tests may take long. "go test ./..." runs what is quick: every kind of test, on
// small boards. "go test -tags long ./..." runs everything.
package long

// Or returns all if tests may take long, and else quick.
func Or[T any](all, quick T) T {
	if Tests {
		return all
	}
	return quick
}
