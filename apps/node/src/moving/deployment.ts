import { randomUUID } from "node:crypto";
import { postgresStatement, type Sql, statement } from "@tripline/platform/sql";
import { convertKeys } from "@tripline/store/storage/moved-keys";
import { processStorage } from "@tripline/store/storage/processes";
import { searchStorage } from "@tripline/store/storage/search";
import type { DatabaseName } from "../databases.ts";
import { hasNextKey, masterKeyPath } from "../master-key.ts";
import { createMoves, type MoveMark, readMark, writeMark } from "../move-marks.ts";
import { type Settings, StartProblem } from "../settings.ts";
import { copyTable, MoveDifference, type MovedTable, type VerifiedTable, verifyTable } from "./copy.ts";
import { continueNumbers } from "./numbers.ts";
import { asTarget, DATABASES, folderPlace, hasDeployment, type Place, postgresPlace } from "./places.ts";
import { tableRows } from "./rows.ts";
import { listCommonTables, listTables, type Table } from "./tables.ts";
import { disableTriggers, enableTriggers } from "./triggers.ts";

export interface MoveProgress {
	readonly step: "copy" | "index" | "verify";
	/** `store.entries`, for example. */
	readonly table: string;
	readonly rows: number;
	readonly total: number;
}

interface CountedTable {
	readonly database: DatabaseName;
	readonly table: string;
	readonly rows: number;
}

export interface Moved {
	readonly from: Place;
	readonly to: Place;
	/** Empty if an earlier call had finished everything but the last mark. */
	readonly tables: readonly (CountedTable & VerifiedTable)[];
}

interface Move {
	readonly settings: Settings;
	/** A data folder, or the URL of a PostgreSQL database. */
	readonly to: string;
}

/** A database on both sides. */
interface Pair {
	readonly database: DatabaseName;
	readonly source: Sql;
	readonly target: Sql;
	readonly tables: readonly Table[];
	/** Null if nothing was copied yet. */
	readonly begun: MoveMark | null;
}

/** What would be moved. Nothing is written to the target. */
export async function countMove({
	settings,
	to,
}: Move): Promise<{ from: Place; to: Place; tables: CountedTable[] }> {
	const { from, to: target } = await choosePlaces(settings, to);
	await using opened = new AsyncDisposableStack();
	opened.use(from.lock());
	const tables: CountedTable[] = [];
	for (const database of DATABASES) {
		const sql = opened.use(await from.open(database));
		for (const table of await listTables(sql))
			tables.push({ database, table: table.name, rows: await tableRows(sql, table).count() });
	}
	return { from, to: target, tables };
}

/**
 * Copies a deployment, compares every row, and marks both sides. What was interrupted continues where it stopped, because
 * the marks keep the service from starting on either side meanwhile.
 */
export async function moveDeployment({
	settings,
	to: address,
	report,
}: Move & { readonly report: (progress: MoveProgress) => void }): Promise<Moved> {
	const { from, to } = await choosePlaces(settings, address);
	await using opened = new AsyncDisposableStack();
	opened.use(from.lock());
	opened.use(await asTarget(() => to.lock()));
	const pairs: Pair[] = [];
	for (const database of DATABASES) {
		const source = opened.use(await from.open(database));
		const target = opened.use(await asTarget(() => to.open(database)));
		const tables = await listCommonTables(source, target);
		pairs.push({ database, source, target, tables, begun: await readMark(target, "from") });
	}
	await refuseIncomplete(from, pairs);
	const { source: store, target: targetStore } = pairs.find(({ database }) => database === "store") as Pair;
	await refuseRunning(from, store);
	await refuseRunning(to, targetStore);
	const mark = await begin({ from, to, store, pairs });
	// A process may have started just before the mark was written.
	await refuseRunning(from, store);

	const unfinished = pairs.filter(({ begun }) => begun?.finished_at === undefined);
	for (const pair of unfinished) {
		for (const table of pair.tables)
			await copyTable(toMovedTable(pair, table), await track("copy", pair, table));
		await continueNumbers(pair.source, pair.target, pair.tables);
		if (pair.database === "store") await indexEntries(pair, report);
	}
	const tables: (CountedTable & VerifiedTable)[] = [];
	// Once all are finished, the service may have changed them.
	for (const pair of unfinished.length === 0 ? [] : pairs)
		for (const table of pair.tables) tables.push({ ...named(pair, table), ...(await verify(pair, table)) });
	await refuseRunning(from, store);
	await refuseRunning(to, targetStore);
	const finished: MoveMark = { ...mark, finished_at: new Date().toISOString() };
	// The store is the last, and the only one that the service looks at.
	for (const pair of unfinished) await finish(pair, { ...finished, other: from.name });
	await from.writeMovedTo(store, finished);
	return { from, to, tables };

	async function track(
		step: MoveProgress["step"],
		{ database, source }: Pair,
		table: Table,
	): Promise<(count: number) => void> {
		const total = await tableRows(source, table).count();
		let rows = 0;
		const name = `${database}.${table.name}`;
		report({ step, table: name, rows, total });
		return (count) => {
			rows += count;
			report({ step, table: name, rows: Math.min(rows, total), total });
		};
	}

	async function verify(pair: Pair, table: Table): Promise<VerifiedTable> {
		try {
			return await verifyTable(toMovedTable(pair, table), await track("verify", pair, table));
		} catch (error) {
			if (!(error instanceof MoveDifference)) throw error;
			throw new MoveDifference(
				`${pair.database}.${error.message}. Nothing uses the target yet: empty it (${to.removal}) and run the move again`,
			);
		}
	}
}

const named = ({ database }: Pair, table: Table) => ({ database, table: table.name });

const toMovedTable = ({ database, source, target }: Pair, table: Table): MovedTable => ({
	source,
	target,
	table,
	convert: database === "store" ? convertKeys(source, target) : async (_, rows) => rows,
});

async function choosePlaces(settings: Settings, to: string): Promise<{ from: Place; to: Place }> {
	const { DATABASE_URL: url, DATA_DIR: folder } = settings;
	if (settings.STORE_BASE_URL !== undefined)
		throw new StartProblem("STORE_BASE_URL is set: only a deployment with its own store can be moved");
	const from = url === undefined ? folderPlace(folder, settings) : postgresPlace(url, settings);
	const target = await asTarget(() =>
		/^postgres(?:ql)?:/.test(to) ? postgresPlace(to, settings) : folderPlace(to, settings),
	);
	if (from.kind === "postgres" && target.kind === "postgres")
		throw new StartProblem(
			"DATABASE_URL is set, so the deployment is in PostgreSQL already: leave it unset until the move from DATA_DIR has finished, or copy a PostgreSQL database with pg_dump",
		);
	if (from.kind === "folder" && target.kind === "folder")
		throw new StartProblem(
			"DATABASE_URL is not set, so the deployment is in a folder already: set it to move back from PostgreSQL, or copy the folder while the service is stopped",
		);
	if (from.kind === "folder" && !hasDeployment(from.name))
		throw new StartProblem(`there is no store.db in ${from.name}: set DATA_DIR to the service's data folder`);
	const key = masterKeyPath(settings, from.name);
	if (from.kind === "folder" && hasNextKey(key))
		throw new StartProblem("the master key is being replaced: finish that first, with tripline vault rekey");
	return { from, to: target };
}

async function refuseIncomplete({ name, kind }: Place, pairs: readonly Pair[]): Promise<void> {
	let hasRows = false;
	for (const { source, tables } of pairs) {
		const mark = await readMark(source, "from");
		if (mark !== null && mark.finished_at === undefined)
			throw new StartProblem(`${name} has only a part of ${mark.other}: finish that move first`);
		hasRows ||= !(await isEmpty(source, tables));
	}
	if (!hasRows)
		throw new StartProblem(
			`${name} has no deployment: check ${kind === "folder" ? "DATA_DIR" : "DATABASE_URL and DATABASE_SCHEMA"}`,
		);
}

async function refuseRunning({ name, kind }: Place, store: Sql): Promise<void> {
	if (kind === "folder") return;
	const alive = await processStorage(store).countAlive();
	if (alive > 0)
		throw new StartProblem(
			`${alive} process${alive === 1 ? " serves" : "es serve"} the deployment in ${name}: stop the service first, and wait 12 seconds if it was killed`,
		);
}

/** Checks both sides, marks them, and prepares the target. Returns the source's mark. */
async function begin(move: {
	from: Place;
	to: Place;
	store: Sql;
	pairs: readonly Pair[];
}): Promise<MoveMark> {
	const { from, to, store, pairs } = move;
	const known = await from.readMovedTo(store);
	const begun = pairs.find((pair) => pair.begun !== null)?.begun ?? null;
	for (const { begun: other, target, tables } of pairs) {
		if (other === null ? await isEmpty(target, tables) : other.id === known?.id) continue;
		throw new StartProblem(
			other === null || other.finished_at !== undefined
				? `${to.name} is not empty, and a move overwrites nothing: choose another target`
				: `${to.name} has an unfinished move from ${other.other} that cannot continue, because it is another deployment or was used since: empty the target (${to.removal}), and run the move again`,
		);
	}
	if (known?.finished_at !== undefined)
		throw new StartProblem(
			`${from.name} was moved to ${known.other} on ${known.finished_at}: ${from.kind === "folder" ? "delete moved-to there" : "delete the row 'to' of its table moves"} if it is to be moved again`,
		);
	const now = { id: randomUUID(), other: to.name, began_at: new Date().toISOString() };
	const mark = begun === null || known === null ? now : known;
	await from.writeMovedTo(store, mark);
	for (const pair of pairs) if (pair.begun === null) await prepare(pair, { ...mark, other: from.name });
	return mark;
}

async function isEmpty(sql: Sql, tables: readonly Table[]): Promise<boolean> {
	for (const { name } of tables) {
		// A new database has counters that are zero.
		const isData = name === "counters" ? "value <> 0" : "true";
		const [row] = await sql.read(statement(`select 1 as found from "${name}" where ${isData} limit 1`));
		if (row !== undefined) return false;
	}
	return true;
}

async function prepare({ database, target, tables }: Pair, mark: MoveMark): Promise<void> {
	await createMoves(target);
	await target.write([
		writeMark("from", mark),
		...(await disableTriggers(target, tables)),
		...(database === "store"
			? [
					statement("delete from counters"),
					// All entries are to be indexed.
					statement("update search_state set version = 0, swept_to = 0"),
				]
			: []),
	]);
}

async function indexEntries({ target }: Pair, report: (progress: MoveProgress) => void): Promise<void> {
	const search = searchStorage(target);
	const [end] = await target.read<{ last: number | null }>(statement("select max(seq) as last from entries"));
	const total = end?.last ?? 0;
	do {
		const [state] = await target.read<{ swept_to: number | null }>(
			statement("select swept_to from search_state"),
		);
		report({ step: "index", table: "store.entries", rows: state?.swept_to ?? total, total });
	} while (await search.catchUp());
}

async function finish({ database, target, tables }: Pair, mark: MoveMark): Promise<void> {
	await target.write([
		...(await enableTriggers(target, tables)),
		statement("delete from moves"),
		writeMark("from", mark),
		// Otherwise PostgreSQL plans its first queries as if the tables were empty.
		...(target.dialect === "postgres"
			? [...tables.map(({ name }) => name), ...(database === "store" ? ["search", "search_lists"] : [])].map(
					(name) => postgresStatement(`analyze "${name}"`),
				)
			: []),
	]);
}
