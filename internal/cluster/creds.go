package cluster

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"runtime"
	"time"

	"github.com/nats-io/nkeys"
)

// Creds are the credentials of one party: its certificate, the certificate of the authority that it trusts, and
// its nkey, by which the server identifies it. Safe for concurrent use.
type Creds struct {
	path        string // of their file
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

// LoadCreds reads a file of credentials made by `tune cluster init`. A file that is open to everybody is refused; the group may
// read it.
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
	c.path = path
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

// marshalCreds encodes credentials as a file.
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

// party returns the name of the party, as its certificate has it.
func (c *Creds) party() string { return c.certificate.Leaf.Subject.CommonName }

// sign signs the server's challenge.
func (c *Creds) sign(nonce []byte) ([]byte, error) {
	pair, err := nkeys.FromSeed(c.seed)
	if err != nil {
		return nil, err
	}
	defer pair.Wipe()
	return pair.Sign(nonce)
}

// clientTLS returns the client's TLS settings.
func (c *Creds) clientTLS() *tls.Config {
	return &tls.Config{MinVersion: leastTLS, Certificates: []tls.Certificate{c.certificate}, RootCAs: c.authority}
}

// issued is a certificate with its private key, both in PEM.
type issued struct {
	certificate, key []byte
}

// authorityLife is the validity of the authority's own certificate.
const authorityLife = 10 * 365 * 24 * time.Hour

// newAuthority makes the certificate authority of one cluster.
func newAuthority() (*issued, error) {
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "quintune cluster authority"},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	return issue(template, nil, authorityLife)
}

// newClient makes the certificate of a party.
func newClient(authority *issued, name string, life time.Duration) (*issued, error) {
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: name},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	return issue(template, authority, life)
}

// issue makes a key and a certificate for it, signed by the authority, or self-signed where authority is nil.
func issue(template *x509.Certificate, authority *issued, life time.Duration) (*issued, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	now := time.Now()
	template.NotBefore, template.NotAfter = now.Add(-5*time.Minute), now.Add(life)
	parent, signer := template, any(key)
	if authority != nil {
		pair, err := tls.X509KeyPair(authority.certificate, authority.key)
		if err != nil {
			return nil, fmt.Errorf("cluster: the authority: %w", err)
		}
		parent, signer = pair.Leaf, pair.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return &issued{
		pem.EncodeToMemory(&pem.Block{Type: pemCertificate, Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: pemPrivateKey, Bytes: secret}),
	}, nil
}
