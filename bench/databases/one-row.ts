import { deepEqual } from "node:assert/strict";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { databaseAuth } from "@tripline/components/seeds/auth-databases";
import { createRunDatabases } from "@tripline/components/sql-query/create";
import type { Json } from "@tripline/contract/json";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import { nodeDatabases } from "@tripline/platform/databases.node";
import { callInLanes, runForData } from "../components/calls.ts";
import { compilePlan } from "../executor/engine.ts";
import { compare } from "../measure.ts";
import type { Row } from "../report.ts";

const ROUNDS = 11;
/** Until the compiler has optimised both sides: about 30,000 calls. Before that its threads take a fifth of the time. */
const WARMUPS = 30;
const CALLS = 1_000;
const CONNECTIONS = 8;
const BAR = { on: "ratio", most: 1.5 } as const;
const SQL = "select id, name, total, placed_at from orders where id = $1";
const CREDENTIAL = "shop";

type Call = () => Promise<Json>;

/** What is used of the driver, which is a dependency of the platform alone. */
interface Driver {
	readonly Pool: new (options: { readonly connectionString: string; readonly max: number }) => Pool;
}

interface Pool {
	on(event: "error", listener: () => void): void;
	query(sql: string, values?: readonly Json[]): Promise<{ readonly rows: Json[] }>;
	end(): Promise<void>;
}

const findDriver = (): Driver =>
	createRequire(fileURLToPath(import.meta.resolve("@tripline/platform/databases")))("pg") as Driver;

export async function compareOneRow(url: string, onProgress: (what: string) => void): Promise<Row[]> {
	await using opening = new AsyncDisposableStack();
	const pool = new (findDriver().Pool)({ connectionString: url, max: CONNECTIONS });
	// It does not wait until its connections are closed.
	pool.on("error", () => {});
	opening.defer(() => pool.end());
	await pool.query("create table orders (id int primary key, name text, total numeric, placed_at timestamp)");
	await pool.query(
		"insert into orders select n, 'order ' || n, n * 1.5, '2026-03-04' from generate_series(1, 1000) as n",
	);
	const databases = nodeDatabases({ allow: parseAllowedHosts("127.0.0.1") });
	opening.defer(() => databases.close());
	let nth = 0;
	const pickId = () => (nth++ % 1_000) + 1;
	const floor: Call = async () => (await pool.query(SQL, [pickId()])).rows[0] ?? null;
	const createNode = (isReadOnly: boolean): Call => {
		const params = { sql: SQL, params: ["{{input.id}}"], read_only: isReadOnly };
		const nodes = [{ id: "orders", component: "sql_query", credential: CREDENTIAL, params }];
		const plan = compilePlan({ graph: { id: "orders", nodes, edges: [] } });
		return async () => {
			const run = createRunDatabases(databases, async () => credential, null);
			const { rows } = (await runForData(plan, { id: pickId() }, { databases: run })) as { rows: Json[] };
			return rows[0] ?? null;
		};
	};
	const credential = buildCredential(url);
	const rows: Row[] = [];
	for (const [what, ours] of [
		["sql_query", createNode(false)],
		["sql_query with read_only", createNode(true)],
	] as const) {
		nth = 0;
		const { placed_at, ...order } = (await ours()) as { placed_at: string };
		deepEqual([placed_at, order], ["2026-03-04T00:00:00", { id: 1, name: "order 1", total: "1.5" }]);
		for (const lanes of [1, CONNECTIONS]) {
			onProgress(`${what}, ${lanes} at a time`);
			const side = (call: Call) => () => ({ calls: CALLS, run: () => callInLanes(CALLS, lanes, call) });
			const compared = await compare({
				rounds: ROUNDS,
				warmups: WARMUPS,
				floor: side(floor),
				ours: side(ours),
			});
			rows.push({ what: `${what}, ${lanes} at a time`, unit: "µs", ...compared, bar: BAR });
		}
	}
	return rows;
}

function buildCredential(url: string) {
	const recipe = databaseAuth.find(({ id }) => id === "postgresql");
	if (recipe === undefined) throw new Error("there is no recipe for PostgreSQL");
	const fields = {
		host: new URL(url).host,
		database: "postgres",
		user: "postgres",
		password: "not needed",
		tls: "off",
	};
	return { key: CREDENTIAL, recipe, fields };
}
