#!/usr/bin/env bash
# Cuts the power of runs, resumes them, and compares the bytes of the files with those of runs that were left alone.
#
#   scripts/power-loss.sh [CUTS] [SEED]     # as root on Linux; 60 cuts take about a minute
#
# The runs write to a file system, ext4 in an image on a loop device. At a random instant the file system is shut down without
# writing anything more (EXT4_IOC_SHUTDOWN, as the godown of xfstests does it). So all that was not flushed is lost, as in a power
# failure: blocks of files, names, and what of the journal is not committed. The image is mounted again, which replays the journal,
# and the run goes on from what is there. Data are not ordered before names (data=writeback, noauto_da_alloc), so that only what the
# program flushes counts. What this does not try is a disk that lies about what it has flushed.
#
# Exit codes: 0 all bytes are right; 1 some are not, or a run cannot be resumed; 77 skipped: this machine does not allow it.
set -euo pipefail
cuts=${1:-60}
seed=${2:-$RANDOM}
RANDOM=$seed
cd "$(dirname "$0")/.."

skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED after $done_cuts cuts, seed $seed: $*"; ls -lR "$disk" || true; exit 1; }
[ "$(uname -s)" = Linux ] || skip "it needs Linux"
[ "$(id -u)" = 0 ] || skip "it needs root, to mount an image"
for tool in losetup mkfs.ext4 mount umount python3 go; do
  command -v "$tool" >/dev/null || skip "it needs $tool"
done

dir=$(mktemp -d)
disk=$dir/disk image=$dir/image reach=$dir/reach done_cuts=0
cleanup() {
  if mountpoint -q "$disk"; then umount "$disk" || umount -l "$disk"; fi
  rm -rf "$dir"
}
trap cleanup EXIT
mkdir "$disk"

mount_disk() { mount -o loop,data=writeback,noauto_da_alloc "$image" "$disk"; }
new_disk() {
  if mountpoint -q "$disk"; then umount "$disk"; fi
  rm -f "$image"
  truncate -s 96M "$image"
  mkfs.ext4 -q -F "$image"
  mount_disk
}
# cut shuts the file system down. The flag 2 is EXT4_GOING_FLAGS_NOLOGFLUSH.
cut() { python3 -c 'import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack("I", 2))' "$disk"; }

# Does this machine mount images, and does a cut lose what is not flushed, and nothing else?
new_disk 2>"$dir/why" || skip "it cannot mount an image: $(head -1 "$dir/why")"
echo flushed >"$disk/flushed"
sync -f "$disk/flushed"
echo lost >"$disk/lost"
cut 2>"$dir/why" || skip "it cannot shut ext4 down: $(tail -1 "$dir/why")"
umount "$disk"
mount_disk
[ "$(cat "$disk/flushed")" = flushed ] && [ ! -e "$disk/lost" ] || skip "a cut does not lose what was not flushed"

go build -buildvcs=false -o "$reach" ./cmd/reach

# The ways: the space and the options of the run.
ways=(
  'peg/5x6'
  'peg/5x5'
  'peg/5x5 --store trie'
  'peg/5x6 --engine layers --store set'
  'slide/dads'
  'slide/n3x3 --engine numbers'
  'peg/4x4 --engine sparse --store sparse'
  'slide/n2x3 --engine sparse'
  '2048/2x3 --objective score,tile:64>score'
)
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
declare -A want took
for way in "${ways[@]}"; do
  new_disk
  before=$(milliseconds)
  # shellcheck disable=SC2086
  "$reach" run $way -o "$disk/a.reach" --checkpoint-every 0s --quiet >/dev/null
  took[$way]=$(($(milliseconds) - before))
  want[$way]=$(sha256sum <"$disk/a.reach")
done

# go_on does what a user does: resume if there is a checkpoint, else run again.
go_on() {
  local what=run
  # shellcheck disable=SC2086
  if [ -e "$disk/a.reach.checkpoint" ]; then
    what=resume
    "$reach" resume "$disk/a.reach.checkpoint" --force --checkpoint-every 0s --quiet
  else
    "$reach" run $way -o "$disk/a.reach" --force --checkpoint-every 0s --quiet
  fi >"$dir/out" 2>&1 || { echo "$what: exit code $?" >>"$dir/out"; return 1; }
}

resumed=0 kept=0 rounds=0
while [ "$done_cuts" -lt "$cuts" ]; do
  way=${ways[rounds % ${#ways[@]}]}
  rounds=$((rounds + 1))
  new_disk
  old=none
  if [ $((rounds / ${#ways[@]} % 2)) = 1 ]; then # in place of a file that must not be lost
    "$reach" run peg/4x4 -o "$disk/a.reach" --quiet >/dev/null
    old=$(sha256sum <"$disk/a.reach")
  fi
  for _ in 1 2 3; do
    pause=$((RANDOM % (took[$way] + 20)))
    go_on &
    running=$!
    sleep "$(printf '%d.%03d' $((pause / 1000)) $((pause % 1000)))"
    ended=no
    if ! kill -0 "$running" 2>/dev/null; then
      ended=yes
      wait "$running" || fail "$way, before the cut: $(cat "$dir/out")"
    fi
    cut
    wait "$running" || true # it ends, as it cannot write
    umount "$disk"
    mount_disk
    done_cuts=$((done_cuts + 1))
    found=none
    if [ -e "$disk/a.reach" ]; then found=$(sha256sum <"$disk/a.reach"); fi
    if [ $ended = yes ] && [ "$found" != "${want[$way]}" ]; then
      fail "$way: the run had ended, and its file is not there"
    fi
    [ "$found" = "$old" ] || [ "$found" = "${want[$way]}" ] || fail "$way: the file is neither the old one nor the new one"
    if [ "$found" = "${want[$way]}" ]; then break; fi
    if [ "$found" != none ]; then kept=$((kept + 1)); fi
    if [ -e "$disk/a.reach.checkpoint" ]; then resumed=$((resumed + 1)); fi
  done
  go_on || fail "$way, after the cuts: $(cat "$dir/out")"
  [ "$(sha256sum <"$disk/a.reach")" = "${want[$way]}" ] || fail "$way: the file has other bytes"
  left=$(ls -A "$disk" | grep -v -e '^a.reach$' -e '^lost+found$' || true)
  [ -z "$left" ] || fail "$way: left behind: $left"
done
echo "$done_cuts cuts in $rounds runs, $resumed times resumed, $kept times with an old file that stayed: all bytes are right (seed $seed)"
