import { type Listener, passOn } from "../stand-in/server.ts";
import type { StandIn } from "../stand-in/stand-in.ts";

/** Secrets of the deployment that a caller need not know; null: the scenario has set its own, and sends it. */
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
	/** Bearers that are left as they are. */
	readonly kept: RegExp;
}

/** What a front stands before. */
interface Behind {
	readonly standIn: StandIn;
	credentials(): Credentials;
	/** Before a request is passed on. */
	ready(): Promise<void>;
}

/** One address for executor, registry and MCP server, as a proxy of the owner's would make it. */
export const openFront = (behind: Behind): Promise<Front> =>
	opened(behind, (path) => publicPassage(path, behind.credentials()));

/** The store's, which has no address: where no token is set, all but partners are the service's own parts. */
export const openStoreFront = (behind: Behind): Promise<Front> =>
	opened(behind, (path) => ({
		worker: "store",
		path,
		token: behind.credentials().internal,
		kept: PARTNER,
	}));

const ANY = /^/;
const PARTNER = /^Bearer tlk_/i;
const REGISTRY = /^\/registry(?=[/?]|$)/;
const MCP = /^\/(?:mcp|authorize|token|register|revoke|gui|console|\.well-known)(?=[/?]|$)/;

function publicPassage(path: string, { access }: Credentials): Passage {
	if (MCP.test(path)) return { worker: "mcp", path, token: null, kept: ANY };
	if (!REGISTRY.test(path)) return { worker: "executor", path, token: access, kept: ANY };
	return { worker: "registry", path: path.replace(REGISTRY, "") || "/", token: access, kept: ANY };
}

async function opened({ standIn, ready }: Behind, passageOf: (path: string) => Passage): Promise<Front> {
	let count = 0;
	const listener = await passOn(async ({ path: came, headers }) => {
		count += 1;
		await ready();
		const { worker, path, token, kept } = passageOf(came);
		const way = await standIn.wayTo(`tripline-${worker}`);
		return { ...way, path, headers: token === null ? headers : withBearer(headers, token, kept) };
	});
	return { ...listener, passed: () => count };
}

function withBearer(headers: readonly string[], token: string, kept: RegExp): readonly string[] {
	const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "authorization");
	if (at !== -1 && kept.test(headers[at + 1] ?? "")) return headers;
	const others = at === -1 ? headers : headers.toSpliced(at, 2);
	return [...others, "authorization", `Bearer ${token}`];
}
