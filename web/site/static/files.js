// Files in memory, for a program in Go: what it finds in the object fs.

const errors = { ENOENT: 'no such file or directory', EEXIST: 'file exists', EBADF: 'bad file descriptor', EISDIR: 'is a directory', ENOTDIR: 'not a directory', ENOTEMPTY: 'directory not empty', ENOSYS: 'not implemented' };

function fault(code) {
  const err = new Error(errors[code]);
  err.code = code;
  throw err;
}

const O = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
const names = new Map(); // of files: { bytes, size, number, changed }, and of directories: { directory, size, number, changed }
const open = new Map(); // by descriptor: { file, at, append }
let files = 1;
let descriptors = 3;

const root = { directory: true, size: 0, number: 1, changed: 0 };
const entry = (path) => (path === '/' || path === '.' ? root : names.get(path) ?? fault('ENOENT'));
const parent = (path) => path.slice(0, path.lastIndexOf('/')) || '/';
const within = (path) => [...names.keys()].filter((name) => name !== path && parent(name) === path);
const opened = (fd) => open.get(fd) ?? fault('EBADF');

function stat(file) {
  return {
    dev: 1, ino: file.number, mode: file.directory ? 0o40777 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, size: file.size, blksize: 4096, blocks: Math.ceil(file.size / 512),
    atimeMs: file.changed, mtimeMs: file.changed, ctimeMs: file.changed, isDirectory: () => Boolean(file.directory),
  };
}

function resize(file, size) {
  if (size > file.bytes.length) {
    const bytes = new Uint8Array(size);
    bytes.set(file.bytes.subarray(0, file.size));
    file.bytes = bytes;
  } else if (size < file.size) file.bytes.fill(0, size, file.size);
  file.size = size;
  file.changed = Date.now();
}

const line = { 1: '', 2: '' };

const calls = {
  open(path, flags) {
    let file = path === '/' ? root : names.get(path);
    if (file && flags & O.O_CREAT && flags & O.O_EXCL) fault('EEXIST');
    if (!file) {
      if (!(flags & O.O_CREAT) || !entry(parent(path)).directory) fault('ENOENT');
      names.set(path, file = { bytes: new Uint8Array(0), size: 0, number: ++files, changed: Date.now() });
    }
    if (flags & O.O_TRUNC) resize(file, 0);
    open.set(descriptors, { file, at: 0, append: Boolean(flags & O.O_APPEND) });
    return descriptors++;
  },
  close(fd) { opened(fd); open.delete(fd); },
  fstat: (fd) => stat(opened(fd).file),
  stat: (path) => stat(entry(path)),
  lstat: (path) => stat(entry(path)),
  read(fd, buffer, offset, length, position) {
    const o = opened(fd);
    if (o.file.directory) fault('EISDIR');
    const at = position ?? o.at;
    const n = Math.max(0, Math.min(length, o.file.size - at));
    buffer.set(o.file.bytes.subarray(at, at + n), offset);
    if (position === null) o.at += n;
    return n;
  },
  write(fd, buffer, offset, length, position) {
    if (fd === 1 || fd === 2) { // the console has lines
      const lines = (line[fd] + new TextDecoder().decode(buffer.subarray(offset, offset + length))).split('\n');
      line[fd] = lines.pop();
      lines.forEach((text) => console.log(text));
      return length;
    }
    const o = opened(fd);
    const at = o.append ? o.file.size : position ?? o.at;
    if (at + length > o.file.size) {
      if (at + length > o.file.bytes.length) { // it grows by half, so that many small writes are cheap
        const bytes = new Uint8Array(Math.max(at + length, Math.floor(o.file.bytes.length * 1.5)));
        bytes.set(o.file.bytes.subarray(0, o.file.size));
        o.file.bytes = bytes;
      }
      o.file.size = at + length;
    }
    o.file.bytes.set(buffer.subarray(offset, offset + length), at);
    o.file.changed = Date.now();
    if (position === null) o.at = at + length;
    return length;
  },
  ftruncate(fd, size) { resize(opened(fd).file, size); },
  truncate(path, size) { resize(entry(path), size); },
  rename(from, to) {
    names.set(to, names.get(from) ?? fault('ENOENT'));
    names.delete(from);
  },
  link(from, to) {
    if (names.has(to)) fault('EEXIST');
    names.set(to, entry(from));
  },
  unlink(path) {
    if (entry(path).directory) fault('EISDIR');
    names.delete(path);
  },
  mkdir(path) {
    if (path === '/' || names.has(path)) fault('EEXIST');
    if (!entry(parent(path)).directory) fault('ENOTDIR');
    names.set(path, { directory: true, size: 0, number: ++files, changed: Date.now() });
  },
  rmdir(path) {
    if (!entry(path).directory) fault('ENOTDIR');
    if (within(path).length) fault('ENOTEMPTY');
    names.delete(path);
  },
  readdir: (path) => within(path).map((name) => name.slice(name.lastIndexOf('/') + 1)),
  fsync() {},
  chmod() {},
  fchmod() {},
  utimes() {},
};
for (const name of ['chown', 'fchown', 'lchown', 'readlink', 'symlink']) calls[name] = () => fault('ENOSYS');

const fs = { constants: O };
for (const [name, call] of Object.entries(calls)) {
  fs[name] = (...args) => {
    const done = args.pop();
    let value;
    try {
      value = call(...args);
    } catch (err) {
      done(err.code ? err : Object.assign(new Error(String(err)), { code: 'ENOSPC' })); // no memory for it
      return;
    }
    done(null, value);
  };
}
fs.writeSync = (fd, buffer) => calls.write(fd, buffer, 0, buffer.length, null);

globalThis.fs = fs;
globalThis.process = { getuid: () => -1, getgid: () => -1, geteuid: () => -1, getegid: () => -1, getgroups: () => [], pid: 1, ppid: 1, umask: () => 0, cwd: () => '/', chdir() {} };
globalThis.path = { resolve: (...parts) => { const path = parts.join('/').replace(/\/+/g, '/'); return path.startsWith('/') ? path : `/${path}`; } };
