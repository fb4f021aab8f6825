#!/usr/bin/env python3
"""A second reader of .reach files, written from docs/reference/format.md alone. It checks every byte of a file, and prints
how many members it has, the SHA-256 of their numbers (of 8 bytes each, or of whole words for longer codes), and how
many are in each layer.

It holds all numbers in memory, about 50 bytes for each, and takes some 5 us for each: it is for small spaces, and
refuses others unless --most allows them. Compressed stores need the command zstd.

Exit codes: 0 the file is right; 1 it is damaged, or cannot be read; 2 the command is wrong, or the file has more than --most allows.
"""
import argparse, collections, hashlib, itertools, json, mmap, struct, subprocess, sys, tempfile


class Bad(Exception):
    """What is wrong with a file."""


class TooLarge(Exception):
    """What reading a file would take."""


def expect(ok, text):
    if not ok:
        raise Bad(text)


CRC = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    CRC.append(byte)


def crc32c(data):
    crc = 0xFFFFFFFF
    for b in data:
        crc = CRC[(crc ^ b) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def u(data, at, size=8):
    expect(0 <= at and at + size <= len(data), f"{size} bytes at {at} should lie within {len(data)}")
    return int.from_bytes(data[at : at + size], "little")


def words(data):
    expect(len(data) % 8 == 0, f"{len(data)} bytes should be whole words")
    return struct.unpack(f"<{len(data) // 8}Q", data)


def pad(n):
    return -(-n // 4096) * 4096


def unzstd(frame):
    most = 1 << 20  # bytes of the largest frame
    with tempfile.TemporaryFile() as f:
        f.write(frame)
        f.seek(0)
        run = subprocess.Popen(["zstd", "-dcq"], stdin=f, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        data = run.stdout.read(most + 1)
        if len(data) > most:
            run.kill()
        said = run.communicate()[1].decode().strip()
    expect(len(data) <= most, f"a zstd frame has more than {most} bytes")
    expect(run.returncode == 0, f"a zstd frame: {said}")
    return data


def bits(data):
    """The places of the bits that are set."""
    return [8 * i + k for i, b in enumerate(data) if b for k in range(8) if b >> k & 1]


class File:
    def __init__(self, data, most):
        self.data = data
        expect(data[:8] == b"PAGODA\x1a\n", f"it begins with {data[:8]!r}, not with the magic of the format")
        expect(len(data) >= 4096 and crc32c(data[:4092]) == u(data, 4092, 4), "the checksum of the header is wrong")
        version, n, length, sums, crc = struct.unpack_from("<IIQQI", data, 8)
        expect(version == 1, f"version {version} of the format, expected 1")
        expect(length == len(data), f"it should have {length} bytes, and has {len(data)}")
        expect(sums <= length, f"the checksums should be within {length} bytes, and are at {sums}")
        if 1 <= n <= 126:  # what takes long is refused before it is read; the rest of the file is checked below
            offset, size = struct.unpack_from("<QQ", data, 64 + 32 * n - 16)
            said = json.loads(data[offset : offset + min(size, 16 << 20)])
            work = max(said["states"], said["size"] // 8, len(data) // 8)
            if work > most:
                raise TooLarge(f"it has {said['states']:,} states among {said['size']:,} numbers in {len(data):,} bytes, and would take about "
                               f"{work * 5e-6:.0f} s and {work * 50e-9:.1f} GB: --most {work} allows that")
        expect(crc32c(data[sums:]) == crc, "the checksum of the checksums is wrong")
        for i, at in enumerate(range(4096, sums, 65536)):
            piece = data[at : min(at + 65536, sums)]
            expect(crc32c(piece) == u(data, sums + 4 * i, 4), f"the checksum of the piece at {at} is wrong")
        zero = [(36, 64), (64 + 32 * n, 4092), (sums + 4 * -(-(sums - 4096) // 65536), length)]
        self.sections, end = {}, 4096
        for at in range(64, 64 + 32 * n, 32):
            name, offset, size = struct.unpack_from("<16sQQ", data, at)
            name = name.rstrip(b"\0").decode()
            expect(offset == end and offset + size <= sums, f"section {name!r} should begin at {end}")
            expect(at == 64 or name not in ("blocks", "bitmaps", "frames", "codes", "boards"), f"section {name!r} should be the first")
            end = pad(offset + size)
            zero.append((offset + size, end))
            self.sections[name] = data[offset : offset + size]
        expect(end == sums and name == "meta", "the last section should be meta, and the checksums should follow")
        for first, last in zero:
            expect(not any(data[first:last]), f"bytes {first} to {last} should be zero")
        self.meta = json.loads(self.sections["meta"])
        self.size = self.meta["size"]
        self.space = self.meta["space"]
        self.numbering = self.space["numbering"]
        self.numbering = self.numbering.get("codes", self.numbering)  # of the store sparse
        self.layers = None  # states by layer, where the sections say it
        self.values = None  # distance and columns by member, where there are some

    def members(self):
        read = getattr(self, "read_" + self.meta["store"].replace("-", "_"), None)
        expect(read, f"this reader does not know the store {self.meta['store']!r}")
        found = read()
        expect(len(found) == self.meta["states"], f"{self.meta['states']} states expected, {len(found)} found")
        expect(all(a < b for a, b in itertools.pairwise(found)), "the numbers should increase")
        return found

    def below(self, numbers, size):
        expect(not numbers or max(numbers) < size, f"number {max(numbers, default=0)} should be below {size}")
        return numbers

    def read_set(self):
        data = self.sections["set"]
        expect(len(data) == 8 * -(-self.size // 64), f"the set should have whole words for {self.size} numbers")
        return self.below(bits(data), self.size)

    def unfold(self, numbers):
        symmetries = Board(self.space, self.numbering).symmetries() if self.space["family"] == "peg" else [lambda x: x]
        expect(len(symmetries) == self.meta["symmetries"], f"{len(symmetries)} symmetries found")
        return sorted({s(x) for x in numbers for s in symmetries})

    def read_folded(self):
        shift, index, found = self.meta["block_bits"], self.sections["index"], []
        size = 1 << shift >> 3
        for block in range(self.size >> shift):
            place = u(index, 4 * block, 4)
            if place:
                data = self.sections["blocks"][(place - 1) * size : place * size]
                expect(len(data) == size, f"block {block} should be at place {place}")
                found += [block << shift | x for x in bits(data)]
        return self.unfold(found)

    def entries(self, data, n, width):
        groups = words(data)
        expect(len(groups) == width * -(-n // 64), f"{n} entries of {width} bits expected")
        found = {}
        for i in range(0, len(groups), width):
            planes = groups[i : i + width]
            for bit in range(64):
                entry = sum((p >> bit & 1) << k for k, p in enumerate(planes))
                if entry:
                    found[i // width * 64 + bit] = entry
        self.below(list(found), n)
        return found

    def read_backptr(self):
        return list(self.entries(self.sections["pointers"], self.size, self.meta["pointer_bits"]))

    def read_backptr_raw(self):
        patterns = self.entries(self.sections["pointers"], 1 << self.meta["pattern_bits"], self.meta["pointer_bits"])
        return sorted(Board(self.space, self.numbering).number(p) for p in patterns)

    def distances(self, data, n):
        width = self.meta.get("distance_bits", 0)
        columns = [(c["name"], c["bits"]) for c in self.meta.get("columns", [])]
        found = self.entries(data, n, (width or 2) + sum(size for _, size in columns))
        if columns:
            most, self.values = [0] * len(columns), {}
            for x, entry in found.items():
                found[x] = entry & (1 << width) - 1
                expect(found[x], f"number {x} is no member, and has values")
                entry, row = entry >> width, [found[x] - 1]
                for i, (_, size) in enumerate(columns):
                    row.append(entry & (1 << size) - 1)
                    most[i], entry = max(most[i], row[-1]), entry >> size
                self.values[x] = row
            for (name, size), value in zip(columns, most):
                expect(value.bit_length() == size, f"column {name!r} should have {value.bit_length()} bits, and has {size}")
        if width:
            self.layers = sorted(collections.Counter(d - 1 for d in found.values()).items())
        else:
            said = collections.Counter()
            for layer in self.meta["layers"]:
                said[layer["layer"] % 3 + 1] += layer["states"]
            expect(said == collections.Counter(found.values()), "the states by distance modulo 3 should be those of the layers")
        return list(found)

    def read_mod3(self):
        return self.distances(self.sections["distances"], self.size)

    read_distance = read_mod3

    def frames(self):
        offsets = words(self.sections["offsets"])
        expect(offsets[0] == 0 and offsets[-1] == len(self.sections["frames"]), "the frames should fill their section")
        for first, last in itertools.pairwise(offsets):
            yield unzstd(self.sections["frames"][first:last]) if first < last else b""

    def read_packed_mod3(self):
        width = self.meta.get("distance_bits", 2) + sum(c["bits"] for c in self.meta.get("columns", []))
        numbers = 1 << 19
        while numbers * width // 8 > 1 << 20:
            numbers //= 2
        frames = list(self.frames())
        expect(len(frames) == -(-self.size // numbers), f"there should be a frame for each {numbers} numbers, found {len(frames)}")
        expect(all(len(f) == numbers * width // 8 for f in frames[:-1]), f"frames should have {numbers} entries of {width} bits")
        return self.distances(b"".join(frames), self.size)

    read_packed_distance = read_packed_mod3

    def read_packed(self):
        order, found = self.meta.get("bit_order"), []
        for i, frame in enumerate(self.frames()):
            for place in bits(frame):
                if order:
                    place = sum((place >> k & 1) << bit for k, bit in enumerate(order))
                found.append(i << 23 | place)
        return self.unfold(self.below(found, self.size))

    def read_sparse(self):
        codes = sorted_list(self.sections["codes"])
        expect(len(codes) == self.size, f"{self.size} codes expected, {len(codes)} found")
        if "distances" in self.sections:
            expect(len(self.distances(self.sections["distances"], self.size)) == self.size, "each state should have a distance")
        return codes

    def read_values(self):
        lists, self.layers, states, at = self.sections["boards"], [], 0, 0
        for layer, length in zip(self.meta["layers"], self.meta["list_bytes"], strict=True):
            found = sorted_list(lists[at : at + length])
            self.layers.append((layer["layer"], len(found)))
            at, states = at + length, states + len(found)
        expect(at == len(lists), f"the lists should have {len(lists)} bytes, and have {at}")
        width = sum(len(o.split(">")) for o in self.meta["objectives"])
        numbers = [x for x, in struct.iter_unpack({4: "<f", 8: "<d"}[self.meta["value_bytes"]], self.sections["values"])]
        expect(len(numbers) == width * self.size, f"{width} values of {self.size} states expected, {len(numbers)} found")
        self.values = [numbers[i : i + width] for i in range(0, len(numbers), width)]
        return list(range(states))

    def read_roaring(self):
        found, by_layer = [], collections.Counter()
        for shard, layer, offset, length in struct.iter_unpack("<4Q", self.sections["index"]):
            numbers = frozen(self.sections["bitmaps"][offset : offset + length])
            expect(numbers, f"the bitmap of layer {layer} is empty")
            by_layer[layer] += len(numbers)
            found += [shard << 32 | x for x in numbers]
        if self.meta["layer"] == "pegs":
            self.layers = sorted(by_layer.items(), reverse=True)
        return self.below(sorted(found), self.size)

    def read_trie(self):
        return trie(words(self.sections["trie"]), self.size, self.meta["states"])

    def read_packed_trie(self):
        return trie(unpack_trie(self.sections["packed trie"]), self.size, self.meta["states"])


class Bits:
    """Reads numbers from the lowest bit of each byte up."""

    def __init__(self, data):
        self.value, self.at, self.end = int.from_bytes(data, "little"), 0, 8 * len(data)

    def take(self, n):
        expect(self.at + n <= self.end, "there should be more bits")
        x = self.value >> self.at & (1 << n) - 1
        self.at += n
        return x

    def zeros(self):
        n = 0
        while not self.take(1):
            n += 1
        return n


def sorted_list(data):
    expect(data[:16] == b"pagoda sorted 1\n" and data[-4:] == b"end\n", "a sorted list should begin and end with its texts")
    width, n, at = struct.unpack_from("<3Q", data, len(data) - 32)
    expect(crc32c(data[at:-8]) == u(data, len(data) - 8, 4), "the checksum of the index is wrong")
    entry, found = 8 * width + 8, []
    starts = [struct.unpack_from(f"<{width + 1}Q", data, i) for i in range(at, len(data) - 32, entry)]
    for i, (*code, first) in enumerate(starts):
        chunk = data[first : starts[i + 1][-1] if i + 1 < len(starts) else at]
        expect(crc32c(chunk[4:]) == u(chunk, 0, 4), f"the checksum of chunk {i} is wrong")
        k, following, stream = chunk[4], chunk[5], Bits(chunk[6:])
        for j in range(min(512, n - 512 * i)):
            if j:
                place = width - 1 - (stream.zeros() if width > 1 else 0)
                zeros = stream.zeros()
                code[place] += (1 << k + zeros | stream.take(k + zeros)) - (1 << k) + 1
                code[place + 1 :] = [stream.take(following) for _ in code[place + 1 :]]
            found.append(sum(w << 64 * (width - 1 - m) for m, w in enumerate(code)))
    expect(len(found) == n, f"{n} codes expected, {len(found)} found")
    return found


def frozen(data):
    header = u(data, len(data) - 4, 4)
    expect(header & 0x7FFF == 13766, "a frozen bitmap should end with its cookie")
    n = header >> 15
    types, counts, keys = data[-4 - n : -4], data[-4 - 3 * n : -4 - n], data[-4 - 5 * n : -4 - 3 * n]
    sets, runs = 0, 8192 * types.count(1)
    arrays = runs + 4 * sum(u(counts, 2 * i, 2) for i in range(n) if types[i] == 3)
    found = []
    for i in range(n):
        base, count = u(keys, 2 * i, 2) << 16, u(counts, 2 * i, 2)
        if types[i] == 1:
            some = bits(data[sets : sets + 8192])
            sets += 8192
        elif types[i] == 2:
            some = list(struct.unpack_from(f"<{count + 1}H", data, arrays))
            arrays += 2 * (count + 1)
        else:
            some = []
            for _ in range(count):
                first, more = struct.unpack_from("<HH", data, runs)
                some += range(first, first + more + 1)
                runs += 4
        expect(types[i] == 3 or len(some) == count + 1, f"container {i} should have {count + 1} numbers")
        found += [base | x for x in some]
    return found


def trie(w, size, states):
    height = max(0, (size - 1).bit_length() - 6)
    expect(w[0] == size and w[1] == states, "the trie should have the numbers of the metadata")
    order = struct.pack("<8Q", *w[3:11])[: 6 + height]
    counts, at, levels = w[11 : 12 + height], 12 + height, []
    for n in counts:
        levels.append(w[at : at + n])
        at += n
    expect(at == len(w), f"the trie should have {at} words, and has {len(w)}")
    found = []

    def walk(level, node, path):
        if node == 0:
            return
        if level == 0:
            leaf = (1 << 64) - 1 if node == 1 else levels[0][node - 2]
            for k in range(64):
                if leaf >> k & 1:
                    string = path << 6 | k
                    found.append(sum((string >> i & 1) << bit for i, bit in enumerate(order)))
            return
        pair = 1 << 32 | 1 if node == 1 else levels[level][node - 2]
        walk(level - 1, pair & 0xFFFFFFFF, path << 1)
        walk(level - 1, pair >> 32, path << 1 | 1)

    walk(height, w[2], 0)
    expect(not found or max(found) < size, "all numbers of the trie should be below its size")
    return sorted(found)


def unpack_trie(data):
    magic = b"pagoda trie 1\n"
    expect(data.startswith(magic), "a packed trie should begin with its text")
    at = len(magic)

    def chunk():
        nonlocal at
        n = shift = 0
        while True:
            byte = u(data, at, 1)
            at += 1
            n |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        at += n
        return unzstd(data[at - n : at])

    w = list(words(chunk()))
    for level, count in enumerate(w[11:]):
        met = 2
        for first in range(0, count, 65536):
            n, c = min(65536, count - first), chunk()
            if level == 0:
                expect(len(c) == 8 * n, f"a chunk of {n} leaves has {len(c)} bytes")
                w += [sum(c[k * n + i] << 8 * k for k in range(8)) for i in range(n)]
                continue
            more = Bits(c[2 * n :])
            for i in range(n):
                node = 0
                for half in range(2):
                    kind = c[half * n + i]
                    below = kind - 1
                    if kind == 0:
                        below, met = met, met + 1
                    elif kind > 2:
                        below = met - (1 << kind - 3 | more.take(kind - 3))
                    node |= below << 32 * half
                w.append(node)
    expect(at == len(data), "nothing should follow a packed trie")
    return w


class Board:
    """A peg board, and the numbers of its positions."""

    def __init__(self, space, numbering):
        expect(space["family"] == "peg", f"patterns are for peg boards; this is of the family {space['family']!r}")
        puzzle = space["puzzle"]
        self.rows = puzzle["start"].split("/")
        self.triangular = puzzle["lattice"] == "triangular"
        diagonals = {"square": [], "triangular": [(1, 1)], "diagonal": [(1, 1), (1, -1)]}
        self.cells = [(r, c) for r, row in enumerate(self.rows) for c, x in enumerate(row) if x in "o."]
        self.at = {cell: i for i, cell in enumerate(self.cells)}
        self.start = sum(1 << i for i, (r, c) in enumerate(self.cells) if self.rows[r][c] == "o")
        self.free = numbering["free"]
        # Lines of three cells, put into echelon form: each has a pivot, the cell that follows from the others.
        steps = [(0, 1), (1, 0)] + diagonals[puzzle["lattice"]]
        lines = [[(r + k * dr, c + k * dc) for k in range(3)] for r, c in self.cells for dr, dc in steps]
        self.lines = [sum(1 << self.at[cell] for cell in line) for line in lines if all(cell in self.at for cell in line)]
        # A position is in the class if its difference from the start is a sum of lines. With the free cells
        # first, each basis vector is the difference that one free cell makes.
        self.basis = {}
        for v in self.lines:
            for cell, b in self.basis.items():
                if v >> cell & 1:
                    v ^= b
            pivot = next((cell for cell in self.free if v >> cell & 1), None)
            if pivot is not None:
                for cell in self.basis:
                    if self.basis[cell] >> pivot & 1:
                        self.basis[cell] ^= v
                self.basis[pivot] = v
        expect(len(self.basis) == len(self.free), "the free cells should decide a position")

    def number(self, position):
        return sum((position >> cell & 1) << i for i, cell in enumerate(self.free))

    def position(self, number):
        p = self.start
        for i, cell in enumerate(self.free):
            if (p >> cell ^ number >> i) & 1:
                p ^= self.basis[cell]
        return p

    def text(self, position):
        rows = [list(row) for row in self.rows]
        for i, (r, c) in enumerate(self.cells):
            rows[r][c] = "o" if position >> i & 1 else "."
        return "/".join(map("".join, rows))

    def symmetries(self):
        turn = (lambda r, c: (c, c - r)) if self.triangular else (lambda r, c: (c, -r))
        least = lambda cells: (min(r for r, _ in cells), min(c for _, c in cells))
        found, cells, origin = set(), self.cells, least(self.cells)
        for k in range(12 if self.triangular else 8):
            cells = [turn(*cell) for cell in cells]
            if k == (6 if self.triangular else 4):
                cells = [(c, r) for r, c in cells]
            low = least(cells)
            moved = [(r - low[0] + origin[0], c - low[1] + origin[1]) for r, c in cells]
            if all(cell in self.at for cell in moved):
                image = tuple(self.at[cell] for cell in moved)
                if all((self.start >> i ^ self.start >> j) & 1 == 0 for i, j in enumerate(image)):
                    found.add(image)
        move = lambda image, p: sum(1 << j for i, j in enumerate(image) if p >> i & 1)
        return [lambda x, image=image: self.number(move(image, self.position(x))) for image in sorted(found)]


def main(args):
    about, more = __doc__.split("\n\n", 1)
    parser = argparse.ArgumentParser(description=about, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE")
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--numbers", action="store_true", help="print the numbers of the members instead, one a line")
    one.add_argument("--values", action="store_true", help="print the distance and the columns of each member, or its values")
    one.add_argument("--patterns", action="store_true", help="print the positions of a peg board")
    parser.add_argument("--most", type=int, default=4_000_000, metavar="N", help="read a file of up to N states, 8 N numbers and 8 N bytes (default: %(default)s)")
    o = parser.parse_args(args)
    try:
        with open(o.file, "rb") as f, mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as data:
            file = File(data, o.most)
        members = file.members()
        if o.numbers:
            sys.stdout.writelines(f"{x}\n" for x in members)
        elif o.values:
            expect(file.values is not None, "the file has no columns")
            sys.stdout.writelines(" ".join(map(str, file.values[x])) + "\n" for x in members)
        elif o.patterns:
            board = Board(file.space, file.numbering)
            sys.stdout.writelines(board.text(board.position(x)) + "\n" for x in members)
        else:
            if file.space["family"] == "peg":
                board = Board(file.space, file.numbering)
                pegs = collections.Counter(board.position(x).bit_count() for x in members)
                expect(file.layers is None or dict(file.layers) == pegs, "the bitmaps should be those of the layers")
                file.layers = sorted(pegs.items(), reverse=True)
            said = [(layer["layer"], layer["states"]) for layer in file.meta["layers"]]
            expect(file.layers is None or file.layers == said, f"the layers should be {file.layers}, and are {said}")
            digest = hashlib.sha256()
            width = 8 * max(1, -(-max(members, default=0).bit_length() // 64))  # a code may have several words
            for x in members:
                digest.update(x.to_bytes(width, "little"))
            print(f"{file.space['name']}: {file.meta['store']}, {len(members)} states, sha256 {digest.hexdigest()}")
            counted = "" if file.layers else " (as the metadata say: this store does not have it)"
            for layer, states in said:
                print(f"{file.meta['layer']} {layer}: {states}{counted}")
    except BrokenPipeError:  # nobody reads on
        sys.stderr.close()
        return 1
    except TooLarge as err:
        print(f"{o.file}: {err}", file=sys.stderr)
        return 2
    except (Bad, OSError, ValueError, KeyError, IndexError, TypeError, struct.error, OverflowError, RecursionError) as err:
        print(f"{o.file}: {type(err).__name__ + ': ' if not isinstance(err, (Bad, OSError)) else ''}{err}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
