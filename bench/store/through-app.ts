import { type Comparison, compare } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { databaseOf, OWNERS, placeOf, randomNumbers, TYPES, WORDS } from "./data.ts";
import { type Call, get, put } from "./requests.ts";
import { openFloor, openSubject, recorder } from "./subject.ts";

const ENTRIES = 10_000;
const ROUNDS = 15;
const BAR = { on: "ratio", most: 3 } as const;
const AT_ONCE = 32;

interface Case {
	readonly what: string;
	readonly calls: number;
	readonly atOnce?: number;
	readonly level?: "info";
	/** The nth call of the run. */
	call(nth: number, random: () => number): Call;
}

const entryAt = (index: number, nth: number) => ({
	...placeOf(index),
	content: `${nth} ${WORDS}`,
	metadata_json: JSON.stringify({ source: "bench", nth, tags: ["one", "two"] }),
});
const existing = (random: () => number) => Math.floor((random() * ENTRIES) / 2);

const update: Case = {
	what: "PUT /entries, existing key",
	calls: 640,
	call: (nth, random) => put("/entries", entryAt(existing(random), nth)),
};
const create: Case = {
	what: "PUT /entries, new key",
	calls: 640,
	call: (nth) => put("/entries", entryAt(ENTRIES + nth, nth)),
};
const one: Case = {
	what: "GET /entries, one by owner, type and page",
	calls: 2000,
	call: (_, random) => get("/entries", placeOf(existing(random))),
};
const newest: Case = {
	what: "GET /entries, newest 100 of owner and type",
	calls: 200,
	call: (nth) =>
		get("/entries", {
			owner_id: OWNERS[nth % OWNERS.length] as string,
			entry_type: TYPES[Math.floor(nth / OWNERS.length) % TYPES.length] as string,
		}),
};
const CASES: readonly Case[] = [
	update,
	create,
	{ ...update, what: `${update.what}, ${AT_ONCE} at once`, atOnce: AT_ONCE },
	{ ...create, what: `${create.what}, ${AT_ONCE} at once`, atOnce: AT_ONCE },
	one,
	newest,
	{ ...update, what: `${update.what}, log at info`, level: "info" },
	{ ...one, what: `${one.what}, log at info`, level: "info" },
];

/** The app against the bare statements it issues, both on 10,000 entries. */
export async function throughApp(onProgress: (what: string) => void): Promise<Row[]> {
	const rows: Row[] = [];
	for (const each of CASES) {
		onProgress(each.what);
		const measured = await measure(each);
		rows.push({ what: each.what, unit: "µs", ...measured, ...(each.level === undefined && { bar: BAR }) });
	}
	return rows;
}

/** Three copies of one database: ours, the floor's, and one on which the app says which statements it needs. */
async function measure({ calls, atOnce = 1, level, call }: Case): Promise<Comparison> {
	using folder = scratchFolder();
	const copy = () => databaseOf(ENTRIES, folder.path);
	using ours = openSubject(await copy(), level && { level });
	const { statements, wrap } = recorder();
	using rehearsal = openSubject(await copy(), { wrap });
	using floor = await openFloor(await copy(), ours.sql);

	const random = randomNumbers(2);
	const rounds = new Map<number, Call[]>();
	const callsOf = (round: number): Call[] => {
		const made =
			rounds.get(round) ??
			Array.from({ length: calls }, (_, index) => call((round + ROUNDS) * calls + index, random));
		rounds.set(round, made);
		return made;
	};
	// Awaited here: what `using` holds is closed when this function returns.
	return await compare({
		rounds: ROUNDS,
		async floor(round) {
			statements.length = 0;
			await rehearsal.batch(callsOf(round), atOnce).run();
			return floor.batch(statements, calls, atOnce);
		},
		ours: (round) => ours.batch(callsOf(round), atOnce),
	});
}
