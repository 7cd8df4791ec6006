import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SUITE = fileURLToPath(
	new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

export type Revision = "2026-07-28" | "2025-11-25";
/** Warned: it was not checked whether it holds, or it should be otherwise. Skipped: the suite itself found nothing to check. */
export type Outcome = "passed" | "failed" | "warned" | "skipped";

interface Check {
	readonly id: string;
	readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
	readonly errorMessage?: string;
}

export interface Scenario {
	readonly outcome: Outcome;
	/** The checks that failed. */
	readonly failed: readonly string[];
	/** What the suite says of it, where it did not pass. */
	readonly said: readonly string[];
}

/** Runs what a revision requires of servers, and what the suite only looks at, against an endpoint. */
export async function runSuite(url: string, revision: Revision): Promise<ReadonlyMap<string, Scenario>> {
	const folder = await mkdtemp(join(tmpdir(), "mcp-conformance-"));
	try {
		const args = [SUITE, "server", "--url", url, "--requirements", revision, "-o", folder];
		const child = spawn(process.execPath, args, { stdio: "ignore", cwd: folder });
		// Its exit code counts failures that are foreseen: what it wrote is read instead.
		await new Promise((resolve, reject) => child.once("exit", resolve).once("error", reject));
		return new Map(readdirSync(folder).map((name) => [scenarioOf(name), read(join(folder, name))]));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** A folder is `server-<scenario>-<time>`. */
const scenarioOf = (folder: string): string => folder.replace(/^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/, "$1");

function read(folder: string): Scenario {
	const all = JSON.parse(readFileSync(join(folder, "checks.json"), "utf8")) as readonly Check[];
	// Part of every scenario: that its messages are well formed does not say that it passed.
	const checks = all.filter(({ id, status }) => id !== "wire-schema-valid" || status !== "SUCCESS");
	const has = (status: Check["status"]) => checks.some((check) => check.status === status);
	const outcome = has("FAILURE")
		? "failed"
		: has("WARNING")
			? "warned"
			: has("SUCCESS")
				? "passed"
				: "skipped";
	return {
		outcome,
		failed: checks.filter(({ status }) => status === "FAILURE").map(({ id }) => id),
		said: checks.flatMap(({ id, errorMessage }) => (errorMessage ? [`${id}: ${errorMessage}`] : [])),
	};
}
