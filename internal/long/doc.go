// Package long says whether tests may take long. "go test ./..." runs what is quick: every kind of test, on
// small boards. "go test -tags long ./..." runs everything.
package long
