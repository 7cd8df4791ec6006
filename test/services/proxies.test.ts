import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { request } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog } from "@tripline/platform/log";
import { Agent, fetch as callWith, type RequestInit } from "undici";
import { loadConsoleFiles } from "../../apps/node/src/console-build.ts";
import { type Service, startService } from "../../apps/node/src/service.ts";
import { parseSettings } from "../../apps/node/src/settings.ts";
import { TEST_CERTIFICATE } from "../../packages/platform/test/tls-certificate.ts";
import { findFreePort } from "../postgres.ts";
import { PROXY_HOST, prepareCaddy, prepareNginx, type ReverseProxy } from "./proxies.ts";

const ACCESS_TOKEN = "access-token-of-the-tests";
const STATIC_TOKEN = "static-token-of-the-tests";
const OWNER = { authorization: `Bearer ${ACCESS_TOKEN}`, "x-service-api-key": "default" };
const FORM_POSTS_PER_MINUTE = 30;
const MEBIBYTE = 1024 * 1024;

const log = jsonLog({ level: "error", clock: systemClock, write: () => {} });

/** Finds every name on this machine. */
const findHere: LookupFunction = (_name, { all }, done) =>
	all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);

for (const { name, prepare } of [
	{ name: "nginx", prepare: prepareNginx },
	{ name: "Caddy", prepare: prepareCaddy },
])
	describe(`behind ${name}`, () => {
		let folder: string;
		let proxy: ReverseProxy;
		let service: Service;
		let outside: Server;
		let outsideUrl: string;
		/** A call of a workflow that waits for its response. */
		let held = Promise.withResolvers<ServerResponse>();
		const agents: Agent[] = [];

		before(async () => {
			folder = mkdtempSync(join(tmpdir(), "tripline-proxy-"));
			outside = createServer((message, response) => {
				message.resume();
				held.resolve(response);
			}).listen(0, "127.0.0.1");
			await once(outside, "listening");
			outsideUrl = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
			proxy = await prepare();
			service = await startService({
				settings: parseSettings({
					...{ PORT: "0", STORE_PORT: "0", DATA_DIR: join(folder, "data") },
					...{ BASE_URL: proxy.url, TRUST_PROXY: "true", ALLOW_PRIVATE_HOSTS: "127.0.0.1" },
					...{ SERVICE_ACCESS_TOKEN: ACCESS_TOKEN, MCP_STATIC_TOKEN: STATIC_TOKEN },
				}),
				...{ clock: systemClock, log, version: "0.0.0-test", console: await loadConsoleFiles(log) },
			});
			const port = Number(new URL(service.publicUrl).port);
			// The first of two processes is down, which nobody should notice.
			await proxy.start([await findFreePort(), port]);
			await waitForHealth();
		});
		after(async () => {
			await Promise.all(agents.map((agent) => agent.destroy()));
			await proxy?.stop();
			await service?.close();
			outside?.closeAllConnections();
			outside?.close();
			rmSync(folder, { recursive: true, force: true });
		});

		/** A client on an address of this machine, which trusts the certificate and finds the name there. */
		function connect({ localAddress = "127.0.0.1", allowH2 = false } = {}) {
			const agent = new Agent({
				...{ allowH2, localAddress },
				connect: { ca: TEST_CERTIFICATE.cert, lookup: findHere },
			});
			agents.push(agent);
			return (path: string | URL, init: RequestInit = {}) =>
				callWith(new URL(path, proxy.url), { ...init, dispatcher: agent });
		}

		const call = connect();

		/** Caddy leaves a process out after its first check. */
		async function waitForHealth(): Promise<void> {
			for (let passed = 0; passed < 4; passed++) {
				const { status } = await call("/webhooks/none/trigger", { method: "POST", body: "{}" });
				if (status >= 502) passed = -1;
			}
		}

		async function save(workflow: object): Promise<string> {
			const response = await call("/workflows", {
				method: "POST",
				headers: { ...OWNER, "content-type": "application/json" },
				body: JSON.stringify({ description: "A test", version: "1", ...workflow }),
			});
			const answer = (await response.json()) as { webhook_url: string };
			assert.equal(response.status, 201, JSON.stringify(answer));
			return answer.webhook_url;
		}

		test("a webhook is triggered by the address that the service names", async () => {
			const url = await save({
				name: "hello",
				triplets: ["input >> then >> greet"],
				config: { greet: { component: "template", text: "Hello {{input.name}}" } },
			});
			assert.equal(url, `${proxy.url}/webhooks/named/default/hello/trigger`);
			for (const caller of [call, connect({ allowH2: true })]) {
				const response = await caller(url, { method: "POST", body: '{"name":"Ada"}' });
				assert.equal(((await response.json()) as { data: string }).data, "Hello Ada");
			}
		});

		test("requests without TLS are led to TLS", async () => {
			const response = await fetch(`http://127.0.0.1:${proxy.plainPort}/console?a=b`, {
				redirect: "manual",
				headers: { host: PROXY_HOST },
			});
			assert.equal(response.status, 308);
			assert.match(response.headers.get("location") ?? "", /^https:\/\/[^/]+\/console\?a=b$/);
		});

		test("the service sees the client's address, whatever the client says", async () => {
			await save({
				name: "contact",
				trigger: { type: "webhook", form: {} },
				options: { input_schema: { type: "object", properties: { name: { type: "string" } } } },
				triplets: ["input >> then >> greet"],
				config: { greet: { component: "template", text: "Hello {{input.name}}" } },
			});
			const post = async (caller: typeof call, said: string) => {
				const response = await caller("/f/default/contact", {
					...{ method: "POST", body: "name=Ada" },
					headers: {
						"content-type": "application/x-www-form-urlencoded",
						...{ "x-forwarded-for": said, "x-real-ip": said, forwarded: `for=${said}` },
					},
				});
				await response.text();
				return response.status;
			};
			const first = connect({ localAddress: "127.0.0.2" });
			const second = connect({ localAddress: "127.0.0.3" });
			const statuses = [];
			for (let sent = 0; sent <= FORM_POSTS_PER_MINUTE; sent++)
				statuses.push(await post(first, `192.0.2.${sent}`));
			assert.deepEqual(statuses, [...Array(FORM_POSTS_PER_MINUTE).fill(200), 429]);
			assert.equal(await post(second, "127.0.0.2"), 200);
		});

		describe("a stream arrives piece by piece", () => {
			const SLOW = {
				triplets: ["input >> then >> wait"],
				config: { wait: { component: "http_request", method: "POST", url: "{{input.url}}" } },
			};

			test("of a run", async () => {
				await save({ name: "slow", ...SLOW });
				held = Promise.withResolvers();
				const response = await call("/workflows/slow/test", {
					...{ method: "POST", body: JSON.stringify({ input: { url: outsideUrl } }) },
					headers: { ...OWNER, accept: "text/event-stream", "content-type": "application/json" },
				});
				const pieces = readPieces(response);
				await pieces.waitFor(/event: started/);
				await pieces.waitFor(/"status":"running"/);
				assert.doesNotMatch(pieces.read(), /event: result/);
				(await held.promise).end("done");
				await pieces.waitFor(/event: result\ndata: .*done/);
			});

			test("of a chat", async () => {
				await save({
					...{ name: "talk", trigger: { type: "webhook", chat: {} } },
					triplets: ["input >> then >> answer"],
					config: {
						answer: {
							...{ component: "llm_chat", base_url: outsideUrl, model: "m", stream: true },
							messages: "{{input.messages}}",
						},
					},
				});
				held = Promise.withResolvers();
				const response = await call("/v1/chat/completions", {
					...{ method: "POST", headers: { ...OWNER, "content-type": "application/json" } },
					body: JSON.stringify({
						...{ model: "talk", stream: true },
						messages: [{ role: "user", content: "Tea?" }],
					}),
				});
				const pieces = readPieces(response);
				const model = await held.promise;
				const write = (content: string) =>
					model.write(`data: ${JSON.stringify({ model: "m", choices: [{ delta: { content } }] })}\n\n`);
				model.writeHead(200, { "content-type": "text/event-stream" });
				for (const word of ["Green", "tea", "please"]) {
					write(word);
					await pieces.waitFor(new RegExp(word));
				}
				model.end("data: [DONE]\n\n");
				await pieces.waitFor(/\[DONE\]/);
			});

			test("of MCP, which a client uses with the address", async () => {
				await save({ name: "slow-tool", ...SLOW });
				held = Promise.withResolvers();
				const client = new Client({ name: "test", version: "1" });
				const transport = new StreamableHTTPClientTransport(new URL("/mcp", proxy.url), {
					fetch: call as unknown as typeof fetch,
					requestInit: { headers: { authorization: `Bearer ${STATIC_TOKEN}` } },
				});
				await client.connect(transport);
				const { tools } = await client.listTools();
				assert.ok(tools.some((tool) => tool.name === "run_workflow"));
				const begun = Promise.withResolvers<string | undefined>();
				const result = client.callTool(
					{ name: "run_workflow", arguments: { name: "slow-tool", input: { url: outsideUrl } } },
					{ onprogress: ({ message }) => begun.resolve(message) },
				);
				assert.equal(await begun.promise, "Running slow-tool");
				(await held.promise).end("done");
				assert.match(JSON.stringify((await result).content), /done/);
				await client.close();
			});
		});

		test("a file of the largest size is stored and read, and a larger one gets 413", async () => {
			const upload = (bytes: number) =>
				call("/files?name=large.bin", {
					...{ method: "POST", body: new Uint8Array(bytes) },
					headers: { ...OWNER, "content-type": "application/octet-stream" },
				});
			const stored = await upload(100 * MEBIBYTE);
			const file = (await stored.json()) as { id: string };
			assert.equal(stored.status, 201, JSON.stringify(file));
			const content = await call(`/files/${file.id}/content`, { headers: OWNER });
			let bytes = 0;
			for await (const piece of content.body ?? []) bytes += (piece as Uint8Array).length;
			assert.equal(bytes, 100 * MEBIBYTE);
			for (const tooMany of [100 * MEBIBYTE + 1, 103 * MEBIBYTE]) {
				const refused = await upload(tooMany);
				await refused.text();
				assert.equal(refused.status, 413);
			}
		});

		test("a client that asks before it sends such a file gets 413 too", async () => {
			const bytes = 101 * MEBIBYTE;
			for (let asked = 0; asked < 4; asked++) {
				const upload = request(new URL("/files?name=large.bin", proxy.url), {
					...{ method: "POST", agent: false, ca: TEST_CERTIFICATE.cert, lookup: findHere },
					headers: { ...OWNER, "content-length": bytes, expect: "100-continue" },
				});
				upload.on("continue", () => upload.end(Buffer.alloc(bytes)));
				// The connection may close while the rest is sent.
				upload.on("error", () => {});
				upload.flushHeaders();
				const [{ statusCode }] = (await once(upload, "response")) as [IncomingMessage];
				upload.destroy();
				assert.equal(statusCode, 413);
			}
		});

		test("another body that is too large gets 413, whether its length is known or not", async () => {
			const body = JSON.stringify({ text: "x".repeat(3 * MEBIBYTE) });
			for (const sent of [body, new Blob([body]).stream()]) {
				const response = await call("/webhooks/named/default/hello/trigger", {
					...{ method: "POST", body: sent, duplex: "half" },
				});
				assert.equal(response.status, 413);
				assert.match(await response.text(), /1048576/);
			}
		});

		test("long headers pass in both directions", async () => {
			const long = (length: number) => "x".repeat(length);
			const url = await save({
				...{ name: "headers", trigger: { type: "webhook", methods: ["GET"], answer: "respond" } },
				triplets: ["input >> then >> reply"],
				config: {
					reply: {
						...{ component: "respond", body: "{{input.text}}" },
						headers: { "x-first": long(4_000), "x-second": long(4_000) },
					},
				},
			});
			const response = await call(`${url}?text=${long(50_000)}`);
			assert.equal(response.headers.get("x-second"), long(4_000));
			assert.equal(await response.text(), long(50_000));
		});

		test("the console loads with its scripts", async () => {
			const page = await call("/console");
			const html = await page.text();
			assert.equal(page.status, 200);
			assert.match(page.headers.get("content-security-policy") ?? "", /default-src/);
			const scripts = [...html.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, src = ""]) => src);
			assert.ok(scripts.length > 0, html);
			for (const src of scripts) {
				const script = await call(new URL(src, `${proxy.url}/console`));
				assert.match(script.headers.get("content-type") ?? "", /javascript/);
				assert.notEqual(await script.text(), "");
			}
		});
	});

/** The text of a response as far as it has arrived. */
function readPieces(response: Awaited<ReturnType<typeof callWith>>) {
	assert.equal(response.status, 200);
	let text = "";
	const decoder = new TextDecoder();
	const reader = response.body?.getReader();
	return {
		read: () => text,
		async waitFor(pattern: RegExp): Promise<void> {
			while (!pattern.test(text)) {
				const piece = await reader?.read();
				assert.ok(piece?.value !== undefined, `ended without ${pattern}: ${text}`);
				text += decoder.decode(piece.value, { stream: true });
			}
		},
	};
}
