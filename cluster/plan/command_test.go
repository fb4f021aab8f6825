package plan

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"pagoda/puzzle/builtin"
)

// execute runs the command.
func execute(stdin string, args ...string) (string, error) {
	cmd := Command(builtin.Families())
	var out bytes.Buffer
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceUsage = true
	cmd.SetArgs(args)
	err := cmd.Execute()
	return out.String(), err
}

// A text without an end is not read as a whole.
func TestLargeLevels(t *testing.T) {
	if _, err := execute(strings.Repeat("1", 16<<20+1), "--levels", "-"); err == nil || !strings.Contains(err.Error(), "expected at most 16777216 bytes") {
		t.Error(err)
	}
}

func TestCommand(t *testing.T) {
	const layers = `{"space":"toys","size":100,"layers":[{"pegs":3,"states":4,"orbits":2},{"pegs":2,"states":8}]}`
	const boards = `{"board":"2x2","pieces":[{"pieces":1,"searched":30},{"pieces":2,"searched":70}],"parts":5,"largest_part":40}`
	for _, tt := range []struct {
		stdin, args string
		want        []string
	}{
		{"", "slide/n4x4 --workers 16", []string{"slide/n4x4: 10461394944000 states in 81 levels", "\n  workers", "\n       16  "}},
		{"", "peg/5x5 --workers 2", []string{"peg/5x5:", "stages", "ns of CPU a byte"}},
		{"1 2, 3\n4", "--levels -", []string{"the run: 10 states in 4 levels", "\n       64", "\n      256"}},
		{layers, "--levels -", []string{"toys: 10 states in 2 levels"}},
		{boards, "--levels -", []string{"2x2: 100 placements in 5 parts"}},
	} {
		out, err := execute(tt.stdin, strings.Fields(tt.args)...)
		if err != nil {
			t.Errorf("%s: %v", tt.args, err)
		}
		for _, want := range tt.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s prints %q, expected %q in it", tt.args, out, want)
			}
		}
	}
}

// The constants that the command prints can be read again, and --set goes before them.
func TestConstants(t *testing.T) {
	out, err := execute("1 2 3", "--levels", "-", "--set", "state_ns=7", "--json")
	var printed struct{ Constants json.RawMessage }
	if err == nil {
		err = json.Unmarshal([]byte(out), &printed)
	}
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/constants.json"
	if err := os.WriteFile(file, printed.Constants, 0o666); err != nil {
		t.Fatal(err)
	}
	if again, err := execute("1 2 3", "--levels", "-", "--constants", file, "--json"); err != nil || again != out {
		t.Errorf("the plan is %q, %v, expected %q", again, err, out)
	}
	if flag, err := execute("1 2 3", "--levels", "-", "--constants", file, "--set", "state_ns=5", "--json"); err != nil || !strings.Contains(flag, `"state_ns":5,`) {
		t.Errorf("the plan is %q, %v, expected 5 ns a state", flag, err)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ stdin, args, want string }{
		{"", "slide/n2x4", "--levels FILE"},
		{"", "slide/n4x4 --by blocks", "has blocks"},
		{"", "slide/n4x4 --workers 0", "expected 1 or more"},
		{"", "slide/n4x4 --set bandwidth=0", "above 0"},
		{"", "slide/n4x4 --set speed=0", `unknown field "speed"`},
		{"", "slide/n4x4 --set bandwidth", "expected the name of a constant"},
		{"", "--levels -", "is empty"},
		{"1 x", "--levels -", `"x" is not a number`},
		{"{}", "--levels -", "neither layers nor pieces"},
	} {
		if out, err := execute(tt.stdin, strings.Fields(tt.args)...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, expected %q; output %q", tt.args, err, tt.want, out)
		}
	}
}
