import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { type StandIn, startStandIn } from "../../../../test/deploy/stand-in/stand-in.ts";
import { main } from "../../src/main.ts";

interface Answer {
	readonly code: number;
	readonly out: string;
	readonly err: string;
}

/** An account at a fake provider, and a machine with the command line. */
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
		// No test here gets as far as deploying.
		TRIPLINE_BUNDLES: join(root, "none"),
	};
	return { standIn, cwd, home, env: given, cli };

	async function cli(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Answer> {
		let out = "";
		let err = "";
		const code = await main(argv, {
			env: { ...given, ...env },
			cwd,
			home,
			uid: process.getuid?.() ?? null,
			isTerminal: false,
			width: 100,
			out: (text) => {
				out += text;
			},
			hasReader: () => true,
			onInterrupt: () => () => {},
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
			wait: async () => {},
			version: "1.0.0-test",
		});
		return { code, out, err };
	}
}
