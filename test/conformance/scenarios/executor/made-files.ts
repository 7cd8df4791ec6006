import assert from "node:assert/strict";
import { FileLink, FileValue, StoredFile, StoredFileList } from "@tripline/contract/files";
import { readZip } from "../../../../packages/components/test/make-file/read-zip.ts";
import type { Scenario, World } from "../../scenario.ts";
import { isThere, toValue, upload } from "./files.ts";
import { createWorkflow, run, save } from "./saving.ts";
import { withSettings } from "./with-settings.ts";

const ORDERS = [
	{ id: 7, customer: "Ada & Söhne", total: 12.5 },
	{ id: 8, customer: "=1+1", total: -3 },
];
const ORDERS_CSV = "id,customer,total\r\n7,Ada & Söhne,12.5\r\n8,'=1+1,-3\r\n";

/** Makes a file in a run and returns it. */
async function make(world: World, params: object, input: object = {}) {
	await save(world, createWorkflow("make", { component: "make_file", ...params }));
	return FileValue.strict().parse((await run(world, "make", input)).data);
}

async function failToMake(world: World, params: object, input: object = {}): Promise<string> {
	await save(world, createWorkflow("make", { component: "make_file", ...params }));
	return (await run(world, "make", input, 500)).error ?? "";
}

async function download(world: World, id: string): Promise<Buffer> {
	const headers = { "x-service-api-key": world.owner };
	const response = await fetch(`${world.target.publicUrl}/files/${id}/content`, { headers });
	assert.equal(response.status, 200);
	return Buffer.from(await response.arrayBuffer());
}

/** Triggers a workflow without any credential. */
const callPublic = (world: World, name: string, body: object) =>
	world.anyone.call("POST", `/webhooks/named/${world.owner}/${encodeURIComponent(name)}/trigger`, { body });

const listFiles = async (world: World) =>
	(await world.executor.expect(200, StoredFileList, "GET", "/files")).files;

export const madeFiles: readonly Scenario[] = [
	{
		name: "make_file writes CSV, JSON, text and bytes, and the owner can download them",
		cites: [],
		async run(world) {
			const made = await make(world, { name: "orders.csv", rows: "{{input.orders}}" }, { orders: ORDERS });
			assert.deepEqual(made, {
				$file: made.$file,
				name: "orders.csv",
				type: "text/csv; charset=utf-8",
				size: Buffer.byteLength(ORDERS_CSV),
			});
			assert.equal((await download(world, made.$file)).toString(), ORDERS_CSV);
			const stored = await world.executor.expect(200, StoredFile, "GET", `/files/${made.$file}`);
			assert.ok(stored.execution_id !== null);
			const json = await make(world, { name: "a.json", data: { a: ["é"] }, indent: 2 });
			assert.deepEqual(JSON.parse((await download(world, json.$file)).toString()), { a: ["é"] });
			const bytes = await make(world, { name: "a.bin", base64: "AP+A" });
			assert.deepEqual(await download(world, bytes.$file), Buffer.from([0, 255, 128]));
			const empty = await make(world, { name: "a.txt", text: "" });
			assert.deepEqual(await download(world, empty.$file), Buffer.alloc(0));
		},
	},
	{
		name: "make_file compresses workbooks and zip files, with the files that the run was given",
		cites: [],
		async run(world) {
			const orders = Array.from({ length: 2000 }, (_, id) => ({ ...ORDERS[0], id, day: "2026-03-29" }));
			const params = {
				name: "orders.xlsx",
				rows: "{{input.orders}}",
				columns: ["id", "customer", { field: "day", type: "date" }],
			};
			const workbook = await make(world, params, { orders });
			const parts = readZip(await download(world, workbook.$file));
			const sheet = parts.find(({ path }) => path === "xl/worksheets/sheet1.xml")?.bytes.toString() ?? "";
			assert.equal(sheet.match(/<row /g)?.length, 2001);
			assert.match(sheet, /<c r="A2001"><v>1999<\/v><\/c>/);
			assert.match(sheet, /<t>Ada &amp; Söhne<\/t>/);
			assert.match(sheet, /<c r="C2001" s="2"><v>46110<\/v><\/c>/);

			const text = "tea ".repeat(50_000);
			const file = toValue(await upload(world, text, { name: "tea.txt" }));
			for (const compress of [true, false]) {
				const files = ["{{input.file}}", { file: "{{input.file}}", path: "docs/tea.txt" }];
				const zip = await make(world, { name: "a.zip", files, compress }, { file });
				const members = readZip(await download(world, zip.$file));
				assert.deepEqual(
					members.map(({ path, isStored, bytes }) => [path, isStored, bytes.toString() === text]),
					[
						["tea.txt", !compress, true],
						["docs/tea.txt", !compress, true],
					],
				);
				assert.equal(zip.size < text.length, compress);
			}
		},
	},
	{
		name: "a made file is the answer of a trigger, a link, or kept for later runs",
		cites: [],
		async run(world) {
			const config = {
				report: { component: "make_file", name: "orders.csv", rows: "{{input.orders}}" },
				answer: { component: "respond", file: "{{report}}" },
				share: { component: "file_link", file: "{{report}}" },
				keep: { component: "file_keep", file: "{{report}}", name: "reports/latest" },
			};
			const document = (name: string, after: keyof typeof config, more: object = {}) => ({
				...createWorkflow(name, {}),
				triplets: [`input >> then >> report`, `report >> then >> ${after}`],
				config: { report: config.report, [after]: config[after] },
				...more,
			});
			const body = { orders: ORDERS };
			await save(world, document("answers", "answer", { trigger: { type: "webhook", answer: "respond" } }));
			const answer = await callPublic(world, "answers", body);
			assert.deepEqual([answer.status, answer.body], [200, ORDERS_CSV]);
			assert.equal(answer.headers.get("content-type"), "text/csv; charset=utf-8");
			assert.equal(answer.headers.get("content-disposition"), 'attachment; filename="orders.csv"');

			await save(world, document("shares", "share"));
			const link = FileLink.parse((await run(world, "shares", body)).data);
			const followed = await fetch(link.url);
			assert.deepEqual([followed.status, await followed.text()], [200, ORDERS_CSV]);

			await save(world, document("keeps", "keep"));
			const kept = FileValue.parse((await run(world, "keeps", body)).data);
			const stored = await world.executor.expect(200, StoredFile, "GET", `/files/${kept.$file}`);
			assert.deepEqual([stored.kept_as, stored.expires_at], ["reports/latest", null]);
		},
	},
	{
		name: "make_file leaves nothing behind when its content is wrong or too large",
		cites: [],
		async run(world) {
			const orders = [...Array.from({ length: 3000 }, () => ({ total: 1 })), { total: "a lot" }];
			const params = {
				name: "a.xlsx",
				rows: "{{input.orders}}",
				columns: [{ field: "total", type: "number" }],
			};
			assert.match(
				await failToMake(world, params, { orders }),
				/only: rows\[3000\], column total must be a number, but is "a lot"/,
			);
			await withSettings(world, { MAX_FILE_BYTES: "1000" }, async () => {
				const error = await failToMake(
					world,
					{ name: "a.txt", text: "{{input.text}}" },
					{ text: "x".repeat(1001) },
				);
				assert.match(error, /larger than 1000 bytes/);
			});
			assert.deepEqual(await listFiles(world), []);
		},
	},
	{
		name: "a zip file contains no file that the run may not open",
		cites: [],
		async run(world) {
			const secret = toValue(await upload(world, "secret"));
			assert.equal(await isThere(world, secret.$file), true);
			const zip = createWorkflow("public zip", {
				component: "make_file",
				name: "a.zip",
				files: ["{{input.file}}"],
			});
			await save(world, zip);
			const { body } = await callPublic(world, "public zip", { file: secret });
			assert.match(JSON.stringify(body), /file not found/);
			assert.deepEqual(
				(await listFiles(world)).map(({ id }) => id),
				[secret.$file],
			);
		},
	},
];
