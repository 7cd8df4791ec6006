import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { bundleWorkers } from "../../../../scripts/bundle/workers.ts";
import { type StandIn, startStandIn } from "../../../../test/deploy/stand-in/stand-in.ts";
import { main } from "../../src/main.ts";

interface Answer {
	readonly code: number;
	readonly out: string;
	readonly err: string;
}

/** An account at a stand-in of the provider, and a machine with the command line. */
export interface TestAccount {
	readonly standIn: StandIn;
	readonly cwd: string;
	readonly home: string;
	readonly env: Readonly<Record<string, string>>;
	cli(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Answer>;
}

const root = mkdtempSync(join(tmpdir(), "tripline-deploy-"));
const open: StandIn[] = [];
after(async () => {
	await Promise.all(open.map((standIn) => standIn.close()));
	rmSync(root, { recursive: true, force: true });
});

let made: Promise<string> | undefined;

/** The bundles, made once for the tests of a file. */
async function bundleFolder(): Promise<string> {
	const folder = join(root, "bundles");
	made ??= bundleWorkers(folder, "1.0.0-test").then(() => folder);
	return made;
}

/** The same with another text in place of one worker's. */
export async function otherBundles(worker: string, change: (script: string) => string): Promise<string> {
	const folder = mkdtempSync(join(root, "changed-"));
	cpSync(await bundleFolder(), folder, { recursive: true });
	const file = join(folder, `${worker}.mjs`);
	writeFileSync(file, change(readFileSync(file, "utf8")));
	return folder;
}

export async function startAccount(options: Parameters<typeof startStandIn>[0] = {}): Promise<TestAccount> {
	const standIn = await startStandIn(options);
	open.push(standIn);
	const folder = mkdtempSync(join(root, "account-"));
	const [cwd, home] = [join(folder, "project"), join(folder, "home")];
	for (const each of [cwd, home]) mkdirSync(each);
	const given = {
		CLOUDFLARE_API_BASE_URL: standIn.url,
		CLOUDFLARE_ACCOUNT_ID: standIn.accountId,
		CLOUDFLARE_API_TOKEN: standIn.token(),
		TRIPLINE_BUNDLES: await bundleFolder(),
	};
	return { standIn, cwd, home, env: given, cli };

	async function cli(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Answer> {
		let out = "";
		let err = "";
		const code = await main(argv, {
			env: { ...given, ...env },
			cwd,
			home,
			isTerminal: false,
			width: 100,
			out: (text) => {
				out += text;
			},
			err: (text) => {
				err += text;
			},
			stdin: async () => "",
			ask: async () => null,
			askSecret: async () => null,
			fetch: (request, init) =>
				new URL(request.url).hostname.endsWith(".workers.dev")
					? standIn.fetch(request)
					: fetch(request, init),
			now: Date.now,
			version: "1.0.0-test",
		});
		return { code, out, err };
	}
}

/** For a process of its own: this machine's home, and addresses of the deployment's workers lead to the stand-in. */
export async function redirected(
	{ standIn, home }: TestAccount,
	name: string,
): Promise<Readonly<Record<string, string>>> {
	const workers = ["executor", "mcp", "registry"].map((role) => `${name}-${role}`);
	const addresses = await Promise.all(workers.map(async (worker) => [worker, await standIn.urlOf(worker)]));
	return {
		PATH: process.env.PATH ?? "",
		HOME: home,
		NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${REDIRECT}`,
		TEST_ADDRESSES: JSON.stringify(Object.fromEntries(addresses)),
	};
}

const REDIRECT = `data:text/javascript,${encodeURIComponent(`
	const addresses = JSON.parse(process.env.TEST_ADDRESSES);
	const real = globalThis.fetch;
	globalThis.fetch = (request, init) => {
		const { hostname, pathname, search } = new URL(request.url);
		const address = addresses[hostname.split(".")[0]];
		return real(address === undefined ? request : new Request(address + pathname + search, request), init);
	};
`)}`;
