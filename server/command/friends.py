"""How friends get to this machine: its addresses, links that work from elsewhere, their QR code, and the ways in from far away."""

from __future__ import annotations

import ipaddress
import socket
import struct
from pathlib import Path

PROBES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses that nobody has: a datagram socket that is connected to one sends nothing, and knows from where it would."""
SIOCGIFADDR = 0x8915
"""Linux: the IPv4 address of an interface."""


def addresses() -> list[str]:
    """The addresses by which others in the same network can reach this machine, the likeliest first. None that only this machine
    or only this cable knows: no loopback, no link-local.
    """
    found = [*_outward(), *_interfaces(), *_interfaces_6(), *_by_name()]
    return [address for address in dict.fromkeys(found) if _reachable(address)]


def _reachable(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast)


def _outward() -> list[str]:
    """From where a packet would leave."""
    found: list[str] = []
    for family, far in PROBES:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((far, 9))
                found.append(str(probe.getsockname()[0]))
        except OSError:
            pass
    return found


def _interfaces() -> list[str]:
    """The IPv4 address of each interface, where the system tells."""
    try:
        import fcntl
    except ImportError:  # no Unix
        return []
    found: list[str] = []
    for _, name in socket.if_nameindex():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            try:
                reply = fcntl.ioctl(asked.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:  # the interface has none, or this is no Linux
                continue
        found.append(socket.inet_ntoa(reply[20:24]))
    return found


def _interfaces_6() -> list[str]:
    """The IPv6 addresses of the interfaces, where Linux tells."""
    try:
        lines = Path("/proc/net/if_inet6").read_text("ascii").splitlines()
    except OSError:
        return []
    return [str(ipaddress.IPv6Address(bytes.fromhex(line.split()[0]))) for line in lines if line.strip()]


def _by_name() -> list[str]:
    """What this machine's name means to itself."""
    try:
        known = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return [str(where[0]).partition("%")[0] for *_, where in known]


def page(address: str, port: int, *, tls: bool) -> str:
    """What a friend opens in a browser, or gives to `apnap play`."""
    host = f"[{address}]" if ":" in address else address
    return f"{'https' if tls else 'http'}://{host}:{port}"


def qr(text: str) -> list[str]:
    """A QR code in lines of half blocks, for a camera before a terminal."""
    import io

    import segno

    out = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n").splitlines()


def far_away(address: str, port: int, *, tls: bool = False) -> list[str]:
    """How friends in other networks get in: three ways, each with what to type."""
    scheme = "https" if tls else "http"
    # Between cloudflared and this server the certificate's name is another.
    tunnel = f"cloudflared tunnel --url {scheme}://127.0.0.1:{port}{' --no-tls-verify' if tls else ''}"
    secrecy = (
        "The certificate has to name that address."
        if tls
        else "What is said is not encrypted; with a certificate it is (--tls-cert, --tls-key)."
    )
    return [
        "Friends elsewhere get in by one of three ways:",
        f"  1. Port forwarding: in your router, send TCP port {port} on to {address} port {port}. Your address, as others see it,",
        f"     is told by `curl -4 https://ifconfig.co`; friends open {scheme}://THAT-ADDRESS:{port}. Behind a provider's shared",
        f"     address (CGNAT) this cannot work. {secrecy}",
        "  2. A private network, encrypted: all install Tailscale (or WireGuard, ZeroTier); you say `tailscale up`, and",
        f"     friends open {scheme}://ADDRESS:{port} with the address from `tailscale ip -4`.",
        f"  3. A tunnel, encrypted up to its provider, who could read along: `{tunnel}`",
        f"     prints an https address; start the server again with `--friends --port {port} --public-url` and that address.",
    ]
