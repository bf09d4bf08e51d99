//go:build system && linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// lab is a network inside this machine: a hub and hosts, each in a network namespace of its own, with a link
// from the hub to each host.
type lab struct {
	t    *testing.T
	name string
}

// newLab makes a lab of n hosts. It needs root.
func newLab(t *testing.T, hosts int) *lab {
	t.Helper()
	l := &lab{t, fmt.Sprintf("qt%d", os.Getpid())}
	t.Cleanup(func() {
		for i := range hosts + 1 {
			_ = exec.Command("ip", "netns", "del", l.space(i)).Run() // this also deletes its links
		}
	})
	for i := range hosts + 1 {
		l.do("ip", "netns", "add", l.space(i))
		l.do("ip", "-n", l.space(i), "link", "set", "lo", "up")
	}
	for i := 1; i <= hosts; i++ {
		l.veth(i)
	}
	return l
}

// space returns the name of a host's namespace; host 0 is the hub.
func (l *lab) space(host int) string { return fmt.Sprintf("%s-%d", l.name, host) }

// hubAddress returns the hub's address as seen from the host.
func hubAddress(host int) string { return fmt.Sprintf("10.77.%d.1", host) }

// do runs a command that must succeed.
func (l *lab) do(name string, args ...string) {
	l.t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		l.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// command is a program in a host's namespace.
func (l *lab) command(host int, program string, args ...string) *exec.Cmd {
	return exec.Command("ip", append([]string{"netns", "exec", l.space(host), program}, args...)...)
}

// veth connects a host to the hub by a pair of virtual devices.
func (l *lab) veth(host int) {
	hub, end := fmt.Sprintf("h%d", host), fmt.Sprintf("e%d", host)
	l.do("ip", "link", "add", hub, "netns", l.space(0), "type", "veth", "peer", "name", end, "netns", l.space(host))
	l.address(0, hub, hubAddress(host)+"/24")
	l.address(host, end, fmt.Sprintf("10.77.%d.2/24", host))
}

func (l *lab) address(host int, device, address string) {
	l.do("ip", "-n", l.space(host), "addr", "add", address, "dev", device)
	l.do("ip", "-n", l.space(host), "link", "set", device, "up")
}

// cut takes a host's link down, or up again.
func (l *lab) cut(host int, down bool) {
	state := "up"
	if down {
		state = "down"
	}
	l.do("ip", "-n", l.space(host), "link", "set", fmt.Sprintf("e%d", host), state)
}

// Properties of a bad link; each direction has half of the delay.
const (
	roughDelay = 200 * time.Millisecond // there and back
	roughLoss  = .05
)

// roughen makes a host's link slow and lossy. It uses the kernel's netem. Where the kernel has none, it uses a
// relay between two tun devices that delays and drops packets in the same way.
func (l *lab) roughen(host int) {
	l.t.Helper()
	half := fmt.Sprintf("%dms", roughDelay.Milliseconds()/2)
	loss := fmt.Sprintf("%g%%", 100*roughLoss)
	netem := true
	for space, device := range map[int]string{0: fmt.Sprintf("h%d", host), host: fmt.Sprintf("e%d", host)} {
		err := exec.Command("tc", "-n", l.space(space), "qdisc", "add", "dev", device, "root", "netem", "delay", half, "loss", loss).Run()
		netem = netem && err == nil
	}
	if netem {
		l.t.Log("the link is made rough by tc netem")
		return
	}
	l.t.Log("this kernel has no netem: packets are delayed and dropped by a relay between two tun devices")
	l.do("ip", "-n", l.space(host), "link", "del", fmt.Sprintf("e%d", host))
	hub, end := l.tun(0, fmt.Sprintf("h%d", host)), l.tun(host, fmt.Sprintf("e%d", host))
	l.address(0, fmt.Sprintf("h%d", host), fmt.Sprintf("%s/24", hubAddress(host)))
	l.address(host, fmt.Sprintf("e%d", host), fmt.Sprintf("10.77.%d.2/24", host))
	relay(l.t, hub, end, rand.New(rand.NewPCG(uint64(host), 1)))
	relay(l.t, end, hub, rand.New(rand.NewPCG(uint64(host), 2)))
}

// tun opens a tun device in a host's namespace.
func (l *lab) tun(host int, device string) *os.File {
	l.t.Helper()
	made := make(chan *os.File)
	go func() { // a thread in another namespace must not be used again, so it ends with the goroutine
		runtime.LockOSThread()
		f, err := openTun("/run/netns/"+l.space(host), device)
		if err != nil {
			l.t.Errorf("tun %s: %v", device, err)
		}
		made <- f
	}()
	f := <-made
	if f == nil {
		l.t.FailNow()
	}
	l.t.Cleanup(func() { _ = f.Close() })
	return f
}

// openTun opens a tun device in the namespace with the path. It moves the thread there for good.
func openTun(space, device string) (*os.File, error) {
	ns, err := os.Open(space)
	if err != nil {
		return nil, err
	}
	defer ns.Close()
	if err := unix.Setns(int(ns.Fd()), unix.CLONE_NEWNET); err != nil {
		return nil, err
	}
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	var request struct {
		name  [unix.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], device)
	request.flags = unix.IFF_TUN | unix.IFF_NO_PI
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.TUNSETIFF, uintptr(unsafe.Pointer(&request))); errno != 0 {
		return nil, errno
	}
	return os.NewFile(uintptr(fd), device), nil
}

// relay carries packets in one direction, with delay and loss, until from is closed.
func relay(t *testing.T, from, to *os.File, lots *rand.Rand) {
	type packet struct {
		data []byte
		due  time.Time
	}
	way := make(chan packet, 10_000)
	var running sync.WaitGroup
	running.Go(func() {
		defer close(way)
		for buffer := make([]byte, 1<<16); ; {
			n, err := from.Read(buffer)
			if err != nil {
				return
			}
			if lots.Float64() >= roughLoss {
				way <- packet{append([]byte(nil), buffer[:n]...), time.Now().Add(roughDelay / 2)}
			}
		}
	})
	running.Go(func() {
		for p := range way {
			time.Sleep(time.Until(p.due))
			_, _ = to.Write(p.data) // a packet that cannot be sent is lost
		}
	})
	t.Cleanup(func() {
		_ = from.Close()
		running.Wait()
	})
}
