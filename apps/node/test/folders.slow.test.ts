import assert from "node:assert/strict";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { systemClock } from "@tripline/platform/clock";
import { type Service, startService } from "../src/service.ts";
import { parseSettings, StartProblem } from "../src/settings.ts";

const HEADERS = { "x-service-api-key": "default" };

describe("ALLOW_FOLDERS", () => {
	let root: string;
	let service: Service | null;
	beforeEach(() => {
		root = realpathSync(mkdtempSync(join(tmpdir(), "tripline-allowed-")));
		mkdirSync(join(root, "orders"));
		service = null;
	});
	afterEach(async () => {
		await service?.close();
		rmSync(root, { recursive: true });
	});

	async function start(variables: Readonly<Record<string, string>>): Promise<Service> {
		service = await startService({
			settings: parseSettings({ PORT: "0", STORE_PORT: "0", DATA_DIR: join(root, "data"), ...variables }),
			clock: systemClock,
			log: () => {},
			version: "0.0.0-test",
		});
		return service;
	}

	async function call(path: string, body: object, headers: Readonly<Record<string, string>> = HEADERS) {
		const response = await fetch(`${service?.publicUrl}${path}`, {
			method: "POST",
			headers: { ...headers, "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		return { status: response.status, body: (await response.json()) as never as Answer };
	}
	interface Answer {
		readonly data: unknown;
		readonly error: string;
		readonly token: string;
		readonly diagnostics: readonly { readonly code: string; readonly path: string; readonly hint: string }[];
	}
	const save = (config: object, triplets: readonly string[]) =>
		call("/webhooks/named", { name: "w", description: "d", triplets, config });
	const run = (input: object) => call("/webhooks/named/default/w/trigger", input);

	test("lets a workflow read, write, move and list files there", async () => {
		writeFileSync(join(root, "orders", "march.csv"), "id\n7\n");
		await start({ ALLOW_FOLDERS: `${join(root, "orders")}, ` });
		const folder = join(root, "orders");
		const saved = await save(
			{
				read: { component: "folder", action: "read", path: `${folder}/{{input.name}}` },
				copy: {
					component: "folder",
					action: "write",
					path: `${folder}/copies/{{read.name}}`,
					file: "{{read}}",
				},
				done: {
					component: "folder",
					action: "move",
					path: `${folder}/{{input.name}}`,
					to: `${folder}/done.csv`,
				},
				list: { component: "folder", action: "list", path: folder },
				result: {
					component: "set",
					values: { type: "{{read.type}}", names: '{{list.entries | pluck("name")}}' },
				},
			},
			[
				"input >> then >> read",
				"read >> then >> copy",
				"copy >> then >> done",
				"done >> then >> list",
				"list >> then >> result",
			],
		);
		assert.equal(saved.status, 201, JSON.stringify(saved.body));
		const { status, body } = await run({ name: "march.csv" });
		assert.equal(status, 200, JSON.stringify(body));
		assert.deepEqual(body.data, { type: "text/csv", names: ["copies", "done.csv"] });
		assert.equal(readFileSync(join(folder, "copies", "march.csv"), "utf8"), "id\n7\n");
	});

	test("a path from the input that leads elsewhere fails the run", async () => {
		await start({ ALLOW_FOLDERS: join(root, "orders") });
		await save(
			{ read: { component: "folder", action: "read", path: `${join(root, "orders")}/{{input.name}}` } },
			["input >> then >> read"],
		);
		for (const name of ["../data/store.db", "../data/keys/master.key", "x/../../data/kv.db"]) {
			const { body } = await run({ name });
			assert.match(body.error, /read: the path must not contain \.\./);
		}
		symlinkSync(join(root, "data"), join(root, "orders", "link"));
		assert.match(
			(await run({ name: "link/store.db" })).body.error,
			/read: the path leads out of the folders/,
		);
	});

	test("without it a workflow with folder cannot be saved, and is told how", async () => {
		await start({});
		const { status, body } = await save({ list: { component: "folder", action: "list", path: root } }, [
			"input >> then >> list",
		]);
		assert.equal(status, 400);
		const [{ code, path, hint }] = body.diagnostics as [Answer["diagnostics"][0]];
		assert.deepEqual([code, path], ["unavailable", "config.list.component"]);
		assert.match(hint, /ALLOW_FOLDERS/);
	});

	test("a webhook without an owner cannot use it", async () => {
		await start({ ALLOW_FOLDERS: join(root, "orders") });
		const hook = {
			triplets: ["input >> then >> list"],
			config: { list: { component: "folder", action: "list", path: join(root, "orders") } },
		};
		const anonymous = await call("/webhooks", hook, {});
		assert.deepEqual([anonymous.status, anonymous.body.diagnostics[0]?.code], [400, "unavailable"]);
		const owned = await call("/webhooks", hook);
		assert.equal(owned.status, 201);
		assert.equal((await call(`/webhooks/${owned.body.token}/trigger`, {}, {})).status, 200);
	});

	test("refuses to start with the service's own data, above or below it, even through a link", async () => {
		mkdirSync(join(root, "data", "deep"), { recursive: true });
		symlinkSync(join(root, "data"), join(root, "link"));
		for (const folder of ["data", "data/deep", "link", "."])
			await assert.rejects(
				start({ ALLOW_FOLDERS: join(root, folder) }),
				(error) => error instanceof StartProblem && /overlaps with DATA_DIR/.test(error.message),
				folder,
			);
	});

	test("refuses to start with the folder of the master key", async () => {
		mkdirSync(join(root, "keys"));
		await assert.rejects(
			start({ ALLOW_FOLDERS: join(root, "keys"), MASTER_KEY_FILE: join(root, "keys", "master.key") }),
			/overlaps with MASTER_KEY_FILE/,
		);
	});

	test("refuses to start with a folder that does not exist or is a file", async () => {
		await assert.rejects(start({ ALLOW_FOLDERS: join(root, "none") }), /cannot be used \(ENOENT\)/);
		assert.equal(existsSync(join(root, "none")), false);
		writeFileSync(join(root, "file"), "");
		await assert.rejects(start({ ALLOW_FOLDERS: join(root, "file") }), /which is a file/);
	});

	test("is refused in multi-tenant mode", () => {
		assert.throws(
			() => parseSettings({ ALLOW_FOLDERS: root, MULTI_TENANT: "true" }),
			/^StartProblem: ALLOW_FOLDERS cannot be combined with MULTI_TENANT=true/,
		);
		assert.deepEqual(parseSettings({ MULTI_TENANT: "true" }).ALLOW_FOLDERS, []);
	});
});
