package mapped_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pagoda/internal/mapped"
)

// A process may hope for no more memory than the groups around its own allow. The test makes such
// groups, so it runs as root only.
func TestNestedGroups(t *testing.T) {
	if group := os.Getenv("PAGODA_TEST_GROUP"); group != "" {
		if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte("0"), 0); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("memory=%d\n", mapped.PhysicalMemory())
		return
	}
	if n := mapped.PhysicalMemory(); n < 1<<20 || n > 1<<50 {
		t.Errorf("the memory of this machine is %d bytes", n)
	}
	outer, limit := "", ""
	for dir, name := range map[string]string{"/sys/fs/cgroup/memory": "memory.limit_in_bytes", "/sys/fs/cgroup": "memory.max"} {
		if _, err := os.Stat(filepath.Join(dir, "cgroup.procs")); err != nil {
			continue // these are not the groups
		}
		path, err := os.MkdirTemp(dir, "pagoda-test-")
		if err != nil {
			continue
		}
		defer os.Remove(path)
		if err := os.WriteFile(filepath.Join(path, name), []byte("123457536"), 0); err == nil {
			outer, limit = path, name
		}
	}
	if outer == "" {
		t.Skip("no control group with a bound of memory can be made here")
	}
	inner := filepath.Join(outer, "inner")
	if err := os.Mkdir(inner, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Skip(err)
	}
	defer os.Remove(inner)
	cmd := exec.Command(os.Args[0], "-test.run=^TestNestedGroups$", "-test.v")
	cmd.Env = append(os.Environ(), "PAGODA_TEST_GROUP="+inner)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Skipf("a process cannot move to %s: %v\n%s", inner, err, out)
	}
	_, rest, _ := strings.Cut(string(out), "memory=")
	text, _, _ := strings.Cut(rest, "\n")
	if found, err := strconv.ParseUint(text, 10, 64); err != nil || found != 123457536 {
		t.Errorf("with %s of the group around it 123457536, a process may hope for %q", limit, text)
	}
}
