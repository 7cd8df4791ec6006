import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { type Service, startService } from "@tripline/node/service";
import { parseSettings } from "@tripline/node/settings";
import { systemClock } from "@tripline/platform/clock";
import type { Io } from "../src/io.ts";
import { main } from "../src/main.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A working folder and a home folder, empty at first. */
interface Place {
	readonly cwd: string;
	readonly home: string;
}

interface Calling {
	readonly stdin?: string;
	/** Added to the addresses of the service; undefined removes one of them. */
	readonly env?: Environment;
	/** Contents by path in the working folder. */
	readonly files?: Readonly<Record<string, string>>;
	/** The place of an earlier call; default: new folders. */
	readonly at?: Place;
	/** The answer to a question for a secret; default: there is no terminal. */
	readonly secret?: string;
	/** The answer to any question; default: there is no terminal. */
	readonly answer?: (question: string) => string | null;
	readonly isTerminal?: boolean;
	readonly width?: number;
	readonly fetch?: Io["fetch"];
	/** Default: the user who runs the tests. */
	readonly uid?: number;
	readonly now?: () => number;
	/** Called with what was printed so far; false: the reader has gone. */
	readonly hasReader?: (out: string) => boolean;
	/** Aborted as if by Ctrl-C. */
	readonly interrupt?: AbortSignal;
	/** Default: does not wait. */
	readonly wait?: Io["wait"];
}

interface Called extends Place {
	readonly code: number;
	readonly out: string;
	readonly err: string;
	/** The parsed stdout with `--json`. */
	readonly json: unknown;
}

export interface World {
	readonly service: Service;
	/** Runs a command line against the service. */
	cli(argv: readonly string[], calling?: Calling): Promise<Called>;
	place(): Place;
}

/** Starts the real service in a temporary folder, with the command line; removed after the tests of the file. */
export async function startWorld(
	settings: Readonly<Record<string, string>> = {},
	doubles: Partial<Pick<Parameters<typeof startService>[0], "readDisk">> = {},
): Promise<World> {
	const root = mkdtempSync(join(tmpdir(), "tripline-cli-"));
	const service = await startService({
		settings: parseSettings({ PORT: "0", STORE_PORT: "0", DATA_DIR: join(root, "data"), ...settings }),
		clock: systemClock,
		log: () => {},
		version: "0.0.0-test",
		...doubles,
	});
	after(async () => {
		await service.close();
		rmSync(root, { recursive: true });
	});
	const place = () => createPlace(root);
	return {
		service,
		place,
		cli: (argv, calling = {}) => runCli(service, argv, calling, calling.at ?? place()),
	};
}

/** Starts the command line without a service: its addresses do not answer. */
export function startWithoutService(): Pick<World, "cli" | "place"> {
	const root = mkdtempSync(join(tmpdir(), "tripline-cli-"));
	after(() => rmSync(root, { recursive: true }));
	const place = () => createPlace(root);
	return { place, cli: (argv, calling = {}) => runCli(null, argv, calling, calling.at ?? place()) };
}

function createPlace(root: string): Place {
	const folder = mkdtempSync(join(root, "place-"));
	const place = { cwd: join(folder, "project"), home: join(folder, "home") };
	for (const each of Object.values(place)) mkdirSync(each);
	return place;
}

async function runCli(
	service: Service | null,
	argv: readonly string[],
	calling: Calling,
	{ cwd, home }: Place,
): Promise<Called> {
	for (const [path, content] of Object.entries(calling.files ?? {})) {
		mkdirSync(dirname(join(cwd, path)), { recursive: true });
		writeFileSync(join(cwd, path), content);
	}
	let out = "";
	let err = "";
	const code = await main(argv, {
		env: { ...buildAddresses(service), ...calling.env },
		cwd,
		home,
		uid: calling.uid ?? process.getuid?.() ?? null,
		isTerminal: calling.isTerminal ?? false,
		width: calling.width ?? 100,
		out: (text) => {
			out += text;
		},
		hasReader: () => calling.hasReader?.(out) ?? true,
		err: (text) => {
			err += text;
		},
		stdin: async () => calling.stdin ?? "",
		ask: async (question) => calling.answer?.(question) ?? null,
		askSecret: async (question) => calling.secret ?? calling.answer?.(question) ?? null,
		fetch: calling.fetch ?? ((request, init) => fetch(request, init)),
		now: calling.now ?? Date.now,
		wait: calling.wait ?? (async () => {}),
		onInterrupt(act) {
			calling.interrupt?.addEventListener("abort", act);
			return () => calling.interrupt?.removeEventListener("abort", act);
		},
		version: "0.0.0-test",
	});
	return {
		code,
		out,
		err,
		get json() {
			return argv.includes("--json") ? JSON.parse(out) : undefined;
		},
		cwd,
		home,
	};
}

/** Nothing listens on port 1 of this machine. */
function buildAddresses(service: Service | null): Environment {
	const url = service?.publicUrl ?? "http://127.0.0.1:1";
	return {
		SERVICE_BASE_URL: url,
		SERVICE_MCP_URL: url,
		SERVICE_REGISTRY_URL: `${url}/registry`,
	};
}
