package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"time"
)

// maxArchive is the largest archive that Gomocup takes, bytes.
const maxArchive = 8_000_000

// file is one file of an archive.
type file struct {
	name       string
	data       []byte
	executable bool
}

// noTime is the time of all files, so that equal contents make equal archives: the first that zip can tell.
var noTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// pack returns an archive of the files, in their order and without folders.
func pack(files []file) ([]byte, error) {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: noTime}
		mode := fs.FileMode(0o644)
		if f.executable {
			mode = 0o755
		}
		header.SetMode(mode)
		w, err := z.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	if archive.Len() > maxArchive {
		return nil, fmt.Errorf("the archive has %d bytes, more than the %d that a tournament takes", archive.Len(), maxArchive)
	}
	return archive.Bytes(), nil
}
