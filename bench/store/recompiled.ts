import { constants, DatabaseSync } from "node:sqlite";
import type { Statement } from "@tripline/platform/sql";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { copyDatabase, getPlace, OWNERS, RUNNER, TYPES, WORKFLOWS } from "./data.ts";
import { type Call, get, post, put } from "./requests.ts";
import { openSubject, recorder } from "./subject.ts";

const ENTRIES = 10_000;
/** The first run with values may recompile; later ones should not. */
const RUNS = 3;

const CALLS: readonly ((nth: number) => Call)[] = [
	(nth) => put("/entries", { ...getPlace(nth), content: "text" }),
	(nth) => post("/entries", { ...getPlace(nth), content: "text" }),
	(nth) => get("/entries", getPlace(nth)),
	(nth) => get("/entries", { owner_id: pickOwner(nth) }),
	(nth) => get("/entries", { entry_type: pickType(nth) }),
	(nth) => get("/entries", { owner_id: pickOwner(nth), entry_type: pickType(nth) }),
	(nth) => get("/entries", { owner_id: pickOwner(nth), page_name: getPlace(nth).page_name }),
	(nth) => get("/entries", { owner_id: pickOwner(nth), since: String(1_740_000_000 + nth) }),
	(nth) => get("/entries", { cron: "due", now: String(1_800_000_000 + nth) }),
	(nth) => post("/execution-log", { ...execution(nth), verdict: "success", duration_ms: nth }),
	(nth) => get("/execution-log", execution(nth)),
	(nth) => get("/execution-log", { owner_id: pickOwner(nth), verdict: "failed" }),
	(nth) => get("/execution-log", { owner_id: pickOwner(nth), verdict: "success" }),
	(nth) => get("/execution-log/latest", execution(nth)),
	(nth) => get("/execution-log/latest", { owner_id: pickOwner(nth) }),
];

/**
 * SQLite recompiles a prepared statement at each run if a bound value could change its plan: one compared with a column
 * in a partial index's condition, or a LIMIT. That costs more than most runs, and in the floor it would go unnoticed.
 */
export async function measureRecompiled(onProgress: (what: string) => void): Promise<Row[]> {
	const what = "statements that SQLite compiles at every run";
	onProgress(what);
	using folder = scratchFolder();
	const { units, wrap } = recorder();
	using subject = openSubject(await copyDatabase(ENTRIES, folder.path), { wrap });
	using watched = watch(await copyDatabase(ENTRIES, folder.path));
	const found = new Set<string>();
	for (const call of CALLS) {
		const runs: Statement[][] = [];
		for (let nth = 1; nth <= RUNS; nth++) {
			await subject.answer(call(nth));
			runs.push(units.splice(0).flat());
		}
		for (const [index, { text }] of (runs[0] ?? []).entries()) {
			if (!watched.isRecompiled(runs.flatMap((run) => run[index] ?? []))) continue;
			onProgress(`  ${call(1).method} ${call(1).target}: ${text.replaceAll(/\s+/g, " ").slice(0, 60)} …`);
			found.add(text);
		}
	}
	return [{ what, unit: "statements", ours: found.size, bar: { on: "ours", most: 0 } }];
}

/** SQLite calls the authorizer only while it compiles. */
function watch(path: string): { isRecompiled(runs: readonly Statement[]): boolean } & Disposable {
	const database = new DatabaseSync(path);
	let asked = 0;
	database.setAuthorizer(() => {
		asked++;
		return constants.SQLITE_OK;
	});
	return {
		isRecompiled(runs) {
			const compiled = database.prepare(runs[0]?.text ?? "");
			for (const { values } of runs) {
				asked = 0;
				compiled.all(...values);
			}
			return asked > 0;
		},
		[Symbol.dispose]: () => database.close(),
	};
}

const pickOwner = (nth: number): string => OWNERS[nth % OWNERS.length] as string;
const pickType = (nth: number): string => TYPES[nth % TYPES.length] as string;
const execution = (nth: number) => ({ owner_id: RUNNER, workflow: WORKFLOWS[nth] as string });
