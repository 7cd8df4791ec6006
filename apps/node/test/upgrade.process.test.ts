import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { start, temporaryFolder } from "./process.ts";

/** A call of a stored workflow, and its outcome in the release that stored it. */
interface Call {
	readonly workflow?: string;
	readonly token?: string;
	readonly input: unknown;
	readonly status: number;
	/** Of a successful run. Error messages may change between releases. */
	readonly data?: unknown;
}

/**
 * Databases as release 1.3.1 wrote them: examples of its documentation and its components, and workflows that cannot be
 * saved any more, because the types tell that a node fails.
 */
const RELEASE = new URL("release-1.3.1/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, RELEASE), "utf8");
const calls = JSON.parse(read("calls.json")) as readonly Call[];

describe("a data directory of release 1.3.1", () => {
	test("is brought up to date, and its workflows run as before", async (context) => {
		const cwd = temporaryFolder(context);
		const folder = join(cwd, "data");
		mkdirSync(folder);
		for (const name of ["kv", "store"]) {
			const database = new DatabaseSync(join(folder, `${name}.db`));
			database.exec(read(`${name}.sql`));
			database.close();
		}
		const { publicUrl } = await start(context, {}, cwd);
		assert.ok(calls.length > 50);
		for (const call of calls) {
			assert.deepEqual(await trigger(publicUrl, call), getOutcome(call), JSON.stringify(call));
		}
	});
});

/** The day on which the calls were recorded. */
const RECORDED_ON = "2026-11-16";

type Outcome = Pick<Call, "status" | "data">;

const getOutcome = ({ status, data }: Call): Outcome => (status === 200 ? { status, data } : { status });

async function trigger(publicUrl: string, { workflow, token, input }: Call): Promise<Outcome> {
	const path = workflow === undefined ? `${token}` : `named/${encodeURIComponent(workflow)}`;
	const response = await fetch(`${publicUrl}/webhooks/${path}/trigger`, {
		method: "POST",
		headers: { "x-service-api-key": "default", "content-type": "application/json" },
		body: JSON.stringify(input),
	});
	const { status } = response;
	// Some outputs contain the day.
	const text = (await response.text()).replaceAll(new Date().toISOString().slice(0, 10), RECORDED_ON);
	const { data } = JSON.parse(text) as { data: unknown };
	return getOutcome({ input, status, data });
}
