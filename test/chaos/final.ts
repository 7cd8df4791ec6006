import { type Client, giveUpAfter } from "./client.ts";
import type { AcceptedRun, History, Kept } from "./history.ts";
import { readFinalVersions } from "./load/saves.ts";

const CONCURRENT = 6;
const MAX_READ_MS = 20_000;

/** Asks for runs that are not known to have ended, or for some of them. Returns how many there are still. */
export async function readEnds(
	history: History,
	clients: readonly Client[],
	choose: (open: readonly AcceptedRun[]) => readonly AcceptedRun[] = (open) => open,
): Promise<number> {
	const open = history.accepted.filter(({ end }) => end === null);
	await forEach(choose(open), (run) => readEnd(run, findClient(clients, run.tenant)));
	return open.filter(({ end }) => end === null).length;
}

async function readEnd(run: AcceptedRun, client: Client): Promise<void> {
	const reply = await client.call("status", "GET", `/executions/${run.execution}`);
	if (!reply?.isOk) return;
	const { status, record, unfinished } = JSON.parse(reply.text) as {
		status: string;
		record: { error?: string } | null;
		unfinished: object | null;
	};
	// A run may have its record although its end was not written.
	if (status !== "accepted" && unfinished === null) run.end = { status, error: record?.error ?? "" };
	else run.state = JSON.stringify(unfinished);
}

/** Looks for everything that was acknowledged. */
export async function readEverything(history: History, clients: readonly Client[]): Promise<void> {
	await forEach(history.kept, async (thing) => {
		thing.found = await readThing(thing, findClient(clients, thing.tenant));
	});
	await forEach(clients, (client) => readFinalVersions({ client, history }));
}

/** Null if it is not there. */
async function readThing({ kind, tenant, name }: Kept, client: Client): Promise<string | null> {
	const until = giveUpAfter(MAX_READ_MS);
	const read = async (...args: [path: string, options?: object]) =>
		(await client.callUntilOk(until, "final", "GET", ...args))?.text ?? null;
	switch (kind) {
		case "entry": {
			const query = new URLSearchParams({ owner_id: tenant, entry_type: "note", page_name: name });
			return readList(await read(`/entries?${query}`, { isToStore: true }), "entries", "content");
		}
		case "triplet": {
			const path = `/graph/neighbors/${name}?owner_id=${tenant}`;
			return readList(await read(path, { isToStore: true }), "neighbors", "name");
		}
		case "file":
			return read(`/files/${name}/content`);
		case "token": {
			const session = await read("/gui/session", { headers: { authorization: `Bearer ${name}` } });
			return session === null ? null : (JSON.parse(session) as { namespace: string }).namespace;
		}
	}
}

/** The texts in a list that should have one item. */
function readList(text: string | null, list: string, key: string): string | null {
	if (text === null) return null;
	const items = (JSON.parse(text) as Record<string, Record<string, string>[]>)[list] ?? [];
	return items.length === 0 ? null : items.map((item) => item[key]).join(" and ");
}

function findClient(clients: readonly Client[], tenant: string): Client {
	const client = clients.find((each) => each.tenant.name === tenant);
	if (client === undefined) throw new Error(`no client for ${tenant}`);
	return client;
}

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
	const rest = items.values();
	await Promise.all(
		Array.from({ length: CONCURRENT }, async () => {
			for (const item of rest) await work(item);
		}),
	);
}
