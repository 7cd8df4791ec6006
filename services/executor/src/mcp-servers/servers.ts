import { McpRefused, McpUnauthorized } from "@tripline/components/mcp/errors";
import type { OfferedTools } from "@tripline/components/mcp/list-tools";
import { Failed, invalid, notFound } from "@tripline/contract/failures";
import {
	McpServerName,
	type McpServerWithName,
	type McpToolChanges,
	type PinnedTool,
	type WriteMcpServer,
} from "@tripline/contract/mcp-servers";
import { TerminalError } from "@tripline/engine/terminal-error";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import type { Catalogues } from "../catalogue/catalogues.ts";
import { toMcpServerPage } from "../catalogue/owned-components.ts";
import type { McpSignIns } from "../mcp-sign-in/sign-ins.ts";
import type { Outbound } from "../runs/outbound.ts";
import type { OwnedComponentStorage } from "../storage/owned-components.ts";
import type { Listed, McpSessions } from "./sessions.ts";

export type McpServers = ReturnType<typeof mcpServers>;

const TYPE = "installed_component";
const MAX_SERVERS = 50;
/** Of the request that stores it: half of the store's default limit. */
const MAX_RECORD_BYTES = 512 * 1024;

/** The MCP servers that tenants have added, with the tools that they have accepted. */
export function mcpServers(deps: {
	readonly storage: OwnedComponentStorage;
	readonly catalogues: Catalogues;
	readonly sessions: McpSessions;
	readonly outbound: Outbound;
	readonly signIns: Pick<McpSignIns, "remove">;
	readonly clock: Clock;
}) {
	const { storage, catalogues, sessions } = deps;

	return {
		get,
		put,

		/** By name. */
		async list(namespace: string): Promise<McpServerWithName[]> {
			const { mcpServers: own } = await catalogues.own(namespace);
			return [...own.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
		},

		/** Adds the server that its owner has signed in to. If its tools cannot be listed, its record says why. */
		async putSignedIn(namespace: string, name: string, url: string, credential: string): Promise<void> {
			try {
				await put(namespace, name, { url, credential });
			} catch (error) {
				if (!(error instanceof Failed)) throw error;
				const { mcpServers: own } = await catalogues.own(namespace);
				const before = own.get(name);
				if (before === undefined ? own.size >= MAX_SERVERS : before.url !== url) return;
				const now = toIsoTime(deps.clock.now());
				const empty = { ...NEVER_LISTED, name, url, credential, added_at: now };
				await store(namespace, { ...(before ?? empty), error: describeFailure(error), checked_at: now });
			}
		},

		/** Lists the tools again. What has changed is not used before it is accepted. */
		async refresh(namespace: string, name: string): Promise<McpToolChanges> {
			const server = await get(namespace, name);
			const listed = await list(namespace, server, server.protocol_version);
			const { offered } = listed;
			await store(namespace, {
				...server,
				...describeConnection(listed),
				offered: summarize(server.tools, offered),
				checked_at: toIsoTime(deps.clock.now()),
			});
			const { hash, skipped } = offered;
			return { hash, ...compare(server.tools, offered.tools), skipped: [...skipped] };
		},

		/** Accepts the tools as a refresh has shown them. */
		async accept(namespace: string, name: string, hash: string): Promise<McpServerWithName> {
			const server = await get(namespace, name);
			const listed = await list(namespace, server, server.protocol_version);
			const { offered } = listed;
			if (offered.hash !== hash)
				throw new Failed({
					kind: "conflict",
					message: `the tools of ${name} have changed again: refresh and review them`,
				});
			const { tools, skipped } = offered;
			const checked_at = toIsoTime(deps.clock.now());
			const accepted = {
				...server,
				...describeConnection(listed),
				tools,
				skipped,
				offered: null,
				checked_at,
			};
			await store(namespace, accepted);
			return accepted;
		},

		/** With its sign-in. Whether one of them was there. */
		async delete(namespace: string, name: string): Promise<boolean> {
			if (!McpServerName.safeParse(name).success) return false;
			const server = (await catalogues.own(namespace)).mcpServers.get(name);
			const wasThere = await storage.delete(namespace, TYPE, toMcpServerPage(name));
			catalogues.forget(namespace);
			// Before the credential goes, which the server may want for it.
			if (server !== undefined) await sessions.end(namespace, server, deps.outbound.forRun(namespace).http);
			const hadSignIn = await deps.signIns.remove(namespace, name);
			return wasThere || hadSignIn;
		},
	};

	/**
	 * Adds a server with all its tools. Of a server that is there, with the same address, only the credential changes: its
	 * tools stay as they were accepted.
	 */
	async function put(namespace: string, name: string, given: WriteMcpServer) {
		const url = readUrl(given.url);
		const credential = given.credential ?? null;
		const { mcpServers: own } = await catalogues.own(namespace);
		const before = own.get(name);
		if (before === undefined && own.size >= MAX_SERVERS)
			throw new Failed({ kind: "conflict", message: `there can be at most ${MAX_SERVERS} MCP servers` });
		const listed = await list(namespace, { name, url, credential }, null);
		const now = toIsoTime(deps.clock.now());
		const isSame = before?.url === url && before.protocol_version !== NEVER_LISTED.protocol_version;
		const { tools, skipped } = isSame ? before : listed.offered;
		const server: McpServerWithName = {
			name,
			url,
			credential,
			...describeConnection(listed),
			tools,
			skipped,
			offered: isSame ? summarize(before.tools, listed.offered) : null,
			added_at: before?.added_at ?? now,
			checked_at: now,
		};
		await store(namespace, server);
		return { server, created: before === undefined };
	}

	async function get(namespace: string, name: string): Promise<McpServerWithName> {
		const server = (await catalogues.own(namespace)).mcpServers.get(name);
		if (server === undefined) throw notFound("MCP server not found");
		return server;
	}

	async function store(namespace: string, server: McpServerWithName): Promise<void> {
		const text = JSON.stringify(server);
		// As it is in the body of the request, which is JSON that contains this JSON as text.
		if (new TextEncoder().encode(JSON.stringify(text)).length > MAX_RECORD_BYTES)
			throw refuse(`lists tools with more than ${MAX_RECORD_BYTES / 1024} KiB of descriptions and schemas`);
		await storage.putText(namespace, TYPE, toMcpServerPage(server.name), text);
		catalogues.forget(namespace);
	}

	async function list(
		namespace: string,
		endpoint: Pick<McpServerWithName, "name" | "url" | "credential">,
		known: string | null,
	): Promise<Listed> {
		const { http } = deps.outbound.forRun(namespace);
		try {
			return await sessions.list(namespace, endpoint, known, http);
		} catch (error) {
			throw toFailed(error);
		}
	}
}

const refuse = (message: string) => invalid([{ path: "url", message }]);

/** What is wrong with a server, for its owner. */
export function toFailed(error: unknown): unknown {
	if (error instanceof McpUnauthorized) return invalid([{ path: "credential", message: error.message }]);
	if (error instanceof TerminalError) return refuse(error.message);
	if (error instanceof Failed) return error;
	const isTimeout = error instanceof Error && error.name === "TimeoutError";
	const known = error instanceof McpRefused || error instanceof Error;
	const message = isTimeout ? "it did not answer in time" : known ? error.message : "unknown error";
	return new Failed({ kind: "bad_gateway", message: `the MCP server cannot be used: ${message}` });
}

export function readUrl(text: string): string {
	const url = URL.parse(text);
	if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
		throw refuse("must be a complete address, such as https://example.com/mcp");
	if (url.username !== "" || url.password !== "")
		throw refuse("must not contain a user name or a password: use a credential instead");
	url.hash = "";
	return url.href;
}

const describeConnection = ({ connection }: Listed) => ({
	title: connection.title,
	server_version: connection.serverVersion,
	protocol_version: connection.wire.version ?? "",
	instructions: connection.instructions,
	error: null,
});

const NEVER_LISTED = {
	...{ title: null, server_version: null, protocol_version: "", instructions: null },
	...{ tools: [], skipped: [], offered: null },
} as const;

const MAX_ERROR_CHARACTERS = 1_000;

function describeFailure({ failure, message }: Failed): string {
	const said = failure.kind === "invalid" ? failure.issues.map((issue) => issue.message).join("; ") : message;
	return said.slice(0, MAX_ERROR_CHARACTERS).toWellFormed();
}

function compare(accepted: readonly PinnedTool[], offered: readonly PinnedTool[]) {
	const [before, after] = [indexByName(accepted), indexByName(offered)];
	return {
		added: offered.filter(({ name }) => !before.has(name)),
		removed: accepted.filter(({ name }) => !after.has(name)),
		changed: offered.flatMap((tool) => {
			const old = before.get(tool.name);
			return old === undefined || old.hash === tool.hash ? [] : [{ before: old, after: tool }];
		}),
	};
}

function summarize(
	accepted: readonly PinnedTool[],
	{ tools, hash }: OfferedTools,
): McpServerWithName["offered"] {
	const { added, removed, changed } = compare(accepted, tools);
	if (added.length + removed.length + changed.length === 0) return null;
	const names = (list: readonly PinnedTool[]) => list.map(({ name }) => name);
	return {
		hash,
		added: names(added),
		removed: names(removed),
		changed: names(changed.map(({ after }) => after)),
	};
}

const indexByName = (tools: readonly PinnedTool[]): ReadonlyMap<string, PinnedTool> =>
	new Map(tools.map((tool) => [tool.name, tool]));
