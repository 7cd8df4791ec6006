import { fileURLToPath } from "node:url";
import { Miniflare, supportedCompatibilityDate } from "miniflare";
import { bundleModules, DIRECT } from "../../workerd.ts";
import { answerAsset } from "./assets.ts";
import type { Binding } from "./bindings.ts";
import { type Code, findActiveVersion, type Script, type Version } from "./script.ts";

/** Answers requests of workers to external hosts; default: none is answered. Loopback addresses are reached directly. */
export type Outside = (request: Request) => Promise<Response>;

/** Miniflare's own type for this refers to a package of ambient types that would clash with Node's. */
interface KeyValues {
	get(key: string, type: "arrayBuffer"): Promise<ArrayBuffer | null>;
	put(key: string, value: ArrayBuffer, options: { readonly expirationTtl?: number }): Promise<void>;
	delete(key: string): Promise<void>;
	list(options: object): Promise<{
		readonly keys: readonly { readonly name: string }[];
		readonly list_complete: boolean;
		readonly cursor?: string;
	}>;
}

/** The part of the account that is run. */
interface Deployed {
	readonly subdomain: string | null;
	readonly namespaces: ReadonlyMap<string, unknown>;
	readonly databases: ReadonlyMap<string, unknown>;
	readonly scripts: ReadonlyMap<string, Script>;
}

/** Runs all deployed scripts of the account in one workerd, with their bindings. */
export interface Runtime {
	/** Marks the running code as outdated; the next use waits for the reload. */
	changed(): void;
	/** Calls with a workerd that runs the current deployment; it is not reloaded meanwhile. */
	use<T>(work: (miniflare: Miniflare) => Promise<T>): Promise<T>;
	/** The same for work that continues after the answer: `done` ends it. */
	borrow(): Promise<{ readonly miniflare: Miniflare; done(): void }>;
	kv(id: string): Promise<KeyValues>;
	d1(id: string): Promise<Awaited<ReturnType<Miniflare["getD1Database"]>>>;
	/** The workers' log lines since the last call. */
	lines(): readonly string[];
	close(): Promise<void>;
}

/** The platform's own worker, the entry point to all others. */
export const PLATFORM = "stand-in:platform";
/** How long a reload waits for requests in flight. */
const PATIENCE_MS = 2000;

export function createRuntime(getAccount: () => Deployed, outside: Outside | undefined): Runtime {
	const logged: string[] = [];
	let miniflare: Miniflare | undefined;
	let isStale = true;
	let change: Promise<void> | undefined;
	let borrowed = 0;
	let returned = () => {};

	async function applyChange(): Promise<void> {
		if (borrowed > 0) {
			const { promise, resolve } = Promise.withResolvers<void>();
			returned = resolve;
			const timer = setTimeout(resolve, PATIENCE_MS);
			await promise;
			clearTimeout(timer);
		}
		isStale = false;
		const options = await buildOptions(getAccount(), outside, logged);
		if (miniflare === undefined) miniflare = new Miniflare(options);
		else await miniflare.setOptions(options);
		await miniflare.ready;
	}

	async function borrow() {
		while (isStale || change !== undefined) {
			change ??= applyChange().finally(() => {
				change = undefined;
			});
			await change;
		}
		borrowed += 1;
		const done = () => {
			borrowed -= 1;
			if (borrowed === 0) returned();
		};
		return { miniflare: miniflare as Miniflare, done };
	}

	async function use<T>(work: (miniflare: Miniflare) => Promise<T>): Promise<T> {
		const { miniflare: current, done } = await borrow();
		try {
			return await work(current);
		} finally {
			done();
		}
	}

	return {
		changed() {
			isStale = true;
		},
		use,
		borrow,
		kv: (id) => use(async (current) => (await current.getKVNamespace(id, PLATFORM)) as unknown as KeyValues),
		d1: (id) => use((current) => current.getD1Database(id, PLATFORM)),
		lines: () => logged.splice(0),
		async close() {
			await change;
			await miniflare?.dispose();
		},
	};
}

async function buildOptions(account: Deployed, outside: Outside | undefined, logged: string[]) {
	const workers = [...account.scripts.values()]
		.map((script) => buildWorker(account, script))
		.filter((worker) => worker !== null);
	const names = workers.map(({ name }) => name);
	return {
		host: "127.0.0.1",
		workers: [await buildPlatform(account, names, outside), ...workers],
		handleStructuredLogs({ message }: { readonly message: string }) {
			logged.push(...message.split("\n"));
		},
	};
}

/** The provider's own side of bindings; holds every namespace and database, bound to a script or not. */
async function buildPlatform(account: Deployed, served: readonly string[], outside: Outside | undefined) {
	const byId = (ids: Iterable<string>) => Object.fromEntries([...ids].map((id) => [id, id]));
	return {
		name: PLATFORM,
		compatibilityDate: "2026-07-01",
		modules: await bundleModules(fileURLToPath(import.meta.resolve("./platform.worker.ts"))),
		kvNamespaces: { ...byId(account.namespaces.keys()), VECTORS: "stand-in-vectors" },
		d1Databases: byId(account.databases.keys()),
		bindings: { ZONE: account.subdomain === null ? "" : `${account.subdomain}.workers.dev` },
		serviceBindings: {
			...Object.fromEntries(served.map((name) => [`worker:${name}`, name])),
			// Miniflare's own type for this is that of its own fetch.
			...(outside !== undefined && { OUTSIDE: outside as never }),
		},
		...DIRECT,
	};
}

function buildWorker(account: Deployed, script: Script) {
	const version = findActiveVersion(script);
	if (version === undefined) return null;
	const { bindings, code } = version;
	const of = <Type extends Binding["type"]>(type: Type) =>
		bindings.filter((one) => one.type === type) as Extract<Binding, { type: Type }>[];
	const services = [
		...of("service").map((one) => [one.name, buildService(account, one)] as const),
		...of("ai").map((one) => [one.name, { name: PLATFORM, entrypoint: "Ai" }] as const),
		...of("vectorize").map((one) => [one.name, buildVectorize(one.index_name)] as const),
		...of("assets").map((one) => [one.name, buildAssets(version)] as const),
	];
	return {
		...buildWorkerCode(code),
		name: script.name,
		modules: [...code.modules],
		bindings: Object.fromEntries([
			...[...of("plain_text"), ...of("secret_text")].map((one) => [one.name, one.text]),
			...of("json").map((one) => [one.name, one.json]),
			...of("version_metadata").map((one) => [one.name, { id: version.id, timestamp: version.createdOn }]),
		]),
		kvNamespaces: Object.fromEntries(of("kv_namespace").map((one) => [one.name, one.namespace_id])),
		d1Databases: Object.fromEntries(of("d1").map((one) => [one.name, one.id])),
		r2Buckets: Object.fromEntries(of("r2_bucket").map((one) => [one.name, one.bucket_name])),
		serviceBindings: Object.fromEntries(services),
		outboundService: { name: PLATFORM, entrypoint: "Network" },
		...DIRECT,
	};
}

/** A missing target or entrypoint fails when it is called. */
function buildService(account: Deployed, { service, entrypoint }: Extract<Binding, { type: "service" }>) {
	const target = account.scripts.get(service);
	const exports = (target && findActiveVersion(target))?.exports;
	if (exports === undefined) return { name: PLATFORM, entrypoint: "Missing" };
	if (entrypoint === undefined || entrypoint === "default") return { name: service };
	const isThere = exports.entrypoints.includes(entrypoint);
	return isThere ? { name: service, entrypoint } : { name: PLATFORM, entrypoint: "Missing" };
}

/** Miniflare's own type for this is that of its own fetch. */
const buildAssets = ({ assets }: Version) =>
	((request: Request) => answerAsset(assets ?? new Map(), request)) as never;

const buildVectorize = (index: string) => ({ name: PLATFORM, entrypoint: "Vectorize", props: { index } });

/** How a version's code is run. The provider supports newer compatibility dates than the installed workerd. */
export function buildWorkerCode({ compatibilityDate: date, compatibilityFlags }: Code) {
	const compatibilityDate = date < supportedCompatibilityDate ? date : supportedCompatibilityDate;
	return { compatibilityDate, compatibilityFlags: [...compatibilityFlags] };
}
