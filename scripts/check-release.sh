#!/usr/bin/env bash
# Checks how a release is made, with a snapshot of one target: this system. It looks into the
# archive, and runs the commands in a root that has just what the Dockerfile puts there. It pushes
# nothing and needs no container engine. The first run compiles goreleaser: two minutes on two
# cores, and 2 GB in the caches of Go.
set -euo pipefail
cd "$(dirname "$0")/.."
# Later versions need a module that the proxy does not have, or Go 1.27.
goreleaser() { GOFLAGS='' go run github.com/goreleaser/goreleaser/v2@v2.16.0 "$@"; }
os=$(go env GOOS) arch=$(go env GOARCH)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

goreleaser check
sed -E "s/goos: .*darwin.*/goos: [ $os ]/; s/goarch: .*/goarch: [ $arch ]/" .goreleaser.yaml >"$dir/one.yaml"
echo "dist: $dir/dist" >>"$dir/one.yaml"
goreleaser release --snapshot --clean --skip=docker --config "$dir/one.yaml"

echo '== the archive'
repository=$PWD
cd "$dir/dist"
sha256sum -c checksums.txt
archive=$(ls pagoda_*.tar.gz)
tar -xzf "$archive" -C "$dir"
root=$dir/${archive%.tar.gz}
for file in LICENSE README.md docs/reference/commands.md man/reach.1 man/query-near.1 completions/reach.bash completions/query.fish; do
  [ -s "$root/$file" ] || { echo "$archive has no $file"; exit 1; }
done
for command in reach query; do
  "$root/$command" version
  "$root/$command" version | grep -q "system   $os/$arch" || { echo "$command is for another system"; exit 1; }
done

echo '== the root of the image'
cd "$repository"
image=$dir/image
mkdir -p "$dir/context/$os/$arch"
cp LICENSE "$dir/context"
cp "$root/reach" "$root/query" "$dir/context/$os/$arch"
grep -E '^(FROM|COPY|WORKDIR) ' Dockerfile | sed "s|\$TARGETPLATFORM|$os/$arch|g" | while read -ra words; do
  case ${words[0]} in
  FROM) [ "${words[1]}" = scratch ] && mkdir "$image" ;;
  WORKDIR) mkdir -p "$image${words[1]}" ;;
  COPY)
    to=$image${words[-1]}
    case $to in */) mkdir -p "$to" ;; *) mkdir -p "$(dirname "$to")" ;; esac
    (cd "$dir/context" && cp "${words[@]:1:${#words[@]}-2}" "$to")
    ;;
  esac
done
within() {
  if [ "$(id -u)" = 0 ]; then chroot "$image" "$@"; else unshare -rR "$image" "$@"; fi
}
within /usr/local/bin/reach run 4x4 -o /data/a.reach --quiet | tail -n 1
within /usr/local/bin/query count /data/a.reach
