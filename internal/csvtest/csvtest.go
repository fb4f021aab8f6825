// Package csvtest reads tables of the documents for tests.
package csvtest

import (
	"encoding/csv"
	"os"
	"testing"
)

// Rows returns the rows of a file, with the heads of its columns first. A table without rows fails the test.
func Rows(t testing.TB, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	return rows
}
