package tiles

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"pagoda/internal/console"
)

func reach(args ...string) (code int, stdout, stderr string) {
	root := &cobra.Command{Use: "reach"}
	root.AddCommand(playerCommands(nil)...)
	var out, err bytes.Buffer
	code = console.Main(root, args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

func TestPlayers(t *testing.T) {
	dir := t.TempDir()
	kept, network := filepath.Join(dir, "games.txt"), filepath.Join(dir, "net")
	ok := func(want string, args ...string) string {
		t.Helper()
		code, out, err := reach(args...)
		if code != 0 || !strings.Contains(out, want) {
			t.Fatalf("%v: exit %d, %s%s, expected %q", args, code, out, err, want)
		}
		return out
	}
	for _, game := range []string{"2048/3x3", "threes/2x3"} {
		for _, p := range []string{"corner", "greedy", "random"} {
			one := ok("5 games\n", "play", game, "--player", p, "--games", "5", "--seed", "3", "--threads", "1", "--keep", kept, "--force")
			first, _ := os.ReadFile(kept)
			two := ok("5 games\n", "play", game, "--player", p, "--games", "5", "--seed", "3", "--threads", "2", "--keep", kept, "--force")
			second, _ := os.ReadFile(kept)
			if one[:strings.LastIndex(one, " in ")] != two[:strings.LastIndex(two, " in ")] || !bytes.Equal(first, second) {
				t.Errorf("%s, %s: the games differ with more threads", game, p)
			}
			ok("5 games of "+game+", all right", "replay", game, kept)
		}
		ok(`"player":"expectimax"`, "play", game, "--games", "2", "--depth", "1", "--json")
	}
	ok("200 games of 2048/2x2", "train", "2048", "--board", "2x2", "--games", "200", "-o", network)
	ok("2048/2x2, network, seed 1: 9 games", "play", "2048/2x2", "--player", "network", "--network", network, "--games", "9", "--depth", "1")
	for _, args := range [][]string{{"play", "2048/2x2", "--player", "network", "--network", network}, {"train", "2048/2x2", "--games", "1", "-o", network, "--force"}} {
		if code, _, err := reach(append(args, "--mem", "100KiB")...); code == 0 || !strings.Contains(err, "the network for 2048/2x2 needs") || !strings.Contains(err, "the limit is 100 KiB: raise it") {
			t.Errorf("%v with little memory: %d, %s", args, code, err)
		}
	}
	ok(`"file":`, "train", "2048/2x2", "--time", "20ms", "-o", network, "--json", "--force")

	data, _ := os.ReadFile(kept)
	for text, want := range map[string]string{
		string(data) + strings.Repeat("x", 1<<23): "line 6: expected a record, found more than",
		"\n \n": "there are no games in it",
	} {
		os.WriteFile(kept, []byte(text), 0o644)
		if code, _, err := reach("replay", "threes/2x3", kept); code != 3 || !strings.Contains(err, want) {
			t.Errorf("a bad file of games: %d, %s, expected %q", code, err, want)
		}
	}
	os.WriteFile(kept, bytes.Replace(data, []byte("score "), []byte("score 1"), 1), 0o644)
	if code, _, err := reach("replay", "threes/2x3", kept); code != 3 || !strings.Contains(err, "line 1: the game scores") {
		t.Errorf("a wrong score: %d, %s", code, err)
	}
	data, _ = os.ReadFile(network)
	data[len(data)/2] ^= 1
	os.WriteFile(network, data, 0o644)
	if code, _, err := reach("play", "2048/2x2", "--player", "network", "--network", network); code != 3 || !strings.Contains(err, "damaged") {
		t.Errorf("a damaged network: %d, %s", code, err)
	}
}

func TestPlayerErrors(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"play chess", "expected the game 2048 or threes"},
		{"play 2048/", "expected a board such as 4x4"},
		{"play 2048/5x5", "25"},
		{"play 2048/1x1", "two tiles"},
		{"play 2048/3x3 --board 4x4", "leave out --board"},
		{"play threes --p4 0.2", "--p4 is for 2048"},
		{"play 2048 --bag 3", "--bag is for threes"},
		{"play 2048 --p4 2", "from 0 to 1"},
		{"play 2048 --games 0", "--games is 0"},
		{"play 2048 --depth 99", "depth of 1 to 12"},
		{"play 2048 --cutoff -1", "cutoff from 0 to 1"},
		{"play 2048 --empty 17", "1 to 16 empty cells"},
		{"play 2048 --player greedy --empty 3", "--empty is for a player that looks ahead"},
		{"play 2048 --player corner --depth 2", "--depth is for a player that looks ahead"},
		{"play 2048 --player network", "need each other"},
		{"play 2048 --network x", "need each other"},
		{"play 2048 --player network --network x --cutoff 0.1", "--cutoff is for a player that looks ahead: give --depth, too"},
		{"play 2048 --cutoff x", "--cutoff is \"x\", expected a number"},
		{"play threes@bag=x", "@bag: expected a number, found \"x\""},
		{"play threes@hidden=no", "expected @hidden behind a name, found @hidden=no"},
		{"play threes@bag", "expected @bag=N behind a name, found @bag"},
		{"play threes@bag=1 --bag 2", "threes@bag=1 has the option bag: leave out --bag"},
		{"play 2048/2x2@2,./.,2", "leave out the start"},
		{"train 2048/4x4 -o x --time 1ns", "no game has ended"},
		{"play 2048/2x2 --player random --games 1 --keep -", "name a file"},
		{"train 2048/2x2", "--out FILE"},
		{"train 2048/2x2 --games 1 -o -", "name a file"},
		{"train 2048/2x2 -o x --games -1", "0 or more"},
		{"train 2048/2x2 -o x --time 0s", "a time above 0"},
		{"train 2048/2x2 -o x --initial -1", "initial value"},
	} {
		if code, _, err := reach(strings.Fields(c.args)...); code != 2 || !strings.Contains(err, c.want) {
			t.Errorf("%s: exit %d, %s, expected %q", c.args, code, err, c.want)
		}
	}
	// What is there is not overwritten.
	there := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(there, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"play 2048/2x2 --player greedy --games 1 --keep " + there, "exists: --force overwrites it"},
		{"train 2048/2x2 --games 1 -o " + there, "exists: --force overwrites it"},
		{"play 2048 --keep /nowhere/x", "there is no directory /nowhere"},
	} {
		if code, _, err := reach(strings.Fields(c.args)...); code != 3 || !strings.Contains(err, c.want) {
			t.Errorf("%s: exit %d, %s, expected %q", c.args, code, err, c.want)
		}
	}
	if data, err := os.ReadFile(there); err != nil || string(data) != "precious" {
		t.Errorf("the file has %q: %v", data, err)
	}
}
