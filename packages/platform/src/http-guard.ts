import {
	type AllowedHosts,
	type HostEntry,
	holdsAddress,
	isLocalAddress,
	isPublicAddress,
	isPublicName,
	namesHost,
	parseAddress,
	readHostEntry,
	stripBrackets,
} from "./addresses.ts";
import { OutboundRefused } from "./http.ts";

export interface GuardOptions {
	readonly allow: AllowedHosts;
	/** The knowledge store's own addresses as `host:port`: rejected even if they are allowed. */
	readonly refuse?: readonly string[] | undefined;
}

export interface Target {
	/** Without brackets. */
	readonly hostname: string;
	readonly port: number;
}

export interface OutboundGuard {
	/** Checks what the URL alone reveals. Throws `OutboundRefused`. */
	checkUrl(url: URL): void;
	/** Checks what the name alone reveals. Throws `OutboundRefused`. */
	checkTarget(target: Target): void;
	/**
	 * Checks an address that the host name resolves to or that a connection reached. `own` are further addresses of the
	 * store. Throws `OutboundRefused`.
	 */
	checkAddress(target: Target, address: string, own?: readonly string[]): void;
	/** The names of the store on that port, and whether it runs on this machine; null if it uses another port. */
	storeAt(port: number): { readonly names: readonly string[]; readonly isHere: boolean } | null;
}

/** Size of the cache of accepted origins, so that a busy one is not parsed at each call. */
const MAX_PASSED = 1_000;

const LOCALHOST = /(?:^|\.)localhost$/;

/** Decides which hosts calls may reach: public ones, and what the operator allows. */
export function outboundGuard({ allow, refuse = [] }: GuardOptions): OutboundGuard {
	const refused = refuse.map(readHostEntry);
	const passed = new Set<string>();
	return { checkUrl, checkTarget, checkAddress, storeAt };

	function checkUrl(url: URL): void {
		if (url.protocol !== "https:" && url.protocol !== "http:") {
			throw new OutboundRefused(`only http and https addresses can be called, not ${url.protocol}`);
		}
		if (url.username !== "" || url.password !== "") {
			throw new OutboundRefused("the URL contains a user name or a password: use a credential instead");
		}
		if (passed.has(url.origin)) return;
		checkTarget(toTarget(url));
		if (passed.size >= MAX_PASSED) passed.clear();
		passed.add(url.origin);
	}

	function checkTarget(target: Target): void {
		if (parseAddress(target.hostname) === null) checkName(target);
		else checkAddress(target, target.hostname);
	}

	function checkName({ hostname, port }: Target): void {
		if (hostname.endsWith(".")) {
			throw new OutboundRefused(`${hostname} ends with a dot: remove the trailing dot`);
		}
		const isOwn = (entry: HostEntry) =>
			namesHost(entry, hostname, port) || (LOCALHOST.test(hostname) && isLocal(entry, port));
		if (refused.some(isOwn)) throw createOwnAddressError(hostname, port);
		if (isPublicName(hostname) || allowsName(hostname, port)) return;
		throw new OutboundRefused(`${hostname} is not a public name: ${explainAllow("it")}`);
	}

	function checkAddress({ hostname, port }: Target, address: string, own: readonly string[] = []): void {
		const isOwn = (entry: HostEntry) =>
			holdsAddress(entry, address, port) || (isLocalAddress(address) && isLocal(entry, port));
		const text = parseAddress(address)?.toString();
		if (refused.some(isOwn) || own.some((each) => parseAddress(each)?.toString() === text)) {
			throw createOwnAddressError(hostname, port);
		}
		if (isPublicAddress(address) || allowsName(hostname, port)) return;
		if (allow.entries.some((entry) => holdsAddress(entry, address, port))) return;
		throw new OutboundRefused(
			parseAddress(hostname) === null
				? `${hostname} resolves to ${address}, which is not a public address: ${explainAllow(hostname)}`
				: `${hostname} is not a public address: ${explainAllow("it")}`,
		);
	}

	function storeAt(port: number) {
		const entries = refused.filter((entry) => (entry.port ?? port) === port);
		if (entries.length === 0) return null;
		const names = entries.flatMap((entry) => ("name" in entry ? [entry.name] : []));
		return { names, isHere: entries.some((entry) => isLocal(entry, port)) };
	}

	function allowsName(hostname: string, port: number): boolean {
		return allow.entries.some((entry) => namesHost(entry, hostname, port));
	}
}

function toTarget(url: URL): Target {
	const standard = url.protocol === "https:" ? 443 : 80;
	return { hostname: stripBrackets(url.hostname), port: url.port === "" ? standard : Number(url.port) };
}

/** A local service has many addresses: all of 127.0.0.0/8, ::1, 0.0.0.0, ::, localhost. */
function isLocal(entry: HostEntry, port: number): boolean {
	if ((entry.port ?? port) !== port) return false;
	return "name" in entry ? LOCALHOST.test(entry.name) : isLocalAddress(entry.range[0].toString());
}

const explainAllow = (what: string) => `to allow it, add ${what} to ALLOW_PRIVATE_HOSTS`;

const createOwnAddressError = (hostname: string, port: number) =>
	new OutboundRefused(
		`${hostname}:${port} is the knowledge store's own address, which workflows may not call`,
	);
