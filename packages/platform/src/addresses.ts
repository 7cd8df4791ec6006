import { toHex } from "@tripline/contract/bytes";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Hosts that calls may reach although they are not public. */
export interface AllowedHosts {
	readonly entries: readonly HostEntry[];
}

/** A host, or a range of addresses, and the port if only that one is meant. */
export type HostEntry =
	| { readonly name: string; readonly port: number | null }
	| { readonly range: readonly [Address, number]; readonly port: number | null };

/** All IPv6 addresses that are given out to networks of the Internet lie in here. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Public by its number, but it is where Azure serves its machines. */
const AZURE_HOST = "168.63.129.16";

/** A name under one of these is never one of the Internet's. */
const PRIVATE_DOMAINS =
	/(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

const HOST_AND_PORT = /^(\[[0-9A-Fa-f:.]+\]|[^:/@?#\\%\s]+)(?::(\d{1,5}))?$/;
const NAME = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;

/** An IPv4 address inside of IPv6 is the IPv4 address; null for what is not an address. */
export const parseAddress = (text: string): Address | null =>
	ipaddr.isValid(text) ? ipaddr.process(text) : null;

/** Who counts as one caller: an IPv6 network is given out whole, and who has no address known shares one place. */
export function callerAt(address: string | undefined): string {
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

/** Reaches this machine. */
export function isLocalAddress(text: string): boolean {
	const range = parseAddress(text)?.range();
	return range === "loopback" || range === "unspecified";
}

/** Of a lower-case name. One without a dot is looked up in the network's own domain. */
export const isPublicName = (name: string): boolean => name.includes(".") && !PRIVATE_DOMAINS.test(name);

/**
 * From `host`, `host:port`, `[address]:port` and ranges such as `10.0.0.0/8`, with commas. Throws an `Error` that tells
 * which entry is wrong, but not what it says.
 */
export function allowedHosts(text: string): AllowedHosts {
	const entries = text.split(",").map((entry) => entry.trim());
	const wrong = entries.findIndex((entry) => entry !== "" && parseEntry(entry) === null);
	if (wrong !== -1) {
		throw new Error(
			`must be hosts, host:port or ranges of addresses such as 10.0.0.0/8, with commas between: entry ${wrong + 1} is none`,
		);
	}
	return { entries: entries.filter((entry) => entry !== "").map(hostEntry) };
}

/** Throws an `Error` that names the entry. */
export function hostEntry(text: string): HostEntry {
	const entry = parseEntry(text);
	if (entry === null) throw new Error(`"${text}" is not a host, a host:port or a range of addresses`);
	return entry;
}

const parseEntry = (text: string): HostEntry | null =>
	text.includes("/") ? rangeEntry(text) : oneHostEntry(text);

export const namesHost = (entry: HostEntry, name: string, port: number): boolean =>
	"name" in entry && entry.name === name && (entry.port ?? port) === port;

export function holdsAddress(entry: HostEntry, text: string, port: number): boolean {
	if (!("range" in entry) || (entry.port ?? port) !== port) return false;
	const address = parseAddress(text);
	const [base, bits] = entry.range;
	return address !== null && address.kind() === base.kind() && address.match(base, bits);
}

function rangeEntry(text: string): HostEntry | null {
	if (!ipaddr.isValidCIDR(text)) return null;
	const [base, bits] = ipaddr.parseCIDR(text);
	// It would never match: an address is turned into IPv4 before it is compared.
	const isMapped = base.kind() === "ipv6" && base.range() === "ipv4Mapped";
	return isMapped ? null : { range: [base, bits], port: null };
}

function oneHostEntry(text: string): HostEntry | null {
	const [, host, digits] = HOST_AND_PORT.exec(ipaddr.IPv6.isValid(text) ? `[${text}]` : text) ?? [];
	const port = digits === undefined ? null : Number(digits);
	const url = `http://${host}`;
	if (host === undefined || port === 0 || (port ?? 1) > 65_535 || !URL.canParse(url)) return null;
	const name = bareHost(new URL(url).hostname);
	const address = parseAddress(name);
	if (address !== null) return { range: [address, address.kind() === "ipv4" ? 32 : 128], port };
	return NAME.test(name) ? { name, port } : null;
}

/** A URL's host name, an IPv6 address without its brackets. */
export const bareHost = (hostname: string): string =>
	hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
