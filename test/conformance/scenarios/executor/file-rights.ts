import assert from "node:assert/strict";
import { AcceptedRun, CreatedWebhook, ExecutionDetail, RaisedEvents } from "@tripline/contract/executor";
import { FileLink } from "@tripline/contract/files";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { follow, toValue, upload } from "./files.ts";
import { createWorkflow, getNamedPath, run, save, trigger, waitForRecords } from "./saving.ts";

const NOT_FOUND = /file not found$/;
const HOUR = 60 * 60_000;
const NOON = Date.UTC(2026, 10, 10, 12);

/** Opens the file in the trigger context and returns a link to it. */
const opens = (name: string, file = "{{input.file}}", more: object = {}) =>
	createWorkflow(name, { component: "file_link", file }, { options: { query: true }, ...more });

/** The same for runs that no request started, which may not know the service's address. */
const keeps = (name: string, file: string, more: object = {}) =>
	createWorkflow(name, { component: "file_keep", file, name: `kept by ${name}` }, more);

const makes = (name: string, content = "made") =>
	createWorkflow(name, { component: "make_file", name: "made.txt", format: "text", text: content });

const calls = (name: string, workflow: string, input: object = { file: "{{input.file}}" }) =>
	createWorkflow(name, { component: "workflow", name: workflow, input });

/** A workflow with one node after the other. */
const chain = (name: string, config: Readonly<Record<string, object>>, more: object = {}) => ({
	...createWorkflow(name, {}, more),
	triplets: ["input", ...Object.keys(config)].slice(0, -1).map((node, index) => {
		const next = Object.keys(config)[index];
		return `${node} >> ON_SUCCESS >> ${next}`;
	}),
	config,
});

const getPublicPath = (world: World, name: string) =>
	`/webhooks/named/${world.owner}/${encodeURIComponent(name)}/trigger`;

/** Calls a workflow without any credential. */
const runPublic = (world: World, name: string, body: object, status = 200) =>
	world.anyone.expect(status, RunResult, "POST", getPublicPath(world, name), { body });

async function assertOpened(result: { readonly data?: unknown }, content: string): Promise<void> {
	const { status, text } = await follow(FileLink.parse(result.data).url);
	assert.deepEqual([status, text], [200, content]);
}

async function createWebhook(world: World, body: object, headers: Record<string, string> = {}) {
	const created = await world.anyone.expect(201, CreatedWebhook, "POST", "/webhooks", { body, headers });
	return new URL(created.webhook_url).pathname;
}

export const fileRights: readonly Scenario[] = [
	{
		name: "who has the tenant's credential may name any file of the namespace in the input",
		cites: [],
		async run(world) {
			const file = toValue(await upload(world, "mine"));
			await save(world, opens("open"));
			await assertOpened(await run(world, "open", { file }), "mine");
			await assertOpened(await run(world, "open", { file: { $file: file.$file } }), "mine");
			const query = await world.executor.call("POST", getNamedPath("open", "query"), { body: { file } });
			await assertOpened({ data: query.body }, "mine");
			const accepted = await trigger(world, "open", {
				body: { file },
				headers: { prefer: "respond-async" },
			});
			const { execution_id } = AcceptedRun.parse(accepted.body);
			await eventually(async () => {
				const path = `/executions/${execution_id}`;
				assert.equal((await world.executor.expect(200, ExecutionDetail, "GET", path)).status, "success");
			});
		},
	},
	{
		name: "a caller without it names nothing but data",
		cites: [],
		async run(world) {
			const file = toValue(await upload(world, "mine"));
			await save(world, opens("open"));
			const publicly = await runPublic(world, "open", { file }, 500);
			assert.match(publicly.error ?? "", NOT_FOUND);
			const accepted = await world.anyone.call("POST", getPublicPath(world, "open"), {
				body: { file },
				headers: { prefer: "respond-async" },
			});
			assert.equal(accepted.status, 202);
			const [record] = await waitForRecords(world, "open", 2);
			assert.match(record?.error ?? "", NOT_FOUND);
			const text = JSON.stringify({ file });
			const asked = await world.anyone.call("GET", `/q/${world.owner}/open`, { query: { file: text } });
			assert.equal(asked.status, 500);
			const graph = {
				triplets: ["input >> ON_SUCCESS >> only"],
				config: { only: { component: "file_link", file: "{{input.file}}" } },
			};
			const tenant = { "x-service-api-key": world.owner };
			const owned = await createWebhook(world, graph, tenant);
			const nobodys = await createWebhook(world, graph);
			for (const [path, headers] of [
				[owned, {}],
				[owned, tenant],
				[nobodys, {}],
				[nobodys, tenant],
			] as const) {
				const { body, status } = await world.anyone.call("POST", path, { body: { file }, headers });
				assert.equal(status, 500);
				assert.match(RunResult.parse(body).error ?? "", NOT_FOUND);
			}
		},
	},
	{
		name: "a file of another tenant, a guessed one and one that is gone are not found",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, opens("open"));
			const headers = { "x-service-api-key": `${world.owner}-other`, "content-type": "text/plain" };
			const { body } = await world.executor.call("POST", "/files", { raw: "theirs", headers });
			const file = toValue(await upload(world, "mine"));
			const expect = async ($file: string) =>
				assert.match((await run(world, "open", { file: { ...file, $file } }, 500)).error ?? "", NOT_FOUND);
			await expect((body as { id: string }).id);
			await expect("AAAAAAAAAAAAAAAAAAAAAA");
			await world.target.setNow(NOON + 24 * HOUR);
			await expect(file.$file);
		},
	},
	{
		name: "a file value in the workflow's own text, or in what a schedule runs, is data",
		cites: [],
		async run(world) {
			const file = toValue(await upload(world, "mine"));
			await save(world, opens("written", "{{context.file}}", { context: { file } }));
			assert.match((await run(world, "written", {}, 500)).error ?? "", NOT_FOUND);
			// Named in the input as well, it is the caller's.
			await assertOpened(await run(world, "written", { file }), "mine");
		},
	},
	{
		name: "a run opens what it made, and nobody else does by naming it",
		cites: [],
		async run(world) {
			await save(
				world,
				chain("make and open", {
					make: { component: "make_file", name: "made.txt", format: "text", text: "made" },
					open: { component: "file_link", file: "{{make}}" },
				}),
			);
			await assertOpened(await runPublic(world, "make and open", {}), "made");
			await save(world, makes("make"));
			await save(world, opens("open"));
			const { data } = await runPublic(world, "make", {});
			const stolen = await runPublic(world, "open", { file: data as object }, 500);
			assert.match(stolen.error ?? "", NOT_FOUND);
			await assertOpened(await run(world, "open", { file: data as object }), "made");
		},
	},
	{
		name: "a called workflow opens what its caller passes and may open itself",
		cites: [],
		async run(world) {
			const file = toValue(await upload(world, "mine"));
			await save(world, opens("open"));
			await save(world, calls("call", "open"));
			await save(world, calls("call the call", "call"));
			await assertOpened(await run(world, "call", { file }), "mine");
			await assertOpened(await run(world, "call the call", { file }), "mine");
			assert.match((await runPublic(world, "call", { file }, 500)).error ?? "", NOT_FOUND);
			// The caller may open it but does not pass it.
			await save(world, opens("open another", "{{context.file}}", { context: { file } }));
			await save(world, calls("pass nothing", "open another", {}));
			assert.match((await run(world, "pass nothing", { file }, 500)).error ?? "", NOT_FOUND);
		},
	},
	{
		name: "a caller opens what a called workflow returns and may open itself",
		cites: [],
		async run(world) {
			const file = toValue(await upload(world, "mine"));
			await save(world, makes("make"));
			const config = {
				call: { component: "workflow", name: "make" },
				open: { component: "file_link", file: "{{call}}" },
			};
			await save(world, chain("open returned", config));
			await assertOpened(await runPublic(world, "open returned", {}), "made");
			await save(world, createWorkflow("echo", { component: "set", values: { file: "{{input.file}}" } }));
			await save(
				world,
				chain("open echoed", {
					call: { component: "workflow", name: "echo", input: { file: "{{input.file}}" } },
					open: { component: "file_link", file: "{{call.file}}" },
				}),
			);
			assert.match((await runPublic(world, "open echoed", { file }, 500)).error ?? "", NOT_FOUND);
			await assertOpened(await run(world, "open echoed", { file }), "mine");
		},
	},
	{
		name: "an event passes on what its emitter may open, and a credential's event what it names",
		cites: [],
		async run(world) {
			const file = toValue(await upload(world, "mine"));
			const on = (event: string) => ({ trigger: { type: "event", event } });
			await save(world, keeps("listen", "{{input.data.file}}", on("file.made")));
			await save(
				world,
				chain("make and tell", {
					make: { component: "make_file", name: "made.txt", format: "text", text: "made" },
					tell: { component: "emit_event", type: "file.made", data: { file: "{{make}}" } },
				}),
			);
			assert.equal((await runPublic(world, "make and tell", {})).data, 1);
			const [made] = await waitForRecords(world, "listen", 1);
			assert.equal(made?.verdict, "success");
			const tell = { component: "emit_event", type: "file.made", data: { file: "{{input.file}}" } };
			await save(world, createWorkflow("tell", tell));
			await runPublic(world, "tell", { file });
			const [named] = await waitForRecords(world, "listen", 2);
			assert.match(named?.error ?? "", NOT_FOUND);
			await run(world, "tell", { file });
			const [owners] = await waitForRecords(world, "listen", 3);
			assert.equal(owners?.verdict, "success");
			const body = { type: "file.made", data: { file } };
			await world.executor.expect(202, RaisedEvents, "POST", "/events", { body });
			const [raised] = await waitForRecords(world, "listen", 4);
			assert.equal(raised?.verdict, "success");
		},
	},
	{
		name: "more files than a run may be given are refused before it starts",
		cites: [],
		async run(world) {
			await save(world, opens("open"));
			const many = Array.from({ length: 1001 }, (_, nth) => ({ $file: String(nth).padStart(22, "A") }));
			const { error } = await world.executor.refuse(400, "POST", getNamedPath("open", "trigger"), {
				body: { many },
				headers: { prefer: "respond-async" },
			});
			assert.equal(error, "a value may name at most 1000 files");
			const started = await run(world, "open", { many, file: many[0] }, 500);
			assert.match(started.error ?? "", /at most 1000 files/);
		},
	},
	{
		name: "any run of the namespace finds a kept file by its name, and by nothing else",
		cites: [],
		async run(world) {
			const file = toValue(await upload(world, "kept"));
			await save(
				world,
				createWorkflow("keep", { component: "file_keep", file: "{{input.file}}", name: "prices" }),
			);
			assert.deepEqual((await run(world, "keep", { file })).data, file);
			assert.match((await runPublic(world, "keep", { file }, 500)).error ?? "", NOT_FOUND);
			await save(world, opens("open"));
			assert.match((await runPublic(world, "open", { file }, 500)).error ?? "", NOT_FOUND);
			const find = { component: "file_list", name: "prices" };
			await save(world, chain("find", { find, open: { component: "file_link", file: "{{find.file}}" } }));
			await assertOpened(await runPublic(world, "find", {}), "kept");
			await save(
				world,
				chain("find and open", { find, open: { component: "file_link", file: "{{input.file}}" } }),
			);
			await assertOpened(await runPublic(world, "find and open", { file }), "kept");
		},
	},
	{
		name: "a run without a namespace uses its own files and keeps none",
		cites: [],
		async run(world) {
			const make = { component: "make_file", name: "made.txt", format: "text", text: "nobody's" };
			const create = (last: object) =>
				createWebhook(world, {
					triplets: ["input >> ON_SUCCESS >> make", "make >> ON_SUCCESS >> last"],
					config: { make, last },
				});
			const path = await create({ component: "file_link", file: "{{make}}" });
			await assertOpened(await world.anyone.expect(200, RunResult, "POST", path, { body: {} }), "nobody's");
			for (const last of [
				{ component: "file_keep", file: "{{make}}", name: "mine" },
				{ component: "file_list" },
				{ component: "file_delete", name: "mine" },
			]) {
				const { body } = await world.anyone.call("POST", await create(last), { body: {} });
				assert.match(RunResult.parse(body).error ?? "", /belongs to no namespace/);
			}
		},
	},
	{
		name: "an accepted run keeps its files when another process takes it over, however long it waited",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const file = toValue(await upload(world, "mine"));
			await save(world, keeps("keep", "{{input.file}}"));
			const id = "0199ffff-bbbb-7ccc-8ddd-000000000001";
			const common = {
				status: "accepted",
				namespace: world.owner,
				trigger: "named",
				input: { file },
				event_depth: 0,
			};
			const own = {
				workflow: "keep",
				address: { kind: "named", namespace: world.owner, name: "keep" },
				files: [file.$file],
			};
			const held = { owner_id: world.owner, ids: [file.$file], execution_ids: [id] };
			assert.deepEqual((await world.call("POST", "/files/hold", { body: held })).body, { held: 1 });
			await world.call("POST", "/accepted-runs", {
				body: {
					owner_id: world.owner,
					due_at: (NOON + 3 * 24 * HOUR) / 1000,
					metadata_json: JSON.stringify(common),
					runs: [{ id, metadata_json: JSON.stringify(own) }],
				},
			});
			await world.target.setNow(NOON + 2 * 24 * HOUR);
			await world.target.tick();
			await world.target.setNow(NOON + 3 * 24 * HOUR);
			await world.target.tick();
			const [record] = await waitForRecords(world, "keep", 1);
			assert.deepEqual([record?.verdict, record?.error], ["success", ""]);
		},
	},
];
