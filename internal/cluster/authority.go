package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// issued is a certificate with its private key, both in PEM.
type issued struct {
	certificate, key []byte
}

// authorityLife is how long the authority's own certificate is good.
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

// newServer makes the certificate of a server with the names and addresses.
func newServer(authority *issued, hosts []string, life time.Duration) (*issued, error) {
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: "quintune cluster server"},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, host := range append([]string{"localhost", "127.0.0.1", "::1"}, hosts...) {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	return issue(template, authority, life)
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

// issue makes a key and a certificate for it, signed by the authority, or by itself where there is none.
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
