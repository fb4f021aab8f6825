package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"pagoda/internal/long"
)

// A full disk is found out at once, and leaves the old file as it was.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("cannot mount a small disk here: %v", err)
	}
	defer unix.Unmount(dir, 0)
	path := filepath.Join(dir, "a.reach")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(filepath.Join(bin, "reach"), "run", "peg/5x6", "-o", path, "--force").CombinedOutput()
	exit, ok := err.(*exec.ExitError)
	if !ok || exit.ExitCode() != 2 || !strings.Contains(string(out), "a.reach needs 4.5 MB of disk space, 4.2 MB are free: --no-file counts only, -o names a place on another disk") {
		t.Errorf("it ended with %v\n%s", err, out)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "old" {
		t.Errorf("the old file is now %q, %v", data, err)
	}
	onlyFile(t, path)
}

// noSpace reports whether a command was refused because the file is known to need more than the disk has, or
// ended when the disk was full.
func noSpace(err error, out []byte) bool {
	exit, ok := err.(*exec.ExitError)
	return ok && (exit.ExitCode() == 2 && strings.Contains(string(out), " of disk space, ") || exit.ExitCode() == 3 && strings.Contains(string(out), "no space left on device"))
}

// So it is in every store, of a run and of a conversion.
func TestFullDiskForStores(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=40k"); err != nil {
		t.Skipf("cannot mount a small disk here: %v", err)
	}
	defer unix.Unmount(dir, 0)
	reach := filepath.Join(bin, "reach")
	source := filepath.Join(t.TempDir(), "set.reach")
	if out, err := exec.Command(reach, "run", "peg/5x5", "-o", source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := filepath.Join(dir, "a.reach")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, flags := range stores {
		for _, args := range [][]string{{"run", "peg/5x5"}, {"convert", source}} {
			if name == "raw" && args[0] == "run" && !long.Tests {
				continue
			}
			args = append(append(args, "-o", path, "--force"), flags...)
			out, err := exec.Command(reach, args...).CombinedOutput()
			if !noSpace(err, out) {
				t.Errorf("reach %q ended with %v\n%s", args, err, out)
			}
			if data, err := os.ReadFile(path); err != nil || string(data) != "old" {
				t.Errorf("reach %q: the old file is now %q, %v", args, data, err)
			}
			onlyFile(t, path)
		}
	}
}

// A disk too full for a checkpoint does not end the run.
func TestFullDiskForCheckpoint(t *testing.T) {
	small := t.TempDir()
	if err := unix.Mount("tmpfs", small, "tmpfs", 0, "size=100k"); err != nil {
		t.Skipf("cannot mount a small disk here: %v", err)
	}
	defer unix.Unmount(small, 0)
	path := filepath.Join(t.TempDir(), "a.reach")
	for _, args := range [][]string{{"peg/5x5", "-o", path, "--engine=layers"}, {"peg/5x6", "--no-file"}} {
		args = append(append([]string{"run"}, args...), "--checkpoint", small, "--checkpoint-every=0s")
		out, err := exec.Command(filepath.Join(bin, "reach"), args...).CombinedOutput()
		if err != nil || strings.Count(string(out), "no checkpoint was written, the run continues: ") != 1 || !strings.Contains(string(out), "no space left on device") && !strings.Contains(string(out), " of disk space, ") {
			t.Errorf("reach %q ended with %v\n%s", args, err, out)
		}
	}
	if out, err := exec.Command(filepath.Join(bin, "reach"), "verify", path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if entries, err := os.ReadDir(small); err != nil || len(entries) != 0 {
		t.Errorf("left on the small disk: %v, %v", entries, err)
	}
}
