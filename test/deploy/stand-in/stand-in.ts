import { randomBytes } from "node:crypto";
import type { Account } from "./account.ts";
import { createAssets } from "./assets.ts";
import { listSecrets, renderBindings } from "./bindings.ts";
import { answerCall } from "./control-plane.ts";
import { type CallListener, type Cut, createFaults, type Delay, type Failure } from "./faults.ts";
import { createRuntime, type Outside, PLATFORM } from "./runtime.ts";
import { findActiveVersion } from "./script.ts";
import { forward, type Listener, listen } from "./server.ts";
import { createTokens, PERMISSION_GROUPS, type Token } from "./tokens.ts";

interface StandInOptions {
	/** The account's workers.dev subdomain; default: none, as in a new account. */
	readonly subdomain?: string;
	/** Subdomains that belong to other accounts. */
	readonly takenSubdomains?: readonly string[];
	/** The maximum page size, to check that a client reads all pages. */
	readonly mostPerPage?: number;
	/** The maximum number of files per bucket, to check that a client sends all buckets. */
	readonly maxPerBucket?: number;
	/** Whether R2 is enabled in the account; default: true. */
	readonly hasR2?: boolean;
	readonly outside?: Outside;
}

/** The provider's control plane and what it deploys, on the loopback address. */
export interface StandIn {
	/** For CLOUDFLARE_API_BASE_URL. */
	readonly url: string;
	readonly accountId: string;
	/** Every call so far; one whose connection was dropped has the status 0. */
	readonly calls: readonly { readonly method: string; readonly path: string; readonly status: number }[];
	/** Creates a token; default: with all permissions, as `<group> Read` and `<group> Write`. */
	token(permissions?: readonly string[], kind?: Partial<Pick<Token, "owner" | "status">>): string;
	fail(failure: Failure): void;
	cut(cut: Cut): void;
	delay(delay: Delay): void;
	/** Returns a function that stops listening. */
	onCall(listener: CallListener): () => void;
	state(): StandInState;
	/** Enables R2, as a person does in the dashboard. */
	enableR2(): void;
	/** Sends a request to a deployed worker at its public address. */
	fetch(request: Request): Promise<Response>;
	/** The same on a fixed port, independent of deployments. */
	getUrl(script: string): Promise<string>;
	/** Where a worker listens now, even one without a public address; valid until `done`. */
	wayTo(script: string): Promise<Way>;
	/** Fires a script's cron triggers. */
	cron(script: string): Promise<void>;
	/** The workers' log lines since the last call. */
	lines(): readonly string[];
	close(): Promise<void>;
}

interface Way {
	readonly url: URL;
	done(): void;
}

interface StandInState {
	readonly subdomain: string | null;
	readonly namespaces: readonly { readonly id: string; readonly title: string }[];
	readonly databases: readonly { readonly uuid: string; readonly name: string }[];
	readonly indexes: readonly { readonly name: string }[];
	readonly buckets: readonly { readonly name: string }[];
	readonly scripts: readonly {
		readonly name: string;
		readonly tags: readonly string[];
		readonly versions: number;
		readonly servingVersion: number | undefined;
		/** Without the values of secrets. */
		readonly bindings: readonly object[];
		readonly secrets: Readonly<Record<string, string>>;
		readonly crons: readonly string[];
		readonly isPublic: boolean;
		/** The paths of its files. */
		readonly assets: readonly string[];
	}[];
}

const BASE = "/client/v4";
const ALL_PERMISSIONS = PERMISSION_GROUPS.map((group) => `${group} Write`);

export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
	const account: Account = {
		id: randomBytes(16).toString("hex"),
		subdomain: options.subdomain ?? null,
		takenSubdomains: new Set(options.takenSubdomains),
		namespaces: new Map(),
		databases: new Map(),
		indexes: new Map(),
		buckets: options.hasR2 === false ? null : new Map(),
		scripts: new Map(),
		assets: createAssets(options.maxPerBucket === undefined ? {} : { mostPerBucket: options.maxPerBucket }),
		mostPerPage: options.mostPerPage ?? 1000,
		runtime: createRuntime(() => account, options.outside),
	};
	const tokens = createTokens();
	const faults = createFaults();
	const calls: { method: string; path: string; status: number }[] = [];
	const api = await listen(async (request) => {
		const { pathname } = new URL(request.url);
		const call = { method: request.method, path: pathname.replace(BASE, ""), status: 0 };
		calls.push(call);
		if (!pathname.startsWith(`${BASE}/`)) return new Response("", { status: 404 });
		const answer = await faults.around(call, () => answerCall(request, call.path, account, tokens));
		if (answer !== "cut") call.status = answer.status;
		return answer;
	});
	const listeners = new Map<string, Promise<Listener>>();
	let closed: Promise<void> | undefined;

	return {
		url: `${api.url}${BASE}`,
		accountId: account.id,
		calls,
		token: (permissions = ALL_PERMISSIONS, { owner = "user", status = "active" } = {}) =>
			tokens.add({ permissions, owner, status }),
		fail: (failure) => faults.add("fail", failure),
		cut: (cut) => faults.add("cut", cut),
		delay: (delay) => faults.add("delay", delay),
		onCall: (listener) => faults.listen(listener),
		state: () => readState(account),
		enableR2() {
			account.buckets ??= new Map();
		},
		fetch: (request) => fetchPublic(account, request),
		async getUrl(script) {
			const listener = listeners.get(script) ?? forward(() => findDirectTarget(account, script));
			listeners.set(script, listener);
			return (await listener).url;
		},
		wayTo: (script) => borrowRoute(account, script),
		cron: (script) => fireCrons(account, script),
		lines: () => account.runtime.lines(),
		close() {
			closed ??= close();
			return closed;
		},
	};

	async function close(): Promise<void> {
		await api.close();
		for (const listener of listeners.values()) await (await listener).close();
		await account.runtime.close();
	}
}

async function fetchPublic(account: Account, request: Request): Promise<Response> {
	const { hostname } = new URL(request.url);
	const zone = `.${account.subdomain}.workers.dev`;
	const script = hostname.endsWith(zone) ? hostname.slice(0, -zone.length) : "";
	if (!isPublic(account, script)) return createNotFound();
	const headers = new Headers(request.headers);
	headers.set("stand-in-url", request.url);
	headers.set("stand-in-worker", script);
	const { method, signal } = request;
	const body = request.body === null ? null : await request.arrayBuffer();
	const { miniflare, done } = await account.runtime.borrow();
	try {
		const way = await miniflare.unsafeGetDirectURL(PLATFORM);
		const answer = await fetch(way, { method, headers, body, signal, redirect: "manual" });
		const given = answer.body?.pipeThrough(new TransformStream({ flush: done, cancel: done })) ?? null;
		if (given === null) done();
		return new Response(given, answer);
	} catch (error) {
		done();
		throw error;
	}
}

async function findDirectTarget(account: Account, script: string) {
	return isPublic(account, script) ? borrowRoute(account, script) : createNotFound();
}

async function borrowRoute({ runtime }: Account, script: string): Promise<Way> {
	const { miniflare, done } = await runtime.borrow();
	return { url: await miniflare.unsafeGetDirectURL(script), done };
}

const isPublic = ({ scripts, subdomain }: Account, script: string) =>
	subdomain !== null && scripts.get(script)?.onSubdomain.enabled === true;

const createNotFound = () =>
	new Response("<h1>There is nothing here yet</h1>", {
		status: 404,
		headers: { "content-type": "text/html" },
	});

async function fireCrons({ scripts, runtime }: Account, name: string): Promise<void> {
	const { schedules = [] } = scripts.get(name) ?? {};
	if (schedules.length === 0) throw new Error(`the script ${name} has no cron trigger`);
	await runtime.use(async (miniflare) => {
		// Miniflare's own type for this refers to a package of ambient types that would clash with Node's.
		const worker = (await miniflare.getWorker(name)) as unknown as {
			scheduled(options: object): Promise<{ outcome: string }>;
		};
		for (const { cron } of schedules) {
			const { outcome } = await worker.scheduled({ cron });
			if (outcome !== "ok") throw new Error(`the cron trigger of ${name} ended with ${outcome}`);
		}
	});
}

function readState({ subdomain, namespaces, databases, indexes, buckets, scripts }: Account): StandInState {
	return {
		subdomain,
		namespaces: [...namespaces.values()],
		databases: [...databases.values()],
		indexes: [...indexes.values()],
		buckets: [...(buckets?.values() ?? [])],
		scripts: [...scripts.values()].map((script) => {
			const serving = findActiveVersion(script);
			const bindings = serving?.bindings ?? [];
			return {
				name: script.name,
				tags: script.tags,
				versions: script.versions.length,
				servingVersion: serving?.number,
				bindings: renderBindings(bindings),
				secrets: Object.fromEntries(listSecrets(bindings).map(({ name, text }) => [name, text])),
				crons: script.schedules.map(({ cron }) => cron),
				isPublic: script.onSubdomain.enabled && subdomain !== null,
				assets: [...(serving?.assets?.keys() ?? [])],
			};
		}),
	};
}
