import { toHex } from "@tripline/contract/bytes";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Non-public hosts that calls may reach. */
export interface AllowedHosts {
	readonly entries: readonly HostEntry[];
}

/** A host or a range of addresses; `port` is null if any port is allowed. */
export type HostEntry =
	| { readonly name: string; readonly port: number | null }
	| { readonly range: readonly [Address, number]; readonly port: number | null };

/** The range of all IPv6 addresses that are assigned to public networks. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** A public address that Azure uses for its internal platform services. */
const AZURE_HOST = "168.63.129.16";

/** Names under these domains are never public. */
const PRIVATE_DOMAINS =
	/(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

const HOST_AND_PORT = /^(\[[0-9A-Fa-f:.]+\]|[^:/@?#\\%\s]+)(?::(\d{1,5}))?$/;
const NAME = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;

/** Parses an address, an IPv4-mapped IPv6 address as IPv4; null if it is not an address. */
export const parseAddress = (text: string): Address | null =>
	ipaddr.isValid(text) ? ipaddr.process(text) : null;

/** Identifies a caller for rate limits: by the /64 network for IPv6. All callers without a known address count as one. */
export function identifyCaller(address: string | undefined): string {
	const parsed = address === undefined ? null : parseAddress(address);
	if (parsed === null) return "unknown";
	const bytes = new Uint8Array(parsed.toByteArray());
	return toHex(parsed.kind() === "ipv6" ? bytes.subarray(0, 8) : bytes);
}

export function isPublicAddress(text: string): boolean {
	const address = parseAddress(text);
	if (address === null || address.range() !== "unicast") return false;
	return address.kind() === "ipv6" ? address.match(GLOBAL_IPV6) : address.toString() !== AZURE_HOST;
}

/** Whether the address reaches this machine. */
export function isLocalAddress(text: string): boolean {
	const range = parseAddress(text)?.range();
	return range === "loopback" || range === "unspecified";
}

/** Expects a lowercase name. A name without a dot is resolved in the local domain, so it is not public. */
export const isPublicName = (name: string): boolean => name.includes(".") && !PRIVATE_DOMAINS.test(name);

/**
 * Parses a comma-separated list of `host`, `host:port`, `[address]:port` and ranges such as `10.0.0.0/8`. Throws an
 * `Error` that gives the position of the invalid entry, but not its text.
 */
export function parseAllowedHosts(text: string): AllowedHosts {
	const entries = text.split(",").map((entry) => entry.trim());
	const wrong = entries.findIndex((entry) => entry !== "" && parseEntry(entry) === null);
	if (wrong !== -1) {
		throw new Error(
			`must be a comma-separated list of hosts, host:port or address ranges such as 10.0.0.0/8: entry ${wrong + 1} is invalid`,
		);
	}
	return { entries: entries.filter((entry) => entry !== "").map(readHostEntry) };
}

/** Throws an `Error` that names the entry. */
export function readHostEntry(text: string): HostEntry {
	const entry = parseEntry(text);
	if (entry === null) throw new Error(`"${text}" is not a host, a host:port or an address range`);
	return entry;
}

const parseEntry = (text: string): HostEntry | null =>
	text.includes("/") ? parseRange(text) : parseHost(text);

export const namesHost = (entry: HostEntry, name: string, port: number): boolean =>
	"name" in entry && entry.name === name && (entry.port ?? port) === port;

export function holdsAddress(entry: HostEntry, text: string, port: number): boolean {
	if (!("range" in entry) || (entry.port ?? port) !== port) return false;
	const address = parseAddress(text);
	const [base, bits] = entry.range;
	return address !== null && address.kind() === base.kind() && address.match(base, bits);
}

function parseRange(text: string): HostEntry | null {
	if (!ipaddr.isValidCIDR(text)) return null;
	const [base, bits] = ipaddr.parseCIDR(text);
	// It would never match, because addresses are converted to IPv4 before they are compared.
	const isMapped = base.kind() === "ipv6" && base.range() === "ipv4Mapped";
	return isMapped ? null : { range: [base, bits], port: null };
}

function parseHost(text: string): HostEntry | null {
	const [, host, digits] = HOST_AND_PORT.exec(ipaddr.IPv6.isValid(text) ? `[${text}]` : text) ?? [];
	const port = digits === undefined ? null : Number(digits);
	const url = `http://${host}`;
	if (host === undefined || port === 0 || (port ?? 1) > 65_535 || !URL.canParse(url)) return null;
	const name = stripBrackets(new URL(url).hostname);
	const address = parseAddress(name);
	if (address !== null) return { range: [address, address.kind() === "ipv4" ? 32 : 128], port };
	return NAME.test(name) ? { name, port } : null;
}

/** A URL's host name, an IPv6 address without its brackets. */
export const stripBrackets = (hostname: string): string =>
	hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
