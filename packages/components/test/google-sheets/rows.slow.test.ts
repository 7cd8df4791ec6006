import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { googleSheetsRows } from "../../src/google-sheets-rows.ts";
import type { OutboundCall } from "../../src/outbound/call.ts";
import { addQuery, toQueryPairs } from "../../src/outbound/query.ts";
import { runOutbound } from "../outbound-effects.ts";
import { runForError } from "../run-node.ts";
import { createFakeSheets, type FakeSheets } from "./fake-sheets.ts";

const ID = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms";
const HEADER = ["Email", "Plan", "Seats"];
const customers = () =>
	createFakeSheets(ID, {
		Customers: [HEADER, ["ada@example.com", "pro", 7], [], ["bob@example.com", undefined, 1]],
		"It's": [["A"], ["x"]],
	});

async function run(fake: FakeSheets, params: { readonly [name: string]: Json }) {
	const http = async (call: OutboundCall) => {
		const url = new URL(call.url);
		addQuery(url, toQueryPairs(call.query ?? {}, new Meter(MAX_NODE_UNITS)));
		assert.deepEqual(
			[call.credential, call.hosts, call.authRecipes],
			["google", ["sheets.googleapis.com"], ["google_oauth", "google_service_account"]],
		);
		const body = call.body?.kind === "json" ? JSON.stringify(call.body.value) : "";
		const answer = fake.answer({ method: call.method, url: url.href, body });
		return { ...answer, url: call.url, body: new TextEncoder().encode(answer.body) };
	};
	const given = { spreadsheet_id: ID, ...params };
	return runOutbound(googleSheetsRows, given, { credential: "google", effects: { http } });
}

const cells = (fake: FakeSheets) => fake.sheets[0]?.cells;
const failing = async (fake: FakeSheets, params: { readonly [name: string]: Json }) => {
	const before = structuredClone(cells(fake));
	const error = await run(fake, params).then(
		({ output }) => assert.fail(JSON.stringify(output)),
		(thrown: unknown) => thrown,
	);
	assert.ok(error instanceof TerminalError, String(error));
	assert.deepEqual(cells(fake), before);
	return error.message;
};

describe("google_sheets_rows: read", () => {
	test("returns rows by column, their numbers, and null for empty cells", async () => {
		const { output } = await run(customers(), { action: "read" });
		assert.deepEqual(output, {
			rows: [
				{ Email: "ada@example.com", Plan: "pro", Seats: 7 },
				{ Email: "bob@example.com", Plan: null, Seats: 1 },
			],
			row_numbers: [2, 4],
			columns: HEADER,
			more: false,
		});
	});

	test("returns those with the wanted values, compared as text", async () => {
		const read = async (where: { readonly [name: string]: Json }) => {
			const { output } = await run(customers(), { action: "read", where });
			return (output as { row_numbers: number[] }).row_numbers;
		};
		assert.deepEqual(await read({ Seats: "7" }), [2]);
		assert.deepEqual(await read({ Seats: [7, 1], Plan: null }), [4]);
		assert.deepEqual(await read({ Plan: "PRO" }), []);
	});

	test("stops at the limit and says that there are more", async () => {
		const { output } = await run(customers(), { action: "read", limit: 1 });
		const { rows, more } = output as { rows: Json[]; more: boolean };
		assert.deepEqual([rows.length, more], [1, true]);
	});

	test("takes the names of columns from another row and sheet, and ignores columns without one", async () => {
		const fake = createFakeSheets(ID, {
			First: [],
			"It's": [["Report"], [], [" A ", undefined, 2026], ["x", "y", true]],
		});
		const { output } = await run(fake, { action: "read", sheet: "It's", header_row: 3 });
		assert.deepEqual((output as { rows: Json[] }).rows, [{ A: "x", "2026": true }]);
	});

	test("reads a large sheet in several calls, and refuses more than 1 MiB", async () => {
		const rows = Array.from({ length: 150_000 }, (_, index) => [index, "x"]);
		const fake = createFakeSheets(ID, { S: [["N", "T"], ...rows] }, { rowCount: 150_001 });
		const { output } = await run(fake, { action: "read", where: { N: [3, 149_999] } });
		assert.deepEqual((output as { row_numbers: number[] }).row_numbers, [5, 150_001]);
		assert.equal(fake.seen.filter((path) => path.includes("batchGet")).length, 3);
		const long = createFakeSheets(
			ID,
			{ S: [["T"], ...Array(1_000).fill(["x".repeat(2_000)])] },
			{ rowCount: 1_001 },
		);
		assert.match(
			await failing(long, { action: "read" }),
			/^the first 52\d rows are all that fits into 1 MiB/,
		);
	});
});

describe("google_sheets_rows: append", () => {
	test("adds rows behind the last one, with values of every type", async () => {
		const fake = customers();
		const rows = [
			{ Seats: 3, Email: "=HYPERLINK()" },
			{ Plan: true, Email: "007" },
			{ Plan: "", Seats: null, Email: "2026-01-31" },
		];
		const { output } = await run(fake, { action: "append", rows });
		assert.deepEqual(output, { appended: 3, updated: 0, created_columns: [] });
		assert.deepEqual(cells(fake)?.slice(4), [
			["=HYPERLINK()", undefined, 3],
			["007", true],
			["2026-01-31", undefined, undefined],
		]);
		assert.deepEqual(fake.seen, ["GET ", "GET /values/'Customers'!1:1", "POST :batchUpdate"]);
	});

	test("stores formulas and dates as such if asked to", async () => {
		const fake = createFakeSheets(ID, { S: [["F", "D", "T"]] });
		const row = { F: "=1+1", D: "2026-01-31", T: "2026-01-31T12:00:00Z" };
		const odd = { F: "x", D: "2026-02-30", T: "1899-12-31T18:00" };
		await run(fake, { action: "append", rows: [row, odd], formulas: true, dates: true });
		assert.deepEqual(cells(fake)?.slice(1), [
			["formula =1+1", 46053, 46053.5],
			["x", "2026-02-30", 1.75],
		]);
		assert.deepEqual(
			[...(fake.sheets[0]?.formats ?? [])],
			[
				[1, "yyyy-mm-dd"],
				[2, 'yyyy-mm-dd"T"hh:mm:ss'],
			],
		);
	});

	test("adds columns if asked to, also to an empty or a full sheet", async () => {
		const empty = createFakeSheets(ID, { S: [] });
		const rows = [{ A: 1 }, { B: 2, A: 3 }];
		const { output } = await run(empty, { action: "append", rows, create_columns: true });
		assert.deepEqual(output, { appended: 2, updated: 0, created_columns: ["A", "B"] });
		assert.deepEqual(cells(empty), [["A", "B"], [1], [3, 2]]);
		const full = createFakeSheets(ID, { S: [["A"]] }, { columnCount: 1 });
		await run(full, { action: "append", rows, create_columns: true });
		assert.deepEqual([cells(full)?.[0], full.sheets[0]?.columnCount], [["A", "B"], 2]);
	});

	test("fails without a change if it does not fit the sheet", async () => {
		const cases: [rows: Json[], message: RegExp][] = [
			[[{ Email: "a" }, { Plam: "b" }], /^rows\.1: there is no column "Plam"\. Did you mean "Plan"\?$/],
			[[{ Unheard: 1 }], /there is no column "Unheard"\. The columns are Email, Plan, Seats$/],
			[["x"], /^rows\.0 must be an object such as/],
			[[{ Email: ["a"] }], /^rows\.0\.Email must be text, a number, true, false or null, but is a list/],
			[[{ Email: "x".repeat(50_001) }], /^rows\.0\.Email must be at most 50000 characters/],
			[[{}], /^rows\.0 has no value$/],
			[[{ Email: null }], /^rows\.0 has no value$/],
		];
		for (const [rows, message] of cases)
			assert.match(await failing(customers(), { action: "append", rows }), message);
		const names = { action: "append", rows: [{ " x": 1 }], create_columns: true };
		assert.match(await failing(customers(), names), /^the name of a new column must not be empty/);
	});

	test("adds nothing without rows, and calls nothing", async () => {
		const fake = customers();
		const { output } = await run(fake, { action: "append", rows: [] });
		assert.deepEqual([output, fake.seen], [{ appended: 0, updated: 0, created_columns: [] }, []]);
	});
});

describe("google_sheets_rows: update and append_or_update", () => {
	test("changes given columns, clears those that are null, and keeps the others", async () => {
		const fake = customers();
		const rows = [
			{ Email: "bob@example.com", Plan: "free" },
			{ Email: "ada@example.com", Seats: null },
		];
		const { output } = await run(fake, { action: "update", match: "Email", rows });
		assert.deepEqual(output, { appended: 0, updated: 2, created_columns: [] });
		assert.deepEqual(cells(fake)?.slice(1), [
			["ada@example.com", "pro", undefined],
			[],
			["bob@example.com", "free", 1],
		]);
	});

	test("adds the rows that are not found, in the same call", async () => {
		const fake = customers();
		const rows = [
			{ Email: "new@example.com", Seats: 2 },
			{ Email: "ada@example.com", Seats: 8, Note: "x" },
		];
		const params = { action: "append_or_update", match: ["Email"], rows, create_columns: true };
		const { output } = await run(fake, params);
		assert.deepEqual(output, { appended: 1, updated: 1, created_columns: ["Note"] });
		assert.deepEqual(cells(fake), [
			[...HEADER, "Note"],
			["ada@example.com", "pro", 8, "x"],
			[],
			["bob@example.com", undefined, 1],
			["new@example.com", undefined, 2],
		]);
		assert.equal(fake.seen.filter((path) => path.startsWith("POST")).length, 1);
		const again = await run(fake, params);
		assert.deepEqual(again.output, { appended: 0, updated: 2, created_columns: [] });
	});

	test("matches by several columns, and numbers with text", async () => {
		const fake = createFakeSheets(ID, {
			S: [
				["Order", "Line", "Sum"],
				[7, 1, 10],
				[7, 2, 20],
				[8, undefined, 30],
			],
		});
		const rows = [{ Order: "7", Line: 2, Sum: 21 }];
		await run(fake, { action: "update", match: ["Order", "Line"], rows });
		assert.deepEqual(cells(fake)?.[2], [7, 2, 21]);
	});

	test("fills an empty sheet", async () => {
		const fake = createFakeSheets(ID, { S: [] });
		const params = { action: "append_or_update", match: "Id", rows: [{ Id: 1, A: 2 }], create_columns: true };
		await run(fake, params);
		assert.deepEqual(cells(fake), [
			["Id", "A"],
			[1, 2],
		]);
		await run(fake, { ...params, rows: [{ Id: 1, A: 3 }] });
		assert.deepEqual(cells(fake), [
			["Id", "A"],
			[1, 3],
		]);
	});

	test("fails without a change if a row is not exactly one", async () => {
		const twice = () =>
			createFakeSheets(ID, {
				S: [
					["K", "V"],
					["a", 1],
					["a", 2],
				],
			});
		const cases: [fake: FakeSheets, rows: Json[], message: RegExp][] = [
			[
				customers(),
				[{ Email: "ada@example.com", Seats: 9 }, { Email: "eve@example.com" }],
				/^rows\.1: no row of the sheet has this Email, so nothing was changed/,
			],
			[customers(), [{ Seats: 9 }], /^rows\.0\.Email identifies the row and must not be empty$/],
			[customers(), [{ Email: "", Seats: 9 }], /^rows\.0\.Email identifies the row/],
		];
		for (const [fake, rows, message] of cases)
			assert.match(await failing(fake, { action: "update", match: "Email", rows }), message);
		const same = [
			{ K: "7", V: 1 },
			{ K: 7, V: 2 },
		];
		for (const action of ["update", "append_or_update"]) {
			assert.match(
				await failing(twice(), { action, match: "K", rows: [{ K: "a", V: 3 }] }),
				/^rows\.0 fits several rows of the sheet, 2 and 3: match must identify one$/,
			);
			assert.match(
				await failing(twice(), { action, match: "K", rows: same }),
				/^rows\.0 and rows\.1 are the same row/,
			);
			assert.match(
				await failing(twice(), { action, match: "k", rows: [{ K: "a" }] }),
				/^match: there is no column "k"\. Did you mean "K"\?$/,
			);
		}
	});

	test("updates and adds 10,000 rows in one call", async () => {
		const rows = Array.from({ length: 10_000 }, (_, at) => [`id-${at}`, at, "old", true, "text"]);
		const header = ["Id", "N", "State", "Ok", "Note"];
		const fake = createFakeSheets(ID, { S: [header, ...rows.slice(0, 5_000)] }, { rowCount: 5_001 });
		const given = rows.map(([Id = "", N = 0]) => ({ Id, N, State: "new", Ok: false, Note: "a text" }));
		const { output } = await run(fake, { action: "append_or_update", match: "Id", rows: given });
		assert.deepEqual(output, { appended: 5_000, updated: 5_000, created_columns: [] });
		assert.deepEqual(cells(fake)?.[10_000], ["id-9999", 9_999, "new", false, "a text"]);
		assert.deepEqual(
			fake.seen.filter((path) => path.startsWith("POST")),
			["POST :batchUpdate"],
		);
		await assert.rejects(run(fake, { action: "append", rows: [...given, {}] }), /must be at most 10000 rows/);
	});
});

describe("google_sheets_rows: delete", () => {
	test("deletes all rows with the values, and no empty ones", async () => {
		const fake = createFakeSheets(ID, {
			S: [["K", "V"], ["a", 1], ["b", 2], ["a", 3], ["a", 4], [], [undefined, 5]],
		});
		const { output } = await run(fake, { action: "delete", where: { K: "a" } });
		assert.deepEqual([output, cells(fake)], [{ deleted: 3 }, [["K", "V"], ["b", 2], [], [undefined, 5]]]);
		assert.deepEqual((await run(fake, { action: "delete", where: { K: null } })).output, { deleted: 1 });
		assert.deepEqual(cells(fake), [["K", "V"], ["b", 2], []]);
		assert.deepEqual((await run(fake, { action: "delete", where: { K: "z" } })).output, { deleted: 0 });
	});

	test("needs a condition", async () => {
		for (const where of [undefined, {}])
			assert.match(
				await runForError("google_sheets_rows", {
					action: "delete",
					spreadsheet_id: ID,
					...(where && { where }),
				}),
				/"where"/,
			);
	});
});

describe("google_sheets_rows", () => {
	test("fails if it cannot tell the columns", async () => {
		const read = (contents: Json[][], more = {}) =>
			failing(createFakeSheets(ID, { S: contents as string[][] }), { action: "read", ...more });
		assert.equal(
			await read([["A", "B", " A"]]),
			'row 1 of the sheet "S" has the column "A" twice, in A and C: rename one of them',
		);
		assert.match(await read([[], ["x"]]), /^row 1 of the sheet "S" has no names of columns/);
		assert.match(await read([["A"]], { header_row: 5_000 }), /^the sheet "S" has only 1000 rows/);
		assert.equal(await read([["A"]], { sheet: "s" }), 'the spreadsheet has no sheet "s". Did you mean "S"?');
	});

	test("retries 429 and 503, and reports other failures", async () => {
		const fake = customers();
		fake.failures.push(503, 429);
		const { waits } = await run(fake, { action: "append", rows: [{ Email: "x" }] });
		assert.equal(waits.length, 2);
		const broken = customers();
		broken.failures.push(403);
		await assert.rejects(run(broken, { action: "read" }), /^TerminalError: the response was 403 Forbidden/);
	});

	test("has only parameters that the action uses, and needs a credential", async () => {
		const problem = (params: { readonly [name: string]: Json }) =>
			runForError("google_sheets_rows", { spreadsheet_id: ID, ...params });
		assert.match(await problem({ action: "read", rows: [] }), /"rows" has no use to read rows/);
		assert.match(
			await problem({ action: "append", rows: [], match: "A" }),
			/"match" has no use to append rows/,
		);
		assert.match(await problem({ action: "append" }), /"rows" is required/);
		assert.match(
			await problem({ action: "read", spreadsheet_id: "https://docs.google.com/x" }),
			/must be the part of the URL between \/d\/ and \/edit/,
		);
		assert.match(
			await problem({ action: "read" }),
			/needs a credential of google_oauth or google_service_account/,
		);
	});
});
