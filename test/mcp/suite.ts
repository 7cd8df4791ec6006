import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Ended, runProgram, withHome } from "./spawn.ts";

const SUITE = import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js");

/** Of one scenario, and of all, which run at the same time. */
const CLIENT_TIMEOUT_MS = 240_000;
const CLIENTS_TIMEOUT_MS = 480_000;

export type Revision = "2026-07-28" | "2025-11-25";
/** Warned: not verified, or a recommendation is not followed. Skipped: the suite found nothing to check. */
type Outcome = "passed" | "failed" | "warned" | "skipped";

type Reason = readonly [
	outcome: Exclude<Outcome, "passed">,
	why: string,
	/** Set if only these checks of a scenario do not apply. */
	checks?: readonly string[],
];
/** Why scenarios do not apply, by name. */
export type Reasons = Readonly<Record<string, Reason>>;

interface Check {
	readonly id: string;
	readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
	readonly errorMessage?: string;
}

export interface Scenario {
	readonly outcome: Outcome;
	/** The names of its checks. */
	readonly passed: readonly string[];
	readonly failed: readonly string[];
	/** The suite's messages for checks that did not pass. */
	readonly said: readonly string[];
}

type Scenarios = ReadonlyMap<string, Scenario>;

/** Runs the required and the informational scenarios of a revision against an endpoint. */
export async function runSuite(url: string, revision: Revision): Promise<Scenarios> {
	// The exit code also counts expected failures, so the result files are read instead.
	const { scenarios } = await run(["server", "--url", url, "--requirements", revision]);
	return scenarios;
}

/** Runs the scenarios for clients of a revision. The driver is the program that they run, as a URL. */
export async function runClientSuite(
	driver: string,
	revision: Revision,
	env: Readonly<Record<string, string>>,
): Promise<Scenarios> {
	const command = [process.execPath, "--disable-warning=ExperimentalWarning", fileURLToPath(driver)];
	const args = ["client", "--command", command.join(" "), "--requirements", revision];
	const timeout = ["--timeout", String(CLIENT_TIMEOUT_MS)];
	const { scenarios } = await run([...args, ...timeout], { env, timeoutMs: CLIENTS_TIMEOUT_MS });
	return scenarios;
}

/** Runs the scenarios for authorization servers. The owner approves the suite's client. */
export const runAuthorization = (
	issuer: string,
	port: number,
): Promise<{ scenarios: Scenarios; ended: Ended }> =>
	run(
		[
			...["authorization", "--url", issuer, "--client-id", "test-client"],
			...["--resource", `${issuer}/mcp`, "--port", String(port)],
		],
		{ issuer },
	);

const run = (args: readonly string[], options: Omit<Parameters<typeof runProgram>[1], "home"> = {}) =>
	withHome(async (home) => {
		const folder = join(home, "results");
		const ended = await runProgram([SUITE, ...args, "--output-dir", folder], { home, ...options });
		// Names may have a slash.
		const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
			.filter((path) => basename(path) === "checks.json")
			.map(dirname);
		return {
			ended,
			scenarios: new Map(names.map((name) => [parseScenario(name), read(join(folder, name))])),
		};
	});

/** A folder is named `server-<scenario>-<time>`, with another kind instead of `server`, or for clients without one. */
const parseScenario = (folder: string): string =>
	folder.replace(/^(?:(?:authorization-)?server-)?(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/, "$1");

function read(folder: string): Scenario {
	const all = JSON.parse(readFileSync(join(folder, "checks.json"), "utf8")) as readonly Check[];
	// Every scenario includes this check: well-formed messages alone do not mean that it passed.
	const checks = all.filter(({ id, status }) => id !== "wire-schema-valid" || status !== "SUCCESS");
	const listIds = (status: Check["status"]) =>
		checks.filter((check) => check.status === status).map(({ id }) => id);
	const has = (status: Check["status"]) => listIds(status).length > 0;
	const outcome = has("FAILURE")
		? "failed"
		: has("WARNING")
			? "warned"
			: has("SUCCESS")
				? "passed"
				: "skipped";
	return {
		outcome,
		passed: listIds("SUCCESS"),
		failed: listIds("FAILURE"),
		said: checks.flatMap(({ id, errorMessage }) => (errorMessage ? [`${id}: ${errorMessage}`] : [])),
	};
}
