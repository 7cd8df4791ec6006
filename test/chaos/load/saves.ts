import type { Client } from "../client.ts";
import { type History, type Read, takeOrder } from "../history.ts";
import type { Callers, Load } from "./load.ts";

const WORKFLOWS = ["versioned-1", "versioned-2"];

/** One writer for each tenant saves workflows with growing markers. */
export const saves: Load = {
	name: "save",
	maxPauseMs: 500,
	async prepare(callers) {
		for (const workflow of WORKFLOWS) await saveNext(callers, workflow);
	},
	round: (callers) => saveNext(callers, callers.random.pick(WORKFLOWS)),
};

/** Readers see the newest marker, in the document or in what a run of it answers. */
export const reads: Load = {
	name: "read",
	maxPauseMs: 300,
	callers: 2,
	async round({ client, history, random }) {
		const by = random.pick(["read", "trigger"] as const);
		await readMarker({ client, history, kind: by, by, workflow: random.pick(WORKFLOWS) });
	},
};

/** What is there at the end. */
export async function readFinalVersions({ client, history }: Pick<Callers, "client" | "history">) {
	for (const workflow of WORKFLOWS)
		await readMarker({ client, history, kind: "final", by: "final", workflow });
}

/**
 * The save is made only if the workflow is still as it was read. Otherwise an attempt that got no answer could be carried
 * out late, and would overwrite what was saved after it.
 */
async function saveNext({ client, history, until }: Callers, workflow: string): Promise<void> {
	const tenant = client.tenant.name;
	const earlier = history.saves.filter((each) => each.tenant === tenant && each.workflow === workflow);
	const marker = earlier.length + 1;
	const save = { tenant, workflow, marker, sent: takeOrder(), answered: null };
	history.saves.push(save);
	const isSaved = await saveOnce(client, until, workflow, marker);
	if (isSaved) Object.assign(save, { answered: takeOrder() });
}

async function saveOnce(
	client: Client,
	until: Callers["until"],
	workflow: string,
	marker: number,
): Promise<boolean> {
	let condition: Record<string, string> = { "if-none-match": "*" };
	for (;;) {
		if (marker > 1) {
			const reply = await client.callUntilOk(until, "read", "GET", `/webhooks/named/${workflow}`);
			if (reply === null) return false;
			if (readDocument(reply.text) === marker) return true;
			condition = { "if-match": reply.headers.etag ?? "" };
		}
		const saved = await client.call("save", "POST", "/workflows", {
			body: buildDocument(client, workflow, marker),
			headers: condition,
		});
		if (saved?.isOk || (saved?.status === 412 && marker === 1)) return true;
		if (until.isOver()) return false;
	}
}

const buildDocument = (client: Client, name: string, marker: number) => ({
	name,
	description: client.tenant.mark,
	version: String(marker),
	triplets: ["input >> then >> show"],
	config: { show: { component: "set", values: { marker, mark: client.tenant.mark } } },
});

async function readMarker(parts: {
	readonly client: Client;
	readonly history: History;
	readonly kind: string;
	readonly by: Read["by"];
	readonly workflow: string;
}): Promise<void> {
	const { client, history, kind, by, workflow } = parts;
	const sent = takeOrder();
	const reply =
		by === "trigger"
			? await client.call(kind, "POST", `/webhooks/named/${workflow}/trigger?trace=false`, { body: {} })
			: await client.call(kind, "GET", `/webhooks/named/${workflow}`);
	if (reply?.status !== 200) return;
	const marker = by === "trigger" ? readAnswer(reply.text) : readDocument(reply.text);
	history.reads.push({
		tenant: client.tenant.name,
		workflow,
		by,
		marker,
		sent,
		answered: takeOrder(),
	});
}

const readDocument = (text: string): number =>
	(JSON.parse(text) as { config: { show: { values: { marker: number } } } }).config.show.values.marker;

const readAnswer = (text: string): number => (JSON.parse(text) as { data: { marker: number } }).data.marker;
