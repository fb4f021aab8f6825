// Package storage keeps the objects of a run where all workers can read them: in a folder, or
// in a bucket of S3 or Google Cloud Storage. An object is written as a whole: it is there with all
// of its bytes or not at all.
package storage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/gcsblob" // gs://
	_ "gocloud.dev/blob/s3blob"  // s3://
	"gocloud.dev/gcerrors"
)

// ErrMissing says that an object is not there, ErrDamaged that it is not as it was written. They
// come wrapped.
var (
	ErrMissing = errors.New("missing")
	ErrDamaged = errors.New("damaged")
)

// A Place is where the objects of a run lie. Several goroutines may use it at once.
type Place struct {
	bucket *blob.Bucket
	where  string
	folder string // its path, if it is one
}

// Open opens a place: the path of a folder, which is made if need be, or a URL such as
// s3://bucket/run or gs://bucket/run. The part behind the bucket is a prefix of all names.
func Open(ctx context.Context, where string) (*Place, error) {
	if !strings.Contains(where, "://") {
		return openFolder(where)
	}
	u, err := url.Parse(where)
	if err != nil {
		return nil, err
	}
	if u.Scheme == "file" {
		return openFolder(filepath.FromSlash(u.Path))
	}
	prefix := strings.Trim(u.Path, "/")
	u.Path = ""
	bucket, err := blob.OpenBucket(ctx, u.String())
	if err != nil {
		return nil, fmt.Errorf("cannot open %s: %w", where, err)
	}
	if prefix != "" {
		bucket = blob.PrefixedBucket(bucket, prefix+"/")
	}
	return &Place{bucket: bucket, where: where}, nil
}

func openFolder(path string) (*Place, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		err = os.MkdirAll(path, 0o777)
	}
	if err != nil {
		return nil, err
	}
	bucket, err := fileblob.OpenBucket(path, &fileblob.Options{Metadata: fileblob.MetadataDontWrite, NoTempDir: true})
	if err != nil {
		return nil, err
	}
	return &Place{bucket: bucket, where: path, folder: path}, nil
}

// Close closes the place.
func (p *Place) Close() error { return p.bucket.Close() }

// String returns where the place is, in a form that Open takes from any folder.
func (p *Place) String() string { return p.where }

// Folder returns the path of the folder, or "" if the place is a bucket.
func (p *Place) Folder() string { return p.folder }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sum returns the checksum by which objects are known: CRC32C.
func Sum(data []byte) uint32 { return crc32.Checksum(data, castagnoli) }

// Put writes an object in place of one that may be there.
func (p *Place) Put(ctx context.Context, name string, data []byte) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // before Close: nothing is written
	w, err := p.bucket.NewWriter(ctx, name, &blob.WriterOptions{ContentType: "application/octet-stream", DisableContentTypeDetection: true})
	if err == nil {
		if _, err = w.Write(data); err != nil {
			cancel()
			w.Close()
		} else {
			err = w.Close()
		}
	}
	if err != nil {
		return fmt.Errorf("cannot write %s in %s: %w", name, p, err)
	}
	return nil
}

// Get reads an object. It is ErrMissing if there is none.
func (p *Place) Get(ctx context.Context, name string) ([]byte, error) {
	data, err := p.bucket.ReadAll(ctx, name)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, fmt.Errorf("%s in %s is %w", name, p, ErrMissing)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s in %s: %w", name, p, err)
	}
	return data, nil
}

// GetRange reads a part of an object. It is ErrMissing if there is no object, and ErrDamaged if the object ends
// before.
func (p *Place) GetRange(ctx context.Context, name string, offset, length int64) ([]byte, error) {
	r, err := p.bucket.NewRangeReader(ctx, name, offset, length, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, fmt.Errorf("%s in %s is %w", name, p, ErrMissing)
	}
	data := make([]byte, length)
	if err == nil {
		_, err = io.ReadFull(r, data)
		r.Close()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("%s in %s is %w: it should have %d bytes or more, and has fewer", name, p, ErrDamaged, offset+length)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %d bytes of %s in %s: %w", length, name, p, err)
	}
	return data, nil
}

// PutJSON writes a value as JSON, behind the checksum of its text.
func (p *Place) PutJSON(ctx context.Context, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return p.Put(ctx, name, fmt.Appendf(nil, "%08x %s\n", Sum(text), text))
}

// GetJSON reads into v what PutJSON has written. It returns the text; ErrDamaged if it is another.
func (p *Place) GetJSON(ctx context.Context, name string, v any) (text []byte, err error) {
	data, err := p.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	sum, text, _ := bytes.Cut(bytes.TrimSuffix(data, []byte("\n")), []byte(" "))
	if found := fmt.Sprintf("%08x", Sum(text)); found != string(sum) {
		return nil, fmt.Errorf("%s in %s is %w: its checksum should be %.8q, and is %s", name, p, ErrDamaged, sum, found)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return nil, fmt.Errorf("%s in %s is %w: %v", name, p, ErrDamaged, err)
	}
	return text, nil
}

// GetSummed reads an object whose length and checksum are known. The error is ErrDamaged if they differ.
func (p *Place) GetSummed(ctx context.Context, name string, length int64, sum uint32) ([]byte, error) {
	data, err := p.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	if n := int64(len(data)); n != length {
		return nil, fmt.Errorf("%s in %s is %w: it should have %d bytes, and has %d", name, p, ErrDamaged, length, n)
	}
	if found := Sum(data); found != sum {
		return nil, fmt.Errorf("%s in %s is %w: its checksum should be %08x, and is %08x", name, p, ErrDamaged, sum, found)
	}
	return data, nil
}

// Remove removes the objects that are chosen by their names, and the folders that are empty then. Files that others
// have put into the place stay.
func (p *Place) Remove(ctx context.Context, chosen func(name string) bool) error {
	// A list of a folder has pages, and may skip an object where one ends: so list until there is nothing.
	for {
		names, err := p.list(ctx, chosen)
		if err != nil {
			return err
		}
		if len(names) == 0 {
			break
		}
		for _, name := range names {
			if err := p.bucket.Delete(ctx, name); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
				return fmt.Errorf("cannot remove %s in %s: %w", name, p, err)
			}
		}
	}
	if p.folder != "" {
		entries, _ := os.ReadDir(p.folder)
		for _, e := range entries {
			if e.IsDir() { // a killed run may have left it empty
				os.Remove(filepath.Join(p.folder, e.Name())) // unless there is something in it
			}
		}
		os.Remove(p.folder)
	}
	return nil
}

// list returns the names of the chosen objects.
func (p *Place) list(ctx context.Context, chosen func(name string) bool) (names []string, err error) {
	objects := p.bucket.List(nil)
	for {
		o, err := objects.Next(ctx)
		if err == io.EOF {
			return names, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cannot list the objects in %s: %w", p, err)
		}
		if chosen(o.Key) {
			names = append(names, o.Key)
		}
	}
}
