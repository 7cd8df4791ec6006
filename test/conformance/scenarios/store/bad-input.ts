import assert from "node:assert/strict";
import { EntryPage } from "@tripline/contract/entries";
import { TemplatePage } from "@tripline/contract/templates";
import type { Scenario, World } from "../../scenario.ts";

const UNKNOWN_ID = "01920000-0000-7000-8000-000000000000";

/** Every route with a body, with a valid body except for the owner. */
const bodies = (owner_id: string): [string, string, Record<string, unknown>][] => [
	["PUT", "/entries", { owner_id, entry_type: "note", page_name: "p", content: "c", metadata_json: "{}" }],
	["POST", "/entries", { owner_id, entry_type: "note", page_name: "p", content: "c", metadata_json: "{}" }],
	["POST", "/templates", { owner_id, name: "t", slots: [{ name: "s", type: "string" }] }],
	["PATCH", `/templates/${UNKNOWN_ID}`, { owner_id, slots: [{ name: "s", type: "string" }] }],
	["POST", "/records", { owner_id, template: "t", values: { s: "x" } }],
	["PATCH", `/records/${UNKNOWN_ID}`, { owner_id, values: { s: "x" } }],
	["POST", "/execution-log", { owner_id, workflow: "w", verdict: "success", duration_ms: 1, error: "" }],
	["POST", "/schedules/claim", { owner_id, id: UNKNOWN_ID }],
	["POST", "/partner-keys", { namespace: owner_id }],
	["POST", "/partner-keys/verify", { key: "k" }],
];

async function assertNothingWritten(world: World): Promise<void> {
	const query = { owner_id: world.owner };
	const page = await world.expect(200, EntryPage, "GET", "/entries", { query });
	assert.deepEqual(page.entries, []);
	const { templates } = await world.expect(200, TemplatePage, "GET", "/templates", { query });
	assert.deepEqual(
		templates.filter((template) => template.owner_id !== null),
		[],
	);
}

export const badInput: readonly Scenario[] = [
	{
		name: "a body that is not JSON, or not UTF-8, or absent, gets 400 from every route",
		cites: ["STORE-JSON-BODIES"],
		async run(world) {
			const raws = ["", "{", "nope", "{'a':1}", '{"a":1}x', "\u{feff}{", new Uint8Array([0x22, 0xff, 0x22])];
			for (const [method, path] of bodies(world.owner)) {
				for (const raw of raws) {
					const { error } = await world.refuse(400, method, path, { raw });
					assert.equal(error, "invalid json");
				}
			}
			await assertNothingWritten(world);
		},
	},
	{
		name: "a body that is not an object gets 422 from every route",
		cites: [],
		async run(world) {
			for (const [method, path] of bodies(world.owner)) {
				for (const raw of ["null", "true", "5", '"text"', "[]", '[{"a":1}]']) {
					const { issues } = await world.refuse(422, method, path, { raw });
					assert.ok((issues?.length ?? 0) > 0, `${method} ${path} ${raw}`);
				}
			}
			await assertNothingWritten(world);
		},
	},
	{
		name: "every route rejects a field of the wrong type and names it",
		cites: [],
		async run(world) {
			const wrong = [null, 5, true, "", [], {}, "x".repeat(5000), "a\nb", ["x"], { a: 1 }, -1, "__proto__"];
			for (const [method, path, right] of bodies(world.owner)) {
				for (const field of Object.keys(right)) {
					for (const value of wrong) {
						if (isAllowed(field, value)) continue;
						const body = { ...right, [field]: value };
						const { issues } = await world.refuse(422, method, path, { body });
						assert.ok(
							issues?.some((issue) => issue.path.split(".").includes(field)),
							`${method} ${path} ${field}=${JSON.stringify(value).slice(0, 40)}: ${JSON.stringify(issues)}`,
						);
					}
				}
			}
			await assertNothingWritten(world);
		},
	},
	{
		name: "every route rejects an unknown field and names it",
		cites: [],
		async run(world) {
			for (const [method, path, right] of bodies(world.owner)) {
				for (const field of ["unknown", "seq", "constructor"]) {
					const { issues } = await world.refuse(422, method, path, { body: { ...right, [field]: 1 } });
					assert.ok(issues?.some((issue) => issue.path === field && issue.message === "unknown field"));
				}
				const raw = `{"__proto__":{"owner_id":"x"},${JSON.stringify(right).slice(1)}`;
				await world.refuse(422, method, path, { raw });
			}
			await assertNothingWritten(world);
		},
	},
	{
		name: "a body over the limit gets 413, with and without a declared length, and nothing is written",
		cites: [],
		async run(world) {
			for (const [method, path, right] of bodies(world.owner)) {
				const raw = JSON.stringify({ ...right, content: "x".repeat(1_048_576) });
				await world.refuse(413, method, path, { raw });
			}
			const raw = JSON.stringify({ content: "x".repeat(1_048_576) });
			const streamed = await fetch(`${world.target.storeUrl}/entries`, {
				method: "PUT",
				body: new Blob([raw]).stream(),
				duplex: "half",
			} as RequestInit);
			assert.equal(streamed.status, 413);
			await assertNothingWritten(world);
		},
	},
	{
		name: "JSON nested deeper than 64 levels gets 400, at the limit it passes",
		cites: [],
		async run(world) {
			const createNested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
			for (const [method, path] of bodies(world.owner)) {
				await world.refuse(400, method, path, { raw: `{"a":${createNested(64)}}` });
				await world.refuse(400, method, path, { raw: createNested(100_000) });
			}
			const [method, path, right] = bodies(world.owner)[0] as [string, string, object];
			const deep = (depth: number) => ({ ...right, metadata_json: `{"a":${createNested(depth)}}` });
			await world.refuse(422, method, path, { body: deep(64) });
			assert.equal((await world.call(method, path, { body: deep(63) })).status, 201);
		},
	},
	{
		name: "text that a database cannot store is rejected instead of changed",
		cites: [],
		async run(world) {
			for (const text of ['"\\u0000"', '"a\\ud800b"', '"\\udc00"']) {
				const raw = `{"owner_id":"${world.owner}","entry_type":"note","page_name":"p","content":${text}}`;
				await world.refuse(400, "PUT", "/entries", { raw });
			}
			await assertNothingWritten(world);
		},
	},
	{
		name: "metadata_json that is not a JSON object is rejected",
		cites: ["STORE-ENTRY-METADATA"],
		async run(world) {
			for (const metadata_json of ["", "nope", "[]", "null", "5", '"x"', "{", '{"a":"\\ud800"}']) {
				const body = {
					owner_id: world.owner,
					entry_type: "note",
					page_name: "p",
					content: "",
					metadata_json,
				};
				const { issues } = await world.refuse(422, "PUT", "/entries", { body });
				assert.equal(issues?.[0]?.path, "metadata_json");
			}
			await assertNothingWritten(world);
		},
	},
	{
		name: "a missing owner is rejected wherever one is required",
		cites: ["STORE-ENTRY-ISOLATION"],
		async run(world) {
			const needed = ["PUT /entries", "POST /entries", "POST /records", "POST /execution-log"];
			for (const [method, path, right] of bodies(world.owner)) {
				if (!needed.includes(`${method} ${path}`)) continue;
				const { owner_id: _, ...body } = right;
				const { issues } = await world.refuse(422, method, path, { body });
				assert.equal(issues?.[0]?.path, "owner_id");
			}
			for (const path of ["/records?template=t", "/execution-log", "/execution-log/latest?workflow=w"]) {
				const { issues } = await world.refuse(422, "GET", path);
				assert.equal(issues?.[0]?.path, "owner_id");
			}
		},
	},
	{
		name: "every list rejects invalid limits, cursors and times, and repeated or unknown parameters",
		cites: [],
		async run(world) {
			const lists = ["/entries?", "/templates?", "/records?template=t&", "/execution-log?"];
			const tooMany = [1001, 101, 101, 101];
			for (const [index, list] of lists.entries()) {
				const path = `${list}owner_id=${world.owner}`;
				for (const bad of [
					"0",
					"-1",
					"1.5",
					"1e3",
					"abc",
					"",
					"99999999999999999999",
					String(tooMany[index]),
				]) {
					await world.refuse(422, "GET", `${path}&limit=${bad}`);
				}
				for (const bad of ["", "x", "zzzz", "%00", "MTIzNDU2", `${"A".repeat(5000)}`, "LTEuLTE", "MS4y.5"]) {
					await world.refuse(422, "GET", `${path}&cursor=${bad}`);
				}
				await world.refuse(422, "GET", `${path}&limit=5&limit=6`);
				await world.refuse(422, "GET", `${path}&owner_id=other`);
				await world.refuse(422, "GET", `${path}&page=2`);
				await world.refuse(422, "GET", `${path}&__proto__=x`);
			}
			for (const bad of ["yesterday", "2026-13-01T00:00:00Z", "-5", "1e9", ""]) {
				await world.refuse(422, "GET", `/entries?owner_id=${world.owner}&since=${bad}`);
				await world.refuse(422, "GET", `/execution-log?owner_id=${world.owner}&until=${bad}`);
			}
			await world.refuse(422, "GET", `/entries?owner_id=${world.owner}&cron=soon`);
			await world.refuse(422, "GET", `/execution-log?owner_id=${world.owner}&verdict=maybe`);
		},
	},
	{
		name: "an invalid id gets 422, an unknown one 404",
		cites: [],
		async run(world) {
			const query = { owner_id: world.owner };
			for (const resource of ["/entries", "/templates", "/records"]) {
				await world.refuse(404, "GET", `${resource}/${UNKNOWN_ID}`, { query });
				for (const id of ["1", "x", "%27%20or%201=1--", `${UNKNOWN_ID}x`, "%F0%9F%A7%B5"]) {
					await world.refuse(422, "GET", `${resource}/${id}`, { query });
				}
			}
		},
	},
	{
		name: "SQL in names is treated as text",
		cites: ["STORE-ENTRY-LIST-PAGE"],
		async run(world) {
			const names = ["'; drop table entries; --", '" or 1=1', "%", "_", "?1", "\\", "𝓯𝓵𝓸𝔀", "a/b"];
			for (const page_name of names) {
				const body = { owner_id: world.owner, entry_type: "note", page_name, content: page_name };
				assert.equal((await world.call("PUT", "/entries", { body })).status, 201);
			}
			for (const page_name of names) {
				const query = { owner_id: world.owner, page_name };
				const page = await world.expect(200, EntryPage, "GET", "/entries", { query });
				assert.deepEqual(
					page.entries.map((entry) => entry.content),
					[page_name],
				);
			}
		},
	},
];

/** Values of the matrix that are valid for a field. */
function isAllowed(field: string, value: unknown): boolean {
	switch (field) {
		case "content":
		case "error":
			return typeof value === "string" || (field === "error" && value === null);
		case "slots":
			return Array.isArray(value) && value.length === 0;
		case "name":
		case "page_name":
		case "template":
		case "workflow":
			return value === "__proto__";
		case "key":
			return typeof value === "string" && value.length <= 256;
		case "values":
			return typeof value === "object" && value !== null && !Array.isArray(value);
		case "duration_ms":
			return value === 5;
		default:
			return false;
	}
}
