import { type Statement, statement } from "@tripline/platform/sql";
import { buildUpsertKey } from "@tripline/store/storage/entries";
import { type Comparison, compare } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { copyDatabase, getPlace, OWNERS, randomNumbers, TYPES, WORDS } from "./data.ts";
import { type Call, get, put } from "./requests.ts";
import { openFloor, openSubject, recorder } from "./subject.ts";

const ENTRIES = 10_000;
const ROUNDS = 11;
const BAR = { on: "ratio", most: 3 } as const;
const AT_ONCE = 32;

interface Case {
	readonly what: string;
	readonly calls: number;
	readonly atOnce?: number;
	readonly level?: "info";
	/** The nth call of the run. */
	call(nth: number, random: () => number): Call;
	/** The floor's statement for a call; default: the statements that the app issues. */
	plainest?(call: Call): Statement;
}

const entryAt = (index: number, nth: number) => ({
	...getPlace(index),
	content: `${nth} ${WORDS}`,
	metadata_json: JSON.stringify({ source: "bench", nth, tags: ["one", "two"] }),
});
const pickExisting = (random: () => number) => Math.floor((random() * ENTRIES) / 2);

const update: Case = {
	what: "PUT /entries, existing key",
	calls: 640,
	call: (nth, random) => put("/entries", entryAt(pickExisting(random), nth)),
};
const create: Case = {
	what: "PUT /entries, new key",
	calls: 640,
	call: (nth) => put("/entries", entryAt(ENTRIES + nth, nth)),
};
const one: Case = {
	what: "GET /entries, one by owner, type and page",
	calls: 2000,
	call: (_, random) => get("/entries", getPlace(pickExisting(random))),
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
	{ ...update, what: `${update.what} / plainest statement`, plainest: buildPlainestUpdate },
	{ ...one, what: `${one.what} / plainest statement`, plainest: buildPlainestSelect },
	{ ...newest, what: `${newest.what} / plainest statement`, plainest: buildPlainestSelect },
];

/** The app against the bare statements it issues, both on 10,000 entries. */
export async function throughApp(onProgress: (what: string) => void): Promise<Row[]> {
	const rows: Row[] = [];
	for (const each of CASES) {
		onProgress(each.what);
		const measured = await measure(each);
		const isJudged = each.level === undefined && each.plainest === undefined;
		rows.push({ what: each.what, unit: "µs", ...measured, ...(isJudged && { bar: BAR }) });
	}
	return rows;
}

/** Three copies of one database: ours, the floor's, and one to record the app's statements. */
async function measure({ calls, atOnce = 1, level, call, plainest }: Case): Promise<Comparison> {
	using folder = scratchFolder();
	const copy = () => copyDatabase(ENTRIES, folder.path);
	using ours = openSubject(await copy(), level && { level });
	const { units, wrap } = recorder();
	using rehearsal = openSubject(await copy(), { wrap });
	using floor = await openFloor(await copy(), ours.sql);

	const random = randomNumbers(2);
	const rounds = new Map<number, Call[]>();
	const listCalls = (round: number): Call[] => {
		const made =
			rounds.get(round) ??
			Array.from({ length: calls }, (_, index) => call((round + ROUNDS) * calls + index, random));
		rounds.set(round, made);
		return made;
	};
	// Awaited here, because `using` closes its resources when this function returns.
	return await compare({
		rounds: ROUNDS,
		async floor(round) {
			if (plainest !== undefined)
				return floor.batch(
					listCalls(round).map((each) => [plainest(each)]),
					calls,
				);
			units.length = 0;
			await rehearsal.batch(listCalls(round), atOnce).run();
			return floor.batch(units, calls, atOnce);
		},
		ours: (round) => ours.batch(listCalls(round), atOnce),
	});
}

const WIRE = "id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at";

/**
 * The minimal statement, without what the app adds for other purposes: an expensive statement of our own shows against
 * this, but not against itself. The `+` keeps SQLite from recompiling the statement for each value.
 */
function buildPlainestSelect({ target }: Call): Statement {
	const query = new URLSearchParams(target.slice(target.indexOf("?")));
	const page = query.get("page_name");
	return statement(
		`select ${WIRE} from entries where owner_id = ?1 and entry_type = +?2 ${page === null ? "" : "and page_name = ?3"}
		order by created_at desc, seq desc limit 101`,
		...["owner_id", "entry_type", ...(page === null ? [] : ["page_name"])].map((name) => query.get(name)),
	);
}

function buildPlainestUpdate({ body }: Call): Statement {
	const entry = body as ReturnType<typeof entryAt>;
	return statement(
		`update entries set content = ?1, metadata_json = ?2, updated_at = ?3 where upsert_key = ?4 returning ${WIRE}`,
		entry.content,
		entry.metadata_json,
		Math.floor(Date.now() / 1000),
		buildUpsertKey(entry),
	);
}
