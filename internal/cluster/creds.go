package cluster

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/nats-io/nkeys"
)

// Creds are what one party of a cluster connects with: its certificate, that of the authority it trusts,
// and its nkey, by which the server knows who it is. Safe for concurrent use.
type Creds struct {
	certificate tls.Certificate
	authority   *x509.CertPool
	seed        []byte
	key         string
}

// Types of the blocks in a file of credentials. The first certificate is the party's own, the second the
// authority's.
const (
	pemCertificate = "CERTIFICATE"
	pemPrivateKey  = "PRIVATE KEY"
	pemSeed        = "NKEY SEED"
)

// LoadCreds reads a file of credentials that `tune cluster init` has made. A file that everybody can read is
// refused.
func LoadCreds(path string) (*Creds, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("cluster: credentials: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o007 != 0 {
		return nil, fmt.Errorf("cluster: credentials %s can be read by everybody (mode %04o): chmod 600", path, info.Mode().Perm())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cluster: credentials: %w", err)
	}
	c, err := parseCreds(data)
	if err != nil {
		return nil, fmt.Errorf("cluster: credentials %s: %w", path, err)
	}
	return c, nil
}

// parseCreds reads the blocks of a file.
func parseCreds(data []byte) (*Creds, error) {
	blocks := map[string][]*pem.Block{}
	for {
		var b *pem.Block
		if b, data = pem.Decode(data); b == nil {
			break
		}
		blocks[b.Type] = append(blocks[b.Type], b)
	}
	if len(blocks[pemCertificate]) != 2 || len(blocks[pemPrivateKey]) != 1 || len(blocks[pemSeed]) != 1 {
		return nil, errors.New("does not hold two certificates, a private key and an nkey seed")
	}
	c := &Creds{authority: x509.NewCertPool(), seed: blocks[pemSeed][0].Bytes}
	var err error
	own := pem.EncodeToMemory(blocks[pemCertificate][0])
	if c.certificate, err = tls.X509KeyPair(own, pem.EncodeToMemory(blocks[pemPrivateKey][0])); err != nil {
		return nil, err
	}
	if !c.authority.AppendCertsFromPEM(pem.EncodeToMemory(blocks[pemCertificate][1])) {
		return nil, errors.New("the authority's certificate cannot be read")
	}
	pair, err := nkeys.FromSeed(c.seed)
	if err != nil {
		return nil, fmt.Errorf("the nkey seed: %w", err)
	}
	c.key, err = pair.PublicKey()
	return c, err
}

// marshalCreds returns the file of the blocks.
func marshalCreds(own *issued, authority, seed []byte) []byte {
	var b bytes.Buffer
	b.Write(own.certificate)
	b.Write(own.key)
	b.Write(authority)
	b.Write(pem.EncodeToMemory(&pem.Block{Type: pemSeed, Bytes: seed}))
	return b.Bytes()
}

// Key returns the public nkey, which names the party.
func (c *Creds) Key() string { return c.key }

// sign answers the server's challenge.
func (c *Creds) sign(nonce []byte) ([]byte, error) {
	pair, err := nkeys.FromSeed(c.seed)
	if err != nil {
		return nil, err
	}
	defer pair.Wipe()
	return pair.Sign(nonce)
}

// clientTLS is the client's side of the connection.
func (c *Creds) clientTLS() *tls.Config {
	return &tls.Config{MinVersion: leastTLS, Certificates: []tls.Certificate{c.certificate}, RootCAs: c.authority}
}
