import { forward, type Listener } from "../stand-in/server.ts";
import type { StandIn } from "../stand-in/stand-in.ts";

/** Secrets of the deployment, added to requests; null if the scenario has set its own and sends it. */
interface Credentials {
	readonly access: string | null;
	readonly internal: string | null;
}

export interface Front extends Listener {
	/** How many requests there were. */
	passed(): number;
}

interface Passage {
	readonly worker: string;
	readonly path: string;
	readonly token: string | null;
	/** Bearers that are passed on unchanged. */
	readonly kept: RegExp;
}

/** The services behind a front. */
interface Behind {
	readonly standIn: StandIn;
	credentials(): Credentials;
	/** Called before a request is forwarded. */
	ready(): Promise<void>;
}

/** One address for executor, registry and MCP server, like the owner's reverse proxy. */
export const openFront = (behind: Behind): Promise<Front> =>
	openListener(behind, (path) => buildPublicPassage(path, behind.credentials()));

/** A front for the store, which has no address: without a token, all callers but partners are internal. */
export const openStoreFront = (behind: Behind): Promise<Front> =>
	openListener(behind, (path) => ({
		worker: "store",
		path,
		token: behind.credentials().internal,
		kept: PARTNER,
	}));

const ANY = /^/;
const PARTNER = /^Bearer tlk_/i;
const REGISTRY = /^\/registry(?=[/?]|$)/;
const MCP = /^\/(?:mcp|authorize|token|register|revoke|gui|console|\.well-known)(?=[/?]|$)/;

function buildPublicPassage(path: string, { access }: Credentials): Passage {
	if (MCP.test(path)) return { worker: "mcp", path, token: null, kept: ANY };
	if (!REGISTRY.test(path)) return { worker: "executor", path, token: access, kept: ANY };
	return { worker: "registry", path: path.replace(REGISTRY, "") || "/", token: access, kept: ANY };
}

async function openListener(
	{ standIn, ready }: Behind,
	findPassage: (path: string) => Passage,
): Promise<Front> {
	let count = 0;
	const listener = await forward(async ({ path: came, headers }) => {
		count += 1;
		await ready();
		const { worker, path, token, kept } = findPassage(came);
		const way = await standIn.wayTo(`tripline-${worker}`);
		return { ...way, path, headers: token === null ? headers : addBearer(headers, token, kept) };
	});
	return { ...listener, passed: () => count };
}

function addBearer(headers: readonly string[], token: string, kept: RegExp): readonly string[] {
	const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "authorization");
	if (at !== -1 && kept.test(headers[at + 1] ?? "")) return headers;
	const others = at === -1 ? headers : headers.toSpliced(at, 2);
	return [...others, "authorization", `Bearer ${token}`];
}
