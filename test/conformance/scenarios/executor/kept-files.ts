import assert from "node:assert/strict";
import { StoredFile, StoredFileList } from "@tripline/contract/files";
import type { Scenario, World } from "../../scenario.ts";
import { isThere, toValue, upload } from "./files.ts";
import { createWorkflow, run, save } from "./saving.ts";

const NOON = Date.UTC(2026, 10, 10, 12);
const HOUR = 60 * 60_000;

/** Saves a workflow of one node for each component, which takes its parameters from the input. */
async function saveComponents(world: World): Promise<void> {
	await save(
		world,
		createWorkflow("keep", { component: "file_keep", file: "{{input.file}}", name: "{{input.name}}" }),
	);
	await save(world, createWorkflow("find", { component: "file_list", name: "{{input.name}}" }));
	await save(world, createWorkflow("list", { component: "file_list", prefix: "{{input.prefix}}", limit: 2 }));
	await save(world, createWorkflow("delete", { component: "file_delete", name: "{{input.name}}" }));
}

const describeFile = (world: World, id: string) =>
	world.executor.expect(200, StoredFile, "GET", `/files/${id}`);

const listKept = async (world: World, query: object = {}) =>
	(
		await world.executor.expect(200, StoredFileList, "GET", "/files", { query: { kept: "true", ...query } })
	).files.map(({ kept_as }) => kept_as);

export const keptFiles: readonly Scenario[] = [
	{
		name: "a kept file outlives its retention and is found by its name",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await saveComponents(world);
			const file = toValue(await upload(world, "kept"));
			await run(world, "keep", { file, name: "prices" });
			await world.target.setNow(NOON + 48 * HOUR);
			await world.target.tick();
			const found = (await run(world, "find", { name: "prices" })).data;
			const kept_at = new Date(NOON).toISOString();
			assert.deepEqual(found, { files: [{ name: "prices", file, kept_at }], next_cursor: null, file });
			const { kept_as, expires_at } = await describeFile(world, file.$file);
			assert.deepEqual([kept_as, expires_at], ["prices", null]);
			const missing = (await run(world, "find", { name: "Prices" })).data;
			assert.deepEqual(missing, { files: [], next_cursor: null, file: null });
		},
	},
	{
		name: "a name has one file, and the one before expires",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await saveComponents(world);
			const first = toValue(await upload(world, "1"));
			await run(world, "keep", { file: first, name: "prices" });
			await world.target.setNow(NOON + 48 * HOUR);
			const second = toValue(await upload(world, "2"));
			await run(world, "keep", { file: second, name: "prices" });
			assert.deepEqual((await run(world, "find", { name: "prices" })).data, {
				files: [{ name: "prices", file: second, kept_at: new Date(NOON + 48 * HOUR).toISOString() }],
				next_cursor: null,
				file: second,
			});
			const { kept_as, expires_at } = await describeFile(world, first.$file);
			assert.deepEqual([kept_as, expires_at], [null, new Date(NOON + 72 * HOUR).toISOString()]);
			await world.target.setNow(NOON + 72 * HOUR);
			await world.target.tick();
			assert.deepEqual(
				[await isThere(world, first.$file), await isThere(world, second.$file)],
				[false, true],
			);
		},
	},
	{
		name: "kept files are listed by prefix and page, in a run and by the API",
		cites: [],
		async run(world) {
			await saveComponents(world);
			for (const name of ["b/2", "a/1", "b/1", "b/3"])
				await run(world, "keep", { file: toValue(await upload(world, name)), name });
			const loose = await upload(world, "not kept");
			const others = { query: { kept: "false" } };
			const { files: unkept } = await world.executor.expect(200, StoredFileList, "GET", "/files", others);
			assert.deepEqual(
				unkept.map(({ id }) => id),
				[loose.id],
			);
			const { data } = await run(world, "list", { prefix: "b/" });
			const page = data as { files: { name: string }[]; next_cursor: string };
			assert.deepEqual(
				page.files.map(({ name }) => name),
				["b/1", "b/2"],
			);
			assert.deepEqual(await listKept(world, { prefix: "b/", cursor: page.next_cursor }), ["b/3"]);
			assert.deepEqual(await listKept(world), ["a/1", "b/1", "b/2", "b/3"]);
		},
	},
	{
		name: "a kept file is deleted by its name",
		cites: [],
		async run(world) {
			await saveComponents(world);
			const file = toValue(await upload(world, "x"));
			await run(world, "keep", { file, name: "prices" });
			assert.deepEqual((await run(world, "delete", { name: "prices" })).data, { deleted: true });
			assert.deepEqual((await run(world, "delete", { name: "prices" })).data, { deleted: false });
			assert.equal(await isThere(world, file.$file), false);
		},
	},
	{
		name: "what outlives a run refuses a file that does not, and takes one that is kept",
		cites: [],
		async run(world) {
			await saveComponents(world);
			const stores = {
				"set state": { component: "state_set", name: "last", value: { report: "{{input.file}}" } },
				"save record": {
					component: "record_save",
					template: "report",
					slots: [{ name: "file", type: "object" }],
					values: { file: "{{input.file}}" },
				},
				"write entry": {
					component: "kb_upsert",
					page_name: "Report",
					content: "x",
					metadata: { files: ["{{input.file}}"] },
				},
				"write entry as text": {
					component: "kb_upsert",
					page_name: "Report",
					content: "x",
					metadata_json: '{"file":{{input.file | json}}}',
				},
			};
			for (const [name, settings] of Object.entries(stores))
				await save(world, createWorkflow(name, settings));
			const file = toValue(await upload(world, "x", { name: "report.csv" }));
			for (const name of Object.keys(stores)) {
				const { error = "" } = await run(world, name, { file }, 500);
				assert.match(error, /the file "report\.csv" would be deleted .*: use file_keep first$/, name);
			}
			await run(world, "keep", { file, name: "report" });
			for (const name of Object.keys(stores)) await run(world, name, { file });
			// A name that is no file of this run is data like any other.
			const unknown = { ...file, $file: "AAAAAAAAAAAAAAAAAAAAAA" };
			await run(world, "set state", { file: unknown });
		},
	},
];
