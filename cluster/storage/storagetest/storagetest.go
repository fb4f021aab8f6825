// Package storagetest has a fake of a bucket for tests.
package storagetest

import (
	"net/http/httptest"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Bucket starts a fake of S3 for a test, and returns the URL of a place in a bucket of it.
func Bucket(t *testing.T) string {
	t.Helper()
	backend := s3mem.New()
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	if err := backend.CreateBucket("puzzles"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "a")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "b")
	return "s3://puzzles/runs/one?region=us-east-1&use_path_style=true&disable_https=true&endpoint=" + server.URL
}
