import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Io } from "../../apps/cli/src/io.ts";
import { main } from "../../apps/cli/src/main.ts";
import { bundleWorkers } from "../../scripts/bundle/workers.ts";
import { type StandIn, startStandIn } from "./stand-in/stand-in.ts";

type Environment = Readonly<Record<string, string>>;

interface Answer {
	readonly code: number;
	readonly out: string;
	readonly err: string;
	/** The parsed stdout with `--json`. */
	readonly json: unknown;
}

/** Where a command is killed: before its n-th request is sent, or after it was answered. */
export interface Kill {
	readonly at: number;
	readonly phase: "before" | "after";
	/** The request to count from, such as `PUT /…/tripline-mcp`; default: the first. */
	readonly from?: RegExp;
}

interface Calling {
	readonly env?: Environment;
	readonly files?: Readonly<Record<string, string>>;
}

/** A machine with the command line, and an account at the stand-in; removed after the tests of the file. */
export interface Machine {
	readonly standIn: StandIn;
	readonly cwd: string;
	readonly home: string;
	readonly env: Environment;
	/** Requests to deployed workers, such as `POST tripline-executor /init/seed`. */
	readonly visits: readonly string[];
	/** How long the command line would have waited, in milliseconds. */
	readonly waits: readonly number[];
	cli(argv: readonly string[], calling?: Calling): Promise<Answer>;
	/** Ends the command as `kill -9` would. False if it had ended before. */
	killed(argv: readonly string[], kill: Kill, env?: Environment): Promise<boolean>;
	/** A fetch that reaches the addresses of the deployment. */
	fetch(request: Request): Promise<Response>;
	/** The address of a worker. */
	url(role: string): string;
	/** Calls since then that changed something, such as `PUT /workers/scripts/tripline-mcp`. */
	writes(sinceCall: number): readonly string[];
	/** The deployment's secrets, as the command line stored them. */
	secrets(): Readonly<Record<string, string>>;
}

const VERSION = "1.0.0-test";

const root = mkdtempSync(join(tmpdir(), "tripline-deployment-"));
const started: StandIn[] = [];
after(async () => {
	await Promise.all(started.map((standIn) => standIn.close()));
	rmSync(root, { recursive: true, force: true });
});

let bundling: Promise<string> | undefined;

/** Built once for the tests of a file. */
function loadBundles(): Promise<string> {
	const folder = join(root, "bundles");
	bundling ??= bundleWorkers(folder, VERSION).then(() => folder);
	return bundling;
}

/** Copies the bundles, or given ones, with other code for some workers. */
export async function otherBundles(
	changes: Readonly<Record<string, (code: string) => string>>,
	from: Environment = {},
): Promise<Environment> {
	const folder = mkdtempSync(join(root, "changed-"));
	cpSync(from.TRIPLINE_BUNDLES ?? (await loadBundles()), folder, { recursive: true });
	for (const [role, change] of Object.entries(changes)) {
		const file = join(folder, `${role}.mjs`);
		writeFileSync(file, change(readFileSync(file, "utf8")));
	}
	return { TRIPLINE_BUNDLES: folder };
}

/** Code for `otherBundles`: has every entrypoint that other workers are bound to, and is never ready. */
export const renderNeverReady = () => `import { WorkerEntrypoint } from "cloudflare:workers";
export class Runs extends WorkerEntrypoint {}
export class Internal extends WorkerEntrypoint {}
export default { fetch: () => new Response("", { status: 503 }), scheduled() {} };`;

export async function startMachine(options: Parameters<typeof startStandIn>[0] = {}): Promise<Machine> {
	const standIn = await startStandIn(options);
	started.push(standIn);
	const folder = mkdtempSync(join(root, "machine-"));
	const [cwd, home] = [join(folder, "project"), join(folder, "home")];
	for (const each of [cwd, home]) mkdirSync(each);
	const env = {
		CLOUDFLARE_API_BASE_URL: standIn.url,
		CLOUDFLARE_ACCOUNT_ID: standIn.accountId,
		CLOUDFLARE_API_TOKEN: standIn.token(),
		TRIPLINE_BUNDLES: await loadBundles(),
	};
	const visits: string[] = [];
	const waits: number[] = [];
	const url = (role: string) => `https://tripline-${role}.${standIn.state().subdomain}.workers.dev`;
	return {
		standIn,
		cwd,
		home,
		env,
		visits,
		waits,
		cli,
		killed: runAndKill,
		fetch: visit,
		url,
		writes: listWrites,
		secrets: readSecrets,
	};

	async function cli(argv: readonly string[], calling: Calling = {}): Promise<Answer> {
		for (const [path, content] of Object.entries(calling.files ?? {}))
			writeFileSync(join(cwd, path), content);
		const written = { out: "", err: "" };
		const code = await main(argv, createIo(written, send, calling.env));
		return { code, ...written, json: argv.includes("--json") ? JSON.parse(written.out) : undefined };
	}

	async function runAndKill(argv: readonly string[], kill: Kill, env?: Environment): Promise<boolean> {
		const { at, phase, from } = kill;
		const { promise: dead, resolve: die } = Promise.withResolvers<void>();
		const forever = new Promise<never>(() => {});
		const underWay = new Set<Promise<Response>>();
		let count = 0;
		let isDead = false;
		const fetchUntil: Io["fetch"] = async (request, init) => {
			if (count > 0 || from === undefined || from.test(`${request.method} ${new URL(request.url).pathname}`))
				count += 1;
			const isLast = count === at;
			if (isLast && phase === "before") end();
			if (isDead) return forever;
			const sending = send(request, init);
			underWay.add(sending);
			const answer = await sending;
			underWay.delete(sending);
			if (isLast) end();
			if (!isDead) return answer;
			await answer.body?.cancel();
			return forever;
		};
		const end = () => {
			isDead = true;
			die();
		};
		const ended = main(argv, createIo({ out: "", err: "" }, fetchUntil, env));
		await Promise.race([dead, ended]);
		// Requests that were already sent still arrive.
		await Promise.allSettled(underWay);
		return isDead;
	}

	function createIo(written: { out: string; err: string }, fetch: Io["fetch"], more: Environment = {}): Io {
		return {
			env: { ...env, ...more },
			cwd,
			home,
			uid: process.getuid?.() ?? null,
			isTerminal: false,
			width: 100,
			out: (text) => {
				written.out += text;
			},
			hasReader: () => true,
			onInterrupt: () => () => {},
			err: (text) => {
				written.err += text;
			},
			stdin: async () => "",
			ask: async () => null,
			askSecret: async () => null,
			fetch,
			now: Date.now,
			// Deployments to the stand-in take effect at once.
			wait: async (ms) => {
				waits.push(ms);
			},
			version: VERSION,
		};
	}

	function send(request: Request, init?: { readonly signal: AbortSignal }): Promise<Response> {
		return new URL(request.url).hostname.endsWith(".workers.dev") ? visit(request) : fetch(request, init);
	}

	function visit(request: Request): Promise<Response> {
		const { hostname, pathname } = new URL(request.url);
		visits.push(`${request.method} ${hostname.split(".")[0]} ${pathname}`);
		return standIn.fetch(request);
	}

	function listWrites(sinceCall: number): readonly string[] {
		return standIn.calls
			.slice(sinceCall)
			.filter(({ method, path, status }) => method !== "GET" && status < 400 && !path.endsWith("/query"))
			.map(({ method, path }) => `${method} ${path.replace(/^\/accounts\/[^/]+/, "")}`);
	}

	function readSecrets(): Readonly<Record<string, string>> {
		const file = join(home, ".config/tripline/deployments", `${standIn.accountId}.tripline.json`);
		return JSON.parse(readFileSync(file, "utf8")).secrets;
	}
}
