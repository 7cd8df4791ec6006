import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { isPublicAddress } from "./addresses.ts";
import type { OutboundGuard, Target } from "./http-guard.ts";

interface ResolvedAddress {
	readonly address: string;
	readonly family: number;
}

export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** Opens a connection to one of the addresses, all of which were checked. */
export type Dial = (target: Target & { readonly addresses: readonly ResolvedAddress[] }) => Socket;

export interface DialDeps {
	readonly guard: OutboundGuard;
	readonly resolve: Resolve | undefined;
	readonly dial: Dial | undefined;
}

/**
 * Opens connections. Checks every address that a name resolves to, and the address that the socket connected to, before
 * anything is sent. Checking first and then connecting by name would resolve twice and could get different answers (DNS
 * rebinding).
 */
export function guardedDial({ guard, resolve, dial = dialFirst }: DialDeps) {
	const find = guardedAddresses({ guard, resolve });
	return async (target: Target, signal: AbortSignal): Promise<Socket> => {
		const { addresses, own } = await find(target, signal);
		const socket = dial({ ...target, addresses });
		return openOrDestroy(socket, async () => {
			await waitForEvent(socket, "connect", signal);
			if (socket.remoteAddress === undefined) throw createConnectError();
			guard.checkAddress(target, socket.remoteAddress, own);
			return socket;
		});
	};
}

/** Finds the addresses of a host, all of them checked, for a library that connects by itself: it must use only these. */
export function guardedAddresses({ guard, resolve = resolveAll }: Pick<DialDeps, "guard" | "resolve">) {
	return async (target: Target, signal: AbortSignal) => {
		const addresses = await rejectOnAbort(resolveAddresses(target.hostname), signal);
		const own = await rejectOnAbort(listStoreAddresses(target.port), signal);
		for (const { address } of addresses) guard.checkAddress(target, address, own);
		return { addresses, own };
	};

	async function resolveAddresses(hostname: string): Promise<readonly ResolvedAddress[]> {
		const family = isIP(hostname);
		const addresses = family === 0 ? await resolve(hostname) : [{ address: hostname, family }];
		if (addresses.length === 0) throw Object.assign(new Error("no address"), { code: "ENOTFOUND" });
		return addresses;
	}

	/** Addresses at which the store on that port can be reached, besides its configured names and addresses. */
	async function listStoreAddresses(port: number): Promise<string[]> {
		const store = guard.storeAt(port);
		if (store === null) return [];
		const resolved = await Promise.all(store.names.map((name) => resolve(name).catch(() => [])));
		const interfaces = store.isHere ? Object.values(networkInterfaces()).flatMap((each) => each ?? []) : [];
		// A public address may belong to a proxy in front of many hosts.
		const privates = resolved.flat().filter(({ address }) => !isPublicAddress(address));
		return [...privates, ...interfaces].map(({ address }) => address);
	}
}

const resolveAll: Resolve = (hostname) => lookup(hostname, { all: true, order: "verbatim" });

const dialFirst: Dial = ({ addresses, hostname, port }) => {
	const [first] = addresses;
	return connect({
		port,
		host: addresses.length === 1 && first !== undefined ? first.address : hostname,
		lookup: (_, __, done) => done(null, [...addresses]),
		autoSelectFamily: true,
		noDelay: true,
		keepAlive: true,
		keepAliveInitialDelay: 60_000,
	});
};

export async function openOrDestroy(socket: Socket, open: () => Promise<Socket>): Promise<Socket> {
	// An error event without a listener would end the process.
	socket.on("error", () => {});
	try {
		return await open();
	} catch (error) {
		socket.destroy();
		throw error;
	}
}

export async function waitForEvent(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
	try {
		await once(socket, event, { signal });
	} catch (error) {
		throw signal.aborted ? signal.reason : error;
	}
}

function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const stop = () => reject(signal.reason);
		signal.addEventListener("abort", stop, { once: true });
		work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
	});
}

export const createConnectError = () => Object.assign(new Error("no connection"), { code: "ETIMEDOUT" });
