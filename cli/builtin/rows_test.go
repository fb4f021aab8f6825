package builtin_test

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"pagoda/cli/builtin"
	"pagoda/internal/console"
)

// A counter counts the writes to it.
type counter struct {
	bytes.Buffer
	writes int
}

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	c.writes++
	return c.Buffer.Write(p)
}

// The rows of solve --vacancies come one by one, as they are found.
func TestRowsAsTheyCome(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.reach")
	p := builtin.Program()
	if code := console.Main(p.Reach(), []string{"run", "peg/triangle15", "-o", file, "--quiet"}, strings.NewReader(""), io.Discard, io.Discard); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	var out counter
	var errs bytes.Buffer
	code := console.Main(p.Query(), []string{"solve", file, "--vacancies"}, strings.NewReader(""), &out, &errs)
	rows := strings.Count(out.String(), "\n")
	if code != 0 || rows < 3 || out.writes != rows {
		t.Errorf("exit code %d, %d rows in %d writes\n%s%s", code, rows, out.writes, &out, &errs)
	}
}
