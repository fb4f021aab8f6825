#!/usr/bin/env bash
# Checks all that happens at the tag of the next version, without the tag: the version is the first
# heading of CHANGELOG.md. A clone gets the tag, and the archive of one target is made there: of
# this system. The check looks into the archive, and runs the commands in a root that has just what
# the Dockerfile puts there. It pushes nothing and needs no container engine. The first run compiles
# goreleaser: two minutes on two cores, and 2 GB in the caches of Go.
set -euo pipefail
cd "$(dirname "$0")/.."
# Later versions need a module that the proxy does not have, or Go 1.27.
goreleaser() { GOFLAGS='' go run github.com/goreleaser/goreleaser/v2@v2.16.0 "$@"; }
fail() { echo "check-release: $*" >&2; exit 1; }
os=$(go env GOOS) arch=$(go env GOARCH)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

echo '== the version'
heading=$(grep -m 1 '^## ' CHANGELOG.md)
version=${heading#'## '}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "CHANGELOG.md: expected a version as the first heading, such as \"## 1.2.3\", found \"$heading\""
sed -n "/^## $version\$/,/^## /p" CHANGELOG.md | grep -q '^- ' || fail "CHANGELOG.md says nothing of $version"
tags=$(git tag --points-at HEAD 'v*')
[ -z "$tags" ] || [ "$tags" = "v$version" ] || fail "the tag is $tags, and CHANGELOG.md begins with $version"
echo "$version"

echo '== the archive'
repository=$PWD
commit=$(git stash create) # the work tree, without files that are not in the index
git clone -q --shared --no-checkout . "$dir/clone"
cd "$dir/clone"
git checkout -q "${commit:-$(git -C "$repository" rev-parse HEAD)}"
git tag -f "v$version" >/dev/null
goreleaser check
sed -E "s/goos: .*darwin.*/goos: [ $os ]/; s/goarch: .*/goarch: [ $arch ]/" .goreleaser.yaml >"$dir/one.yaml"
echo "dist: $dir/dist" >>"$dir/one.yaml"
goreleaser release --clean --skip=publish,docker --config "$dir/one.yaml"
cd "$dir/dist"
sha256sum -c checksums.txt
name=pagoda_${version}_${os/darwin/macos}_$arch
tar -xzf "$name.tar.gz" -C "$dir"
root=$dir/$name
for file in LICENSE README.md CHANGELOG.md docs/README.md docs/oeis.md docs/reference/commands.md docs/guides/cluster.md \
  docs/explanation/how-it-works.md docs/studies/peg-counts.md docs/pictures/pagoda.svg docs/data/SHA256SUMS \
  man/reach.1 man/query-near.1 completions/reach.bash completions/query.fish; do
  [ -s "$root/$file" ] || fail "$name.tar.gz has no $file"
done
for command in reach query; do
  "$root/$command" version | tee version.txt
  grep -qx "version  v$version" version.txt || fail "$command is of another version than v$version"
  grep -qx "system   $os/$arch" version.txt || fail "$command is for another system than $os/$arch"
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
