import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { FileValue, StoredFile, StoredFileList } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { Scenario, World } from "../../scenario.ts";
import { putAuthRecipe, putCredential } from "./credential.ts";
import { toValue, upload } from "./files.ts";
import { withLocalServer } from "./outside-host.ts";
import { createWorkflow, otherTenant, run, save } from "./saving.ts";
import { withSettings } from "./with-settings.ts";

const PICTURE = new Uint8Array(randomBytes(3_000_000));
const TOKEN = "s3cr3t-of-the-file-server";

interface Received {
	readonly path: string;
	readonly headers: IncomingMessage["headers"];
	readonly body: Buffer;
}

/** A file server on this machine, and a service that may call it. */
async function withFileServer(
	world: World,
	settings: Readonly<Record<string, string>>,
	use: (server: { readonly url: string; readonly received: Received[] }) => Promise<void>,
): Promise<void> {
	const received: Received[] = [];
	await withLocalServer(
		async (request, response) => {
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(chunk as Buffer);
			const { url: path = "", headers } = request;
			received.push({ path, headers, body: Buffer.concat(chunks) });
			answer(path, headers, response);
		},
		({ host }) =>
			withSettings(world, { ALLOW_PRIVATE_HOSTS: "127.0.0.0/8", ...settings }, () =>
				use({ url: `http://${host}`, received }),
			),
	);
}

function answer(path: string, headers: IncomingMessage["headers"], response: ServerResponse): unknown {
	const type = { "content-type": "image/png" };
	switch (path) {
		case "/chart.png":
			return response.writeHead(200, type).end(PICTURE);
		case "/named":
			response.writeHead(200, { ...type, "content-disposition": "attachment; filename*=UTF-8''%C3%BC.png" });
			return response.end(PICTURE);
		case "/gzip.png":
			return response.writeHead(200, { ...type, "content-encoding": "gzip" }).end(gzipSync(PICTURE));
		case "/missing":
			return response.writeHead(404).end("no such file");
		case "/cut":
			response.writeHead(200, { "content-length": PICTURE.length });
			return response.write(PICTURE.subarray(0, 2_000_000), () => response.destroy());
		case "/bomb":
			return response
				.writeHead(200, { "content-encoding": "gzip" })
				.end(gzipSync(new Uint8Array(50_000_000)));
		case "/echo":
			return response.end(`${"-".repeat(400_000)}${headers.authorization}${"-".repeat(400_000)}`);
		case "/moved":
			return response.writeHead(307, { location: "/raw" }).end();
		default:
			return response.end("{}");
	}
}

async function listFiles(world: World) {
	return (await world.executor.expect(200, StoredFileList, "GET", "/files")).files;
}

export const httpFiles: readonly Scenario[] = [
	{
		name: "http_request downloads a file and sends it on, as it is and in a form",
		cites: [],
		run: (world) =>
			withFileServer(world, {}, async ({ url, received }) => {
				await save(world, {
					name: "pass-on",
					description: "passes a file on",
					triplets: [
						"input >> then >> get",
						"get >> then >> put",
						"put >> then >> moved",
						"moved >> then >> form",
						"form >> then >> end",
					],
					config: {
						get: { component: "http_request", url: `${url}/{{input.path}}`, response: "file" },
						put: { component: "http_request", method: "PUT", url: `${url}/raw`, file: "{{get.data}}" },
						moved: { component: "http_request", method: "PUT", url: `${url}/moved`, file: "{{get.data}}" },
						form: {
							component: "http_request",
							method: "POST",
							url: `${url}/form`,
							multipart: [
								{ name: "title", text: "Chart" },
								{ name: "file", file: "{{get.data}}" },
							],
						},
						end: { component: "set", values: { file: "{{get.data}}" } },
					},
				});
				for (const [path, name] of [
					["chart.png", "chart.png"],
					["named", "ü.png"],
					["gzip.png", "gzip.png"],
				] as const) {
					received.length = 0;
					const { data } = await run(world, "pass-on", { path });
					const file = FileValue.parse((data as { file: unknown }).file);
					assert.deepEqual([file.name, file.type, file.size], [name, "image/png", PICTURE.length]);
					const [, put, moved, again, form] = received;
					for (const request of [put, moved, again]) {
						assert.ok(request);
						assert.ok(request.body.equals(PICTURE), `${path} ${request.path}`);
						assert.equal(request.headers["content-type"], "image/png");
						assert.equal(request.headers["content-length"], String(PICTURE.length));
					}
					assert.equal(again?.path, "/raw");
					assert.equal(form?.headers["content-length"], String(form?.body.length));
					const headers = { "content-type": form?.headers["content-type"] ?? "" };
					const parsed = await new Response(new Uint8Array(form?.body ?? []), { headers }).formData();
					const part = parsed.get("file") as File;
					assert.deepEqual([parsed.get("title"), part.name, part.type], ["Chart", name, "image/png"]);
					assert.ok(Buffer.from(await part.arrayBuffer()).equals(PICTURE));
				}
			}),
	},
	{
		name: "a download that fails leaves no file",
		cites: [],
		run: (world) =>
			withFileServer(world, { MAX_FILE_BYTES: "2500000" }, async ({ url }) => {
				await save(
					world,
					createWorkflow("get", {
						component: "http_request",
						url: `${url}/{{input.path}}`,
						response: "file",
						attempts: 1,
					}),
				);
				for (const [path, message] of [
					["missing", /404 Not Found: no such file/],
					["cut", /closed the connection|the call to \S+ failed/],
					["bomb", /2500000|too large/],
					["chart.png", /2500000|too large/],
				] as const) {
					const { success, error } = await run(world, "get", { path }, 500);
					assert.equal(success, false, path);
					assert.match(error ?? "", message);
				}
				assert.deepEqual(await listFiles(world), []);
			}),
	},
	{
		name: "a downloaded file contains no value of a credential",
		cites: [],
		run: (world) =>
			withFileServer(world, {}, async ({ url }) => {
				await putAuthRecipe(world, "own", {
					type: "bearer",
					fields: ["token"],
					hosts: [new URL(url).host],
				});
				await putCredential(world, "mine", "own", { token: TOKEN });
				await save(
					world,
					createWorkflow("get", {
						component: "http_request",
						url: `${url}/echo`,
						response: "file",
						credential: "mine",
					}),
				);
				const { data } = (await run(world, "get")).data as { data: Json };
				const { $file } = FileValue.parse(data);
				const { body } = await world.executor.call("GET", `/files/${$file}/content`);
				const line = "-".repeat(400_000);
				assert.ok(body === `${line}Bearer [redacted]${line}`, String(body).slice(399_990, 400_040));
			}),
	},
	{
		name: "a file of another tenant cannot be sent",
		cites: [],
		run: (world) =>
			withFileServer(world, {}, async ({ url, received }) => {
				const theirs = await world.executor.expect(201, StoredFile, "POST", "/files", {
					raw: "theirs",
					headers: otherTenant(world),
				});
				const file = { ...toValue(await upload(world, "mine")), $file: theirs.id };
				const put = { component: "http_request", method: "PUT", url, file: "{{input.file}}" };
				await save(world, createWorkflow("put", put));
				const { success, error } = await run(world, "put", { file }, 500);
				assert.deepEqual([success, error], [false, "only: file not found"]);
				assert.deepEqual(received, []);
			}),
	},
];
