package gomocup

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"quintune/pattern"
)

// running reports whether the process exists and is not a zombie.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

// endsSoon fails the test when the process still runs after a minute.
func endsSoon(t *testing.T, pid int) {
	t.Helper()
	for start := time.Now(); running(pid); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatalf("process %d runs on", pid)
		}
	}
}

// An engine that is a wrapper around another dies with it.
func TestKillEndsTheWholeGroup(t *testing.T) {
	child := 0
	c, err := Launch(launchLine(t, "wrapper"), ClientOptions{Report: func(line string) {
		if _, err := fmt.Sscanf(line, "MESSAGE child %d", &child); err != nil {
			t.Errorf("line %q: %v", line, err)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Kill()
	if err := c.Start(t.Context(), 15, pattern.Freestyle, GameLimits{}); err != nil {
		t.Fatal(err)
	}
	if child == 0 || !running(child) {
		t.Fatalf("child %d does not run", child)
	}
	c.Kill()
	endsSoon(t, child)
}

// membersOf returns the living processes of a group.
func membersOf(t *testing.T, group int) (pids []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || !running(pid) {
			continue
		}
		if of, err := syscall.Getpgid(pid); err == nil && of == group {
			pids = append(pids, pid)
		}
	}
	return pids
}

// kill -9 of the manager ends its engine, though that does not read its input, and what that has started.
func TestEngineDiesWithItsManager(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for behaviour, processes := range map[string]int{"asleep": 1, "wrapper": 2} {
		manager := exec.Command(self, engineArgument+"parent", behaviour)
		out, err := manager.StdoutPipe()
		if err == nil {
			err = manager.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		engine, bad := strconv.Atoi(strings.TrimSpace(line))
		if err != nil || bad != nil {
			t.Fatalf("%s: engine %q, %v, %v", behaviour, line, err, bad)
		}
		members := membersOf(t, engine)
		for start := time.Now(); len(members) != processes; members = membersOf(t, engine) {
			if time.Since(start) > time.Minute {
				t.Fatalf("%s: %d processes", behaviour, len(members))
			}
			time.Sleep(5 * time.Millisecond)
		}
		if err := manager.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = manager.Wait()
		for _, pid := range members {
			endsSoon(t, pid)
		}
	}
}

// The parent-death signal follows the thread that made the child. An engine launched from a
// goroutine whose thread ends must live on.
func TestEngineOutlivesTheThreadThatLaunchedIt(t *testing.T) {
	launched := make(chan *Client, 1)
	line := launchLine(t, "good")
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		c, err := Launch(line, ClientOptions{})
		if err != nil {
			t.Error(err)
		}
		launched <- c
	}()
	c := <-launched
	if c == nil {
		return
	}
	defer c.Kill()
	for range 20 { // make threads come and go
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread()
			time.Sleep(time.Millisecond)
		}()
		<-done
	}
	if err := c.Start(t.Context(), 15, pattern.Freestyle, GameLimits{Turn: time.Minute}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Begin(t.Context()); err != nil {
		t.Error(err)
	}
}
