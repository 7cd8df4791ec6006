import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { createGrownFolder, RECORDS, WORKFLOWS } from "./growth-data.ts";
import { type Instance, openInstance } from "./instance.ts";
import type { Load } from "./load.ts";
import { compareServed, countRecords, type Served } from "./served.ts";
import { threeNodes, triggerRequest } from "./workflow.ts";

const PACE = { rounds: 9, warmups: 6, count: 5_000, connections: 32 };
const BAR = { on: "ratio", most: 1.1 } as const;
const SETTLE_MS = 2_000;

const KINDS: readonly { what: string; prepare: (instance: Instance, workflow: string) => Promise<string> }[] =
	[
		{ what: "trigger by token", prepare: (instance, workflow) => instance.webhook(threeNodes(workflow)) },
		{
			what: "trigger of a named workflow",
			prepare: (instance, workflow) => instance.named(workflow, threeNodes(workflow)),
		},
	];

/** The same triggers on an instance that holds much ("ours") and on an empty one ("floor"). */
export async function growth(load: Load, onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	onProgress(
		`databases of ${WORKFLOWS} workflows and ${RECORDS} records (made once, then kept in bench/data)`,
	);
	const grown = await createGrownFolder(join(folder.path, "grown"));
	// The workflows of the filled database are still to be embedded, which is not to be measured.
	const env = { EMBED: "off" };
	await using empty = await openInstance(join(folder.path, "empty"), env);
	await using full = await openInstance(grown, env);
	await wait(SETTLE_MS);
	const rows: Row[] = [];
	for (const [nth, { what, prepare }] of KINDS.entries()) {
		onProgress(what);
		const workflow = `growth-${nth}`;
		const toServed = async (instance: Instance): Promise<Served & { missing(): number }> => ({
			...instance,
			url: instance.publicUrl,
			requests: [triggerRequest(await prepare(instance, workflow))],
			...countRecords(instance, workflow),
		});
		const sides = { floor: await toServed(empty), ours: await toServed(full) };
		const { floor, ours, ratio } = await compareServed(load, PACE, sides);
		if (sides.floor.missing() + sides.ours.missing() > 0) throw new Error(`${what}: runs without a record`);
		rows.push({ what, unit: "µs", floor, ours, ratio, bar: BAR });
	}
	return rows;
}
