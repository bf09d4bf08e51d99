package cluster

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"log/slog"
	"net"
	"os"
	"regexp"
	"slices"
	"time"

	"quintune/internal/text"
)

// hostName is a name that a certificate can hold. Its last label is not a number, as in a mistyped address.
var hostName = regexp.MustCompile(`^(\*\.)?([A-Za-z0-9_][A-Za-z0-9_-]*\.)*([0-9]*[A-Za-z_]|[0-9]+-)[A-Za-z0-9_-]*$`)

// checkHost returns an error where no worker can reach a server by the host.
func checkHost(host string) error {
	if net.ParseIP(host) == nil && !hostName.MatchString(host) {
		return fmt.Errorf("cluster: the host %.80q is neither a name such as host.example nor an address such as 10.0.0.1, without scheme and port", host)
	}
	return nil
}

// localHosts returns the names and addresses that the certificate of every server has.
func localHosts() []string { return []string{"localhost", "127.0.0.1", "::1"} }

// hostsOf returns the other names and addresses in the certificate of a server.
func hostsOf(server *x509.Certificate) []string {
	hosts := slices.Clone(server.DNSNames)
	for _, ip := range server.IPAddresses {
		hosts = append(hosts, ip.String())
	}
	return slices.DeleteFunc(hosts, func(host string) bool { return slices.Contains(localHosts(), host) })
}

// newServer makes the certificate of a server with the given names and addresses.
func newServer(authority *issued, hosts []string, life time.Duration) (*issued, error) {
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: "quintune cluster server"},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, host := range append(localHosts(), hosts...) {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	return issue(template, authority, life)
}

// RenewServer issues the server's certificate anew, for the hosts, or where there are none for those that it has. Our own server takes
// it within seconds; an outside nats-server must be told to reload. The error is filelock.ErrHeld as for Add.
func (f *Folder) RenewServer(hosts []string, life time.Duration) error {
	return f.change(func(list []Party) ([]Party, error) { // what notices a changed list notices the certificate
		if len(hosts) == 0 {
			old, err := f.server()
			if err != nil {
				return nil, err
			}
			hosts = hostsOf(old)
		}
		if err := CheckNew(hosts, nil); err != nil {
			return nil, err
		}
		authority, err := f.authority()
		if err != nil {
			return nil, err
		}
		own, err := newServer(authority, hosts, life)
		if err != nil {
			return nil, err
		}
		if err := replaceSecret(f.file(serverKeyFile), own.key); err != nil { // first: with the certificate alone it can be done again
			return nil, err
		}
		return list, replaceSecret(f.file(serverFile), own.certificate)
	})
}

// ServerExpires returns when the server's certificate expires.
func (f *Folder) ServerExpires() (time.Time, error) {
	own, err := f.server()
	if err != nil {
		return time.Time{}, err
	}
	return own.NotAfter, nil
}

// server reads the server's certificate.
func (f *Folder) server() (*x509.Certificate, error) {
	data, err := os.ReadFile(f.file(serverFile))
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("cluster: %s holds no certificate", f.file(serverFile))
	}
	own, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("cluster: %s: %w", f.file(serverFile), err)
	}
	return own, nil
}

// expirySoon is the time before the end of the server's certificate from which on a start warns; most runs end within it.
const expirySoon = 14 * 24 * time.Hour

// checkServer returns an error where the server's certificate has expired, so that no worker would accept it, and warns where it soon
// will.
func (f *Folder) checkServer(log *slog.Logger) error {
	expires, err := f.ServerExpires()
	if err != nil {
		return err
	}
	date, anew := expires.Format(time.DateOnly), f.anew("it")
	switch left := time.Until(expires); {
	case left <= 0:
		return fmt.Errorf("cluster: the server's certificate %s expired on %s: %s", f.file(serverFile), date, anew)
	case left < expirySoon:
		log.Warn("cluster: the server's certificate expires soon: "+anew, "file", f.file(serverFile), "expires", date)
	}
	return nil
}

// anew tells how the server's certificate, or a word for it, is issued anew.
func (f *Folder) anew(it string) string {
	return "issue " + it + " anew with `" + text.CommandLine("tune", "cluster", "init", "--renew", "--cluster-dir", f.path) + "`"
}

// serverTLS returns the server's TLS settings: a client must show a certificate of the authority.
func (f *Folder) serverTLS() (*tls.Config, error) {
	own, err := tls.LoadX509KeyPair(f.file(serverFile), f.file(serverKeyFile))
	if err != nil { // after a kill between the two files they do not match
		return nil, fmt.Errorf("cluster: the server's certificate %s and key %s: %w: %s", f.file(serverFile), f.file(serverKeyFile), err, f.anew("it"))
	}
	authority, err := os.ReadFile(f.file(authorityFile))
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authority) {
		return nil, fmt.Errorf("cluster: %s holds no certificate", f.file(authorityFile))
	}
	return &tls.Config{
		MinVersion: leastTLS, Certificates: []tls.Certificate{own},
		ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
	}, nil
}
