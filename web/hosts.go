package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"

	"pagoda/web/api"
)

// Hosts are the names that a server answers to. A page of another site can make a name of its own
// point to this machine, and then read answers; but its requests carry that name.
type Hosts struct {
	// Names are host names and addresses, besides localhost and the loopback addresses.
	Names []string
	// Exposed answers to the address at which a request arrives, too.
	Exposed bool
}

// NewHosts returns the names of a server that listens at an address, with more names.
func NewHosts(at *net.TCPAddr, more []string) (h Hosts, err error) {
	for _, name := range more {
		if name == "" || strings.ContainsAny(name, "/ @*") || strings.Contains(name, ":") && !isAddress(name) {
			return h, fmt.Errorf("--host is %.100q, expected the name of a host or an address, without a port", name)
		}
		h.Names = append(h.Names, hostName(name))
	}
	if h.Exposed = !at.IP.IsLoopback(); h.Exposed {
		if name, err := os.Hostname(); err == nil && name != "" {
			first, _, _ := strings.Cut(name, ".")
			h.Names = append(h.Names, hostName(name), hostName(first), hostName(first)+".local")
		}
	}
	slices.Sort(h.Names)
	h.Names = slices.Compact(h.Names)
	return h, nil
}

func isAddress(name string) bool {
	_, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil
}

// hostName returns a name, or an address, as the names are compared.
func hostName(host string) string {
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().String()
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// check refuses a request to another host.
func (h Hosts) check(r *http.Request) error {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = hostName(host)
	ip, err := netip.ParseAddr(host)
	arrived, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	switch {
	case host == "localhost", err == nil && ip.IsLoopback(), slices.Contains(h.Names, host):
		return nil
	case h.Exposed && arrived != nil && err == nil && ip == arrived.AddrPort().Addr().Unmap().WithZone(""):
		return nil
	}
	advice := "localhost or 127.0.0.1"
	if h.Exposed {
		advice = "its address, or one of the names localhost, " + strings.Join(h.Names, ", ")
	}
	return &api.Error{Status: http.StatusMisdirectedRequest, Message: fmt.Sprintf("this server is not %.100q: use %s, or start query serve with --host", r.Host, advice)}
}

// Exposure says who can see what on a server that others reach.
func (h Hosts) Exposure(at *net.TCPAddr) string {
	where := at.String()
	if at.IP.IsUnspecified() {
		where = fmt.Sprintf("port %d of this machine", at.Port)
	}
	return fmt.Sprintf("everybody who reaches %s can see the page and all that the file holds, and can keep this machine busy: there is no password and no encryption; "+
		"the names of the server are localhost, the addresses of this machine, %s; --host adds others", where, strings.Join(h.Names, ", "))
}
