import { join } from "node:path";
import { checkOut } from "./before.ts";
import { hasProc, readCpuSeconds } from "./child.ts";
import { type Instance, NAMESPACE, openInstance } from "./executor/instance.ts";
import { startLoad } from "./executor/load.ts";
import { compareServed, countRecords, type Served } from "./executor/served.ts";
import { threeNodes, triggerRequest } from "./executor/workflow.ts";
import { alternate, median } from "./measure.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";
import { buildServiceArgs } from "./service.ts";

/** A save may cost this much more than without versions. */
const MAX_SAVE_RATIO = 1.3;
/** A trigger must not notice how many versions its workflow has. */
const MAX_TRIGGER_RATIO = 1.03;
const VERSIONS = 1_000;
const STARTS = 3;
const SAVES = { rounds: 5, warmups: 2 };
const SAVES_PER_ROUND = 300;
const TRIGGERS = { rounds: 4, warmups: 2, count: 5_000, connections: 32 };

/** Saving and triggering a workflow of this checkout against those of an earlier commit, measured alternately. */
export async function versionsSuite(
	onProgress: (what: string) => void,
	{ base = "HEAD~1" }: { readonly base?: string },
): Promise<Section[]> {
	if (!hasProc) throw new Error("a server's CPU is read from /proc, which this platform does not have");
	using folder = scratchFolder();
	const then = join(folder.path, "checkout");
	onProgress(`against ${checkOut(base, then)}`);
	await using load = startLoad();
	const saves = [];
	const triggers = [];
	for (let nth = 1; nth <= STARTS; nth++) {
		onProgress(`start ${nth} of ${STARTS}`);
		await using now = await openInstance(join(folder.path, `now-${nth}`));
		await using before = await openInstance(join(folder.path, `before-${nth}`), {}, buildServiceArgs(then));
		saves.push(await alternate({ ...SAVES, floor: measureSaves(before), ours: measureSaves(now) }));
		const [floor, ours] = [await serveNamed(before, 1), await serveNamed(now, VERSIONS)];
		triggers.push(await compareServed(load, TRIGGERS, { floor, ours }));
	}
	const toRow = (
		what: string,
		compared: readonly { floor: number; ours: number; ratio: number }[],
		most: number,
	): Row => ({
		what,
		unit: "µs",
		floor: median(compared.map(({ floor }) => floor)),
		ours: median(compared.map(({ ours }) => ours)),
		ratio: median(compared.map(({ ratio }) => ratio)),
		bar: { on: "ratio", most },
	});
	return [
		{
			title: `Versions, CPU per request: this checkout / ${base}`,
			rows: [
				toRow("save a workflow whose text changed", saves, MAX_SAVE_RATIO),
				toRow(`trigger by name, ${VERSIONS} versions / 1`, triggers, MAX_TRIGGER_RATIO),
			],
		},
	];
}

let saved = 0;

/** Every save changes the text. */
const measureSaves = (instance: Instance) => async (): Promise<number> => {
	const started = readCpuSeconds(instance);
	for (let nth = 0; nth < SAVES_PER_ROUND; nth++) await saveChanged(instance, "saved");
	return ((readCpuSeconds(instance) - started) * 1e6) / SAVES_PER_ROUND;
};

async function saveChanged(instance: Instance, name: string): Promise<void> {
	const { nodes, ...rest } = threeNodes(name);
	const extra = { id: "extra", component: "template", params: { text: `text ${++saved}` } };
	const response = await fetch(`${instance.publicUrl}/webhooks/named`, {
		method: "POST",
		headers: { "x-service-api-key": NAMESPACE, "content-type": "application/json" },
		body: JSON.stringify({ name, description: "An order", graph: { ...rest, nodes: [...nodes, extra] } }),
	});
	if (!response.ok) throw new Error(`saving answered ${response.status}: ${await response.text()}`);
	await response.arrayBuffer();
}

async function serveNamed(instance: Instance, versions: number): Promise<Served> {
	for (let nth = 1; nth < versions; nth++) await saveChanged(instance, "named");
	const path = await instance.named("named", threeNodes("named"));
	return {
		...instance,
		url: instance.publicUrl,
		requests: [triggerRequest(path)],
		settle: countRecords(instance, "named").settle,
	};
}
