import { statement } from "@tripline/platform/sql";
import { compare } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { copyDatabase, getPlace, OWNERS, RUNNER, randomNumbers, TYPES, WORDS, WORKFLOWS } from "./data.ts";
import { type Call, get, post, put } from "./requests.ts";
import { openSubject, type Subject } from "./subject.ts";

const FEW = 10_000;
export const MANY = 1_000_000;
const ROUNDS = 11;
const BAR = { on: "ratio", most: 1.5 } as const;

interface Operation {
	readonly what: string;
	readonly calls: number;
	readonly rounds?: number;
	/** Not part of the requirement: shown, but not checked. */
	readonly free?: true;
	call(entries: number, random: () => number): Call;
	/** How many items the answer must have, so that both databases do the same work. */
	readonly answers: { readonly list: string; readonly length: number } | null;
}

const pick = <T>(from: readonly T[], random: () => number): T =>
	from[Math.floor(random() * from.length)] as T;

const report = (random: () => number) => ({
	owner_id: RUNNER,
	workflow: pick(WORKFLOWS, random),
	verdict: random() < 0.1 ? "failed" : "success",
	duration_ms: Math.floor(random() * 1000),
	trigger: "schedule",
});

const OPERATIONS: readonly Operation[] = [
	{
		what: "GET /entries, newest of an owner",
		calls: 100,
		call: (_, random) => get("/entries", { owner_id: pick(OWNERS, random) }),
		answers: { list: "entries", length: 100 },
	},
	{
		what: "GET /entries, newest of owner and type",
		calls: 150,
		call: (_, random) => get("/entries", { owner_id: pick(OWNERS, random), entry_type: pick(TYPES, random) }),
		answers: { list: "entries", length: 100 },
	},
	{
		what: "GET /entries, newest of all",
		calls: 2,
		rounds: 3,
		free: true,
		call: () => get("/entries"),
		answers: { list: "entries", length: 100 },
	},
	{
		what: "GET /execution-log/latest, one workflow",
		calls: 1000,
		call: (_, random) =>
			get("/execution-log/latest", { owner_id: RUNNER, workflow: pick(WORKFLOWS, random) }),
		answers: { list: "latest", length: 1 },
	},
	{
		what: "GET /execution-log, one workflow",
		calls: 400,
		call: (_, random) => get("/execution-log", { owner_id: RUNNER, workflow: pick(WORKFLOWS, random) }),
		answers: { list: "executions", length: 20 },
	},
	{
		what: "GET /execution-log, failed",
		calls: 400,
		call: () => get("/execution-log", { owner_id: RUNNER, verdict: "failed" }),
		answers: { list: "executions", length: 20 },
	},
	{
		what: "PUT /entries, existing key",
		calls: 600,
		call: (entries, random) =>
			put("/entries", {
				...getPlace(Math.floor((random() * entries) / 2)),
				// A different text than before, so that indexes of the text change too.
				content: `${Math.floor(random() * 1e6)} ${WORDS}`,
				metadata_json: JSON.stringify({ source: "bench", chance: random() }),
			}),
		answers: null,
	},
	{
		what: "POST /execution-log, one record",
		calls: 400,
		call: (_, random) => post("/execution-log", report(random)),
		answers: null,
	},
	{
		what: "POST /execution-log, 100 records",
		calls: 20,
		call: (_, random) =>
			post("/execution-log", { records: Array.from({ length: 100 }, () => report(random)) }),
		answers: null,
	},
];

/** The same calls through the app on a million entries ("ours") against ten thousand ("floor"). */
export async function growth(onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	onProgress(`databases of ${FEW} and ${MANY} entries (made once, then kept in bench/data)`);
	using few = openSubject(await copyDatabase(FEW, folder.path));
	using many = openSubject(await copyDatabase(MANY, folder.path));
	const rows: Row[] = [];
	for (const operation of OPERATIONS) {
		onProgress(operation.what);
		rows.push(await measure(operation, few, many));
	}
	return rows;
}

async function measure(operation: Operation, few: Subject, many: Subject): Promise<Row> {
	const { what, calls, rounds = ROUNDS, free, call } = operation;
	const side = async (subject: Subject, entries: number) => {
		await check(operation, subject, entries);
		const random = randomNumbers(3);
		const size = await countEntries(subject);
		return async () => {
			// Remove the entries appended by the previous round, or the small database would grow.
			await subject.sql.write([statement("delete from entries where seq > ?1", size)]);
			return subject.batch(Array.from({ length: calls }, () => call(entries, random)));
		};
	};
	const measured = await compare({ rounds, floor: await side(few, FEW), ours: await side(many, MANY) });
	return { what, unit: "µs", ...measured, ...(free === undefined && { bar: BAR }) };
}

async function check({ what, call, answers }: Operation, subject: Subject, entries: number): Promise<void> {
	const answer = (await subject.answer(call(entries, randomNumbers(4)))) as Record<string, object>;
	const length = answers && Object.keys(answer[answers.list] ?? {}).length;
	if (answers?.length !== (length ?? undefined)) throw new Error(`${what}: ${length} items in the answer`);
}

async function countEntries({ sql }: Subject): Promise<number> {
	const [row] = await sql.read<{ size: number }>(statement("select max(seq) as size from entries"));
	return row?.size ?? 0;
}
