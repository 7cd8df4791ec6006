import { deepEqual } from "node:assert/strict";
import { request } from "undici";
import { compilePlan } from "../executor/engine.ts";
import { compare } from "../measure.ts";
import type { Row } from "../report.ts";
import { type Caller, callInLanes, openCaller, requestGraph } from "./calls.ts";
import type { Outside } from "./outside.ts";

const ROUNDS = 11;
const CALLS = 1_000;
const LANES = [1, 16, 64] as const;
const BAR = { on: "ratio", most: 1.5 } as const;
const LIMITS = { timeoutMs: 30_000, maxBytes: 2 * 1_048_576 };

type Call = () => Promise<unknown>;

/** A run with one request, against the same call with undici. */
export async function httpRequests({ url }: Outside, onProgress: (what: string) => void): Promise<Row[]> {
	await using caller = openCaller();
	const thing = `${url}/thing`;
	const floor = async () => (await request(thing)).body.json();
	const node = createNodeCall(caller, thing);
	deepEqual(await node(), await floor());
	const rows: Row[] = [];
	const measure = async (what: string, lanes: number, ours: Call, bar?: Row["bar"]) => {
		onProgress(what);
		const side = (call: Call) => () => ({ calls: CALLS, run: () => callInLanes(CALLS, lanes, call) });
		const compared = await compare({ rounds: ROUNDS, floor: side(floor), ours: side(ours) });
		rows.push({ what, unit: "µs", ...compared, ...(bar && { bar }) });
	};
	for (const lanes of LANES) await measure(`http_request, ${lanes} at a time`, lanes, node, BAR);
	await measure("of it: the port, 16 at a time", 16, createPortCall(caller, thing));
	await measure("of it: the port and the outbound call, 16 at a time", 16, outboundCall(caller, thing));
	return rows;
}

function createNodeCall(caller: Caller, url: string): Call {
	const plan = compilePlan({ graph: requestGraph(url) });
	return async () => ((await caller.run(plan)) as { data: unknown }).data;
}

const { signal } = new AbortController();

function createPortCall({ send }: Caller, url: string): Call {
	return async () => {
		const answer = await send(
			{ method: "GET", url: new URL(url), headers: {}, body: null, ...LIMITS },
			signal,
		);
		return parseBody(answer.body);
	};
}

const outboundCall =
	({ http }: Caller, url: string): Call =>
	async () =>
		parseBody((await http()({ method: "GET", url }, signal)).body);

const decoder = new TextDecoder();
const parseBody = (body: Uint8Array): unknown => JSON.parse(decoder.decode(body));
