import { compare } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { copyDatabase, RUNNER, WORKFLOWS } from "./data.ts";
import { get } from "./requests.ts";
import { openFloor, openSubject, recorder } from "./subject.ts";

const ENTRIES = 10_000;
const ROUNDS = 15;
const CALLS = 20;

/** The latest record of many workflows in one call, against one call for each. */
export async function measureLatest(onProgress: (what: string) => void): Promise<Row[]> {
	onProgress("GET /execution-log/latest, 200 workflows");
	using folder = scratchFolder();
	const { units, wrap } = recorder();
	using rehearsal = openSubject(await copyDatabase(ENTRIES, folder.path), { wrap });
	const path = await copyDatabase(ENTRIES, folder.path);
	using ours = openSubject(path);
	using floor = await openFloor(path, ours.sql);

	const buildCall = (names: readonly string[]) =>
		get("/execution-log/latest", [["owner_id", RUNNER], ...names.map((name) => ["workflow", name] as const)]);
	for (const name of WORKFLOWS) await rehearsal.answer(buildCall([name]));
	const single = units.splice(0);
	await expectAll(rehearsal.answer(buildCall(WORKFLOWS)));
	const named = units.splice(0).flat().length;
	await expectAll(rehearsal.answer(buildCall([])));
	const every = units.splice(0).flat().length;

	const measured = await compare({
		rounds: ROUNDS,
		floor: () => floor.batch(Array.from({ length: CALLS }, () => single).flat(), CALLS),
		ours: () => ours.batch(Array.from({ length: CALLS }, () => buildCall(WORKFLOWS))),
	});
	const bar = { on: "ours", most: 1 } as const;
	const what = "GET /execution-log/latest";
	return [
		{ what: `${what}, 200 named`, unit: "statements", floor: single.flat().length, ours: named, bar },
		{ what: `${what}, every one of 200`, unit: "statements", floor: single.flat().length, ours: every, bar },
		{ what: `${what}, 200 named, against 200 bare statements`, unit: "µs", ...measured },
	];
}

async function expectAll(answer: Promise<unknown>): Promise<void> {
	const count = Object.keys(((await answer) as { latest: object }).latest).length;
	if (count !== WORKFLOWS.length) throw new Error(`${count} of ${WORKFLOWS.length} workflows in the answer`);
}
