import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import type { OutsideAnswer } from "../../outside.ts";
import type { Scenario, World } from "../../scenario.ts";
import { openHost, pickOwnHeaders, withLocalServer } from "./outside-host.ts";
import { createRow, createWebhook, failOnce, runOnce, trigger, triggerFailing } from "./token-webhook.ts";
import { withSettings } from "./with-settings.ts";

const request = (settings: object) => createRow({ call: { component: "http_request", ...settings } });

/** The output of a node that makes one request. */
const runForAnswer = async (world: World, settings: object, input: object = {}) =>
	(await runOnce(world, request(settings), input)).data as {
		readonly status: number;
		readonly headers: Readonly<Record<string, string>>;
		readonly data: unknown;
		readonly pages?: number;
		readonly more?: boolean;
	};

const runForError = async (world: World, settings: object) =>
	(await failOnce(world, request(settings))).error ?? "";

/** Sends these responses in order, then 500. */
const inTurn =
	(answers: OutsideAnswer[]): (() => OutsideAnswer) =>
	() =>
		answers.shift() ?? { status: 500, body: "one request too many" };

export const http: readonly Scenario[] = [
	{
		name: "http_request sends every method with its URL, query and headers, and outputs status, headers and data",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, ({ method }) => ({
				status: 201,
				headers: { "x-answer": "yes" },
				json: { method },
			}));
			const token = await createWebhook(
				world.executor,
				request({
					method: "{{input.method}}",
					url: `${url}/a%20b/c?own=1#here`,
					query: { q: "{{input.q}}", list: [1, "two"], nested: { a: 1 }, none: null },
					headers: { "X-Custom": "{{input.method}} it", "x-number": 7, "x-none": null, Accept: "text/x-own" },
				}),
			);
			for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
				const { data } = await trigger(world.anyone, token, { method, q: "a&b +é" });
				const { status, headers, data: answer } = data as Awaited<ReturnType<typeof runForAnswer>>;
				assert.deepEqual([status, headers["x-answer"]], [201, "yes"]);
				assert.deepEqual(answer, method === "HEAD" ? null : { method });
				const sent = seen.pop();
				assert.equal(sent?.method, method);
				assert.equal(
					sent.url,
					`${url}/a%20b/c?own=1&q=a%26b%20%2B%C3%A9&list=1&list=two&nested=%7B%22a%22%3A1%7D`,
				);
				assert.deepEqual(pickOwnHeaders(sent), {
					accept: "text/x-own",
					"user-agent": "Tripline",
					"x-custom": `${method} it`,
					"x-number": "7",
				});
				assert.equal(sent.bytes.length, 0);
			}
		},
	},
	{
		name: "http_request sends JSON, forms, text, bytes and files unchanged",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world);
			const data = Buffer.from([0, 255, 128, 10, 13, 65]);
			const input = { name: 'Zoë "Z" 😀', file: data.toString("base64") };
			for (const [settings, type, bytes] of [
				[
					{ json: { name: "{{input.name}}", list: [1.5, null, true], none: {} } },
					"application/json",
					'{"name":"Zoë \\"Z\\" 😀","list":[1.5,null,true],"none":{}}',
				],
				[
					{ form: { name: "{{input.name}}", a: [1, 2], order: { items: [{ id: 7 }] }, none: null } },
					"application/x-www-form-urlencoded",
					"name=Zo%C3%AB+%22Z%22+%F0%9F%98%80&a=1&a=2&order%5Bitems%5D%5B0%5D%5Bid%5D=7",
				],
				[{ text: "{{input.name}}\n" }, "text/plain;charset=UTF-8", 'Zoë "Z" 😀\n'],
				[{ text: "<a/>", headers: { "content-type": "text/xml" } }, "text/xml", "<a/>"],
				[{ base64: "{{input.file}}" }, "application/octet-stream", data],
				[{ base64: "{{input.file}}", headers: { "Content-Type": "image/png" } }, "image/png", data],
			] as const) {
				await runForAnswer(world, { method: "POST", url, ...settings }, input);
				const sent = seen.pop();
				assert.equal(sent?.headers["content-type"], type);
				assert.deepEqual(Buffer.from(sent.bytes), Buffer.from(bytes));
			}
		},
	},
	{
		name: "http_request sends several parts and files as a multipart form",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world);
			const data = Buffer.from([0, 255, 13, 10]);
			const multipart = [
				{ name: 'a "title"', text: "Réport" },
				{ name: "file", base64: data.toString("base64"), filename: "a\r\nb.bin" },
				{ name: "note", text: "x", filename: "n.txt", content_type: "text/plain" },
			];
			await runForAnswer(world, { method: "PUT", url, multipart });
			const [sent] = seen;
			const [, boundary] =
				/^multipart\/form-data; boundary=(\S+)$/.exec(sent?.headers["content-type"] ?? "") ?? [];
			const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n`;
			const expected = Buffer.concat([
				Buffer.from(`${part('name="a %22title%22"')}\r\nRéport\r\n`),
				Buffer.from(
					`${part('name="file"; filename="a%0D%0Ab.bin"')}Content-Type: application/octet-stream\r\n\r\n`,
				),
				data,
				Buffer.from(
					`\r\n${part('name="note"; filename="n.txt"')}Content-Type: text/plain\r\n\r\nx\r\n--${boundary}--\r\n`,
				),
			]);
			assert.deepEqual(Buffer.from(sent?.bytes ?? []), expected);
		},
	},
	{
		name: "http_request reads a response as JSON, text or base64, by its content type or its parameter",
		cites: [],
		async run(world) {
			const latin = new Uint8Array([0x5a, 0x6f, 0xeb]);
			const picture = new Uint8Array([137, 80, 78, 71]);
			let answer: OutsideAnswer = {};
			const { url } = openHost(world, () => answer);
			const type = (value: string) => ({ "content-type": value });
			for (const [given, response, data] of [
				[{ json: { a: [1] } }, undefined, { a: [1] }],
				[{ headers: type("application/problem+json"), body: '{"a":1}' }, undefined, { a: 1 }],
				[{ headers: type("text/csv"), body: "a,b" }, undefined, "a,b"],
				[{ headers: type("text/plain; charset=iso-8859-1"), body: latin }, undefined, "Zoë"],
				[{ headers: type("image/png"), body: picture }, undefined, "iVBORw=="],
				[{ status: 204 }, undefined, null],
				[{ headers: type("text/plain"), body: '{"a":1}' }, "json", { a: 1 }],
				[{ json: { a: 1 } }, "text", '{"a":1}'],
				[{ headers: type("text/plain"), body: "Zoë" }, "base64", "Wm/Dqw=="],
			] as const) {
				answer = given;
				const read = await runForAnswer(world, { url, ...(response === undefined ? {} : { response }) });
				assert.deepEqual(read.data, data);
			}
			answer = { headers: type("application/json"), body: "<html>" };
			assert.equal(
				await runForError(world, { url }),
				"call: the response is not JSON; set response to text to get it as text",
			);
		},
	},
	{
		name: "an unexpected status fails the node with the beginning of the response",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, () => ({ status: 404, json: { message: "no such order" } }));
			const error = await runForError(world, { url });
			assert.equal(error, 'call: the response was 404 Not Found: {"message":"no such order"}');
			const found = await runForAnswer(world, { url, expect: ["2xx", 404] });
			assert.deepEqual([found.status, found.data], [404, { message: "no such order" }]);
			assert.match(await runForError(world, { url, expect: [200, "5xx"] }), /404 Not Found/);
			assert.equal(seen.length, 3);
		},
	},
	{
		name: "http_request retries 429 and 503 after Retry-After, and the trace shows it",
		cites: [],
		async run(world) {
			const times: number[] = [];
			const answers = inTurn([
				{ status: 429, headers: { "retry-after": "1" } },
				{ status: 503, headers: { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" } },
				{ json: "done" },
			]);
			const { url } = openHost(world, () => {
				times.push(Date.now());
				return answers();
			});
			const result = await runOnce(world, request({ method: "POST", url, json: {} }));
			assert.equal((result.data as { data: unknown }).data, "done");
			const [first = 0, second = 0, third = 0] = times;
			assert.ok(second - first >= 990 && second - first < 5_000, `${second - first} ms`);
			assert.ok(third - second < 900, `${third - second} ms`);
			assert.deepEqual(result.nodes?.[0]?.log, [
				"attempt 1 of 3: the response was 429 Too Many Requests; next in 1000 ms",
				"attempt 2 of 3: the response was 503 Service Unavailable; next in 0 ms",
			]);
			assert.equal(result.nodes?.[0]?.attempts, 1);
		},
	},
	{
		name: "a request that is not idempotent is not retried unless it has an idempotency key",
		cites: [],
		async run(world) {
			const headers = { "retry-after": "0" };
			const { url, seen } = openHost(world, () => ({ status: 502, headers }));
			const post = { method: "POST", url, json: {} };
			for (const [settings, count] of [
				[post, 1],
				[{ ...post, headers: { "Idempotency-Key": "k" } }, 3],
				[{ url }, 3],
				[{ url, attempts: 1 }, 1],
				[{ url, attempts: 5 }, 5],
				[{ method: "PATCH", url, json: {} }, 1],
				[{ method: "DELETE", url }, 3],
			] as const) {
				assert.equal(await runForError(world, settings), "call: the response was 502 Bad Gateway");
				assert.equal(seen.splice(0).length, count, JSON.stringify(settings));
			}
		},
	},
	{
		name: "paginate follows links in the header or the body, and sends headers only to the same host",
		cites: [],
		async run(world) {
			const other = openHost(world, () => ({ json: [4] }), `other.${world.owner}.example.com`);
			const { url, seen } = openHost(world, ({ url: asked }) => {
				const { pathname } = new URL(asked);
				if (pathname === "/1")
					return { json: [1, 2], headers: { link: '</2?p=2>; rel="next", </9>; rel="last"' } };
				if (pathname === "/2")
					return { json: [3], headers: { link: `<${other.url}/3>; rel=next; title="a, b"` } };
				if (pathname === "/first") return { json: { items: ["a"], next: "/second" } };
				return { json: { items: ["b"], next: null } };
			});
			const headers = { "x-own": "mine" };
			const linked = await runForAnswer(world, {
				url: `${url}/1`,
				query: { p: 1 },
				headers,
				paginate: { by: "link" },
			});
			assert.deepEqual([linked.data, linked.pages, linked.more], [[1, 2, 3, 4], 3, false]);
			assert.deepEqual(
				seen.splice(0).map((sent) => [sent.url, sent.headers["x-own"]]),
				[
					[`${url}/1?p=1`, "mine"],
					[`${url}/2?p=2`, "mine"],
				],
			);
			assert.deepEqual(
				other.seen.map((sent) => [sent.url, sent.headers["x-own"]]),
				[[`${other.url}/3`, undefined]],
			);
			const paginate = { by: "link", url: "next", items: "items" };
			const named = await runForAnswer(world, { url: `${url}/first`, paginate });
			assert.deepEqual([named.data, named.pages], [["a", "b"], 2]);
		},
	},
	{
		name: "paginate sends the cursor in the query or the body until there is none",
		cites: [],
		async run(world) {
			const pages = () => [
				{ json: { data: { items: [1, 2] }, meta: { next: "c&2" } } },
				{ json: { data: { items: [3] }, meta: { next: "c3" } } },
				{ json: { data: { items: [] }, meta: { next: null } } },
			];
			let answers = inTurn(pages());
			const { url, seen } = openHost(world, () => answers());
			const cursor = { by: "cursor", cursor: "meta.next", items: "data.items" };
			const asked = await runForAnswer(world, {
				url: `${url}/list`,
				query: { size: 2 },
				paginate: { ...cursor, param: "after" },
			});
			assert.deepEqual([asked.data, asked.pages, asked.more], [[1, 2, 3], 3, false]);
			assert.deepEqual(
				seen.splice(0).map((sent) => new URL(sent.url).search),
				["?size=2", "?size=2&after=c%262", "?size=2&after=c3"],
			);
			answers = inTurn(pages());
			const posted = await runForAnswer(world, {
				method: "POST",
				url: `${url}/search`,
				json: { q: "tea" },
				paginate: { ...cursor, body: "page.cursor" },
			});
			assert.deepEqual(posted.data, [1, 2, 3]);
			assert.deepEqual(
				seen.map((sent) => JSON.parse(sent.body)),
				[{ q: "tea" }, { q: "tea", page: { cursor: "c&2" } }, { q: "tea", page: { cursor: "c3" } }],
			);
		},
	},
	{
		name: "paginate counts pages or offsets, and stops at limit and max_pages",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, ({ url: asked }) => {
				const { searchParams } = new URL(asked);
				const from = Number(searchParams.get("offset") ?? Number(searchParams.get("page")) * 2 - 2);
				return { json: [from, from + 1].filter((item) => item < 5) };
			});
			const searches = () => seen.splice(0).map((sent) => new URL(sent.url).search);
			const counted = await runForAnswer(world, {
				url,
				paginate: { by: "page", param: "page", size_param: "per_page", size: 2 },
			});
			assert.deepEqual([counted.data, counted.pages, counted.more], [[0, 1, 2, 3, 4], 3, false]);
			assert.deepEqual(searches(), ["?per_page=2&page=1", "?per_page=2&page=2", "?per_page=2&page=3"]);
			const offsets = { by: "page", param: "offset", start: 0, step: 2 };
			const limited = await runForAnswer(world, { url, paginate: { ...offsets, limit: 3 } });
			assert.deepEqual([limited.data, limited.pages, limited.more], [[0, 1, 2], 2, true]);
			assert.deepEqual(searches(), ["?offset=0", "?offset=2"]);
			const first = await runForAnswer(world, { url, paginate: { ...offsets, max_pages: 1 } });
			assert.deepEqual([first.data, first.pages, first.more], [[0, 1], 1, true]);
		},
	},
	{
		name: "redirects are followed: a POST becomes a GET or keeps its body, as HTTP requires",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, ({ url: asked }) => {
				const status = Number(new URL(asked).pathname.slice(1));
				return status === 200 ? { json: "end" } : { status, headers: { location: "/200?moved=1" } };
			});
			for (const [method, status, then, body] of [
				["POST", 301, "GET", ""],
				["POST", 302, "GET", ""],
				["PUT", 303, "GET", ""],
				["POST", 307, "POST", "hello"],
				["PUT", 308, "PUT", "hello"],
				["PUT", 302, "PUT", "hello"],
			] as const) {
				const settings = { method, url: `${url}/${status}`, text: "hello", headers: { "x-own": "1" } };
				assert.equal((await runForAnswer(world, settings)).data, "end");
				const [, second] = seen.splice(0);
				assert.deepEqual(
					[second?.method, second?.url, second?.body, second?.headers["x-own"]],
					[then, `${url}/200?moved=1`, body, "1"],
				);
				assert.equal(second?.headers["content-type"], body === "" ? undefined : "text/plain;charset=UTF-8");
			}
		},
	},
	{
		name: "after a redirect another host gets none of the headers, and at most five redirects are followed",
		cites: [],
		async run(world) {
			const other = openHost(world, undefined, `other.${world.owner}.example.com`);
			const { host, url, seen } = openHost(world, ({ url: asked }) => ({
				status: 302,
				headers: { location: asked.endsWith("/away") ? `${other.url}/here` : "/again" },
			}));
			const headers = { "x-own": "mine", cookie: "a=b", authorization: "Bearer mine", accept: "text/x-own" };
			await runForAnswer(world, { url: `${url}/away`, headers });
			const [first] = seen.splice(0);
			assert.equal(first?.headers["x-own"], "mine");
			assert.deepEqual(
				other.seen.map((sent) => pickOwnHeaders(sent)),
				[{ accept: "text/x-own", "user-agent": "Tripline" }],
			);
			const error = await runForError(world, { url: `${url}/round` });
			assert.equal(error, `call: ${host} redirects once more after 5 redirects`);
			assert.equal(seen.length, 6);
		},
	},
	{
		name: "a non-public address is rejected, directly or after a redirect, and the error names the setting",
		cites: [],
		async run(world) {
			await withLocalServer(
				(_, response) => response.end('"inside"'),
				async ({ host, seen }) => {
					const port = host.split(":")[1];
					const { url } = openHost(world, ({ url: asked }) => ({
						status: 302,
						headers: { location: decodeURIComponent(new URL(asked).search.slice(1)) },
					}));
					const token = await createWebhook(world.executor, request({ url: "{{input.url}}" }));
					const targets = [
						`http://${host}/`,
						`http://localhost:${port}/`,
						`http://2130706433:${port}/`,
						`http://0x7f.1:${port}/`,
						`http://[::1]:${port}/`,
						`http://[::ffff:127.0.0.1]:${port}/`,
						"http://10.0.0.1/",
						"http://169.254.169.254/latest/meta-data/",
						"http://[fd00::1]/",
						"http://printer.local/",
					];
					const before = world.target.outside.requests.length;
					for (const target of targets) {
						for (const address of [target, `${url}/?${encodeURIComponent(target)}`]) {
							const { error } = await triggerFailing(world.anyone, token, { url: address });
							assert.match(error ?? "", /is not a public (?:address|name).*ALLOW_PRIVATE_HOSTS/, address);
						}
					}
					assert.equal(seen.length, 0);
					const sent = world.target.outside.requests.slice(before);
					assert.deepEqual([...new Set(sent.map((each) => new URL(each.url).origin))], [url]);
					await withSettings(world, { ALLOW_PRIVATE_HOSTS: `10.9.9.9,${host}` }, async () => {
						const { data } = await trigger(world.anyone, token, { url: `http://${host}/` });
						assert.equal((data as { data: unknown }).data, "inside");
						const { error } = await triggerFailing(world.anyone, token, { url: "http://127.0.0.1:9/" });
						assert.match(error ?? "", /ALLOW_PRIVATE_HOSTS/);
					});
					assert.equal(seen.length, 1);
				},
			);
		},
	},
	{
		name: "the knowledge store's own address is rejected even if all local addresses are allowed",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, request({ url: "{{input.url}}" }));
			const read = () => `${world.target.storeUrl}/entries?owner_id=${world.owner}`;
			assert.match((await triggerFailing(world.anyone, token, { url: read() })).error ?? "", /store's own/);
			await withSettings(world, { ALLOW_PRIVATE_HOSTS: "127.0.0.0/8,localhost" }, async () => {
				const { port } = new URL(world.target.storeUrl);
				for (const name of ["127.0.0.1", "localhost", "127.1.2.3", "[::1]"]) {
					const url = `http://${name}:${port}/entries?owner_id=${world.owner}`;
					const { error } = await triggerFailing(world.anyone, token, { url });
					assert.match(error ?? "", /is the knowledge store's own address/, url);
				}
			});
		},
	},
	{
		name: "a response that is too slow or too large fails the node",
		cites: [],
		async run(world) {
			await withLocalServer(
				async ({ url }, response) => {
					if (url === "/slow") await wait(3_000, undefined, { ref: false });
					response.end(url === "/large" ? "x".repeat(2 * 1024 * 1024 + 1) : "ok");
				},
				({ host }) =>
					withSettings(world, { ALLOW_PRIVATE_HOSTS: host }, async () => {
						const url = `http://${host}`;
						const slow = { url: `${url}/slow`, attempt_timeout_ms: 100, attempts: 1 };
						// The error contains the time left when the request was sent, which may be slightly less.
						assert.match(
							await runForError(world, slow),
							/^call: \S+ did not send a complete response within (?:100|9\d) ms$/,
						);
						assert.equal(
							await runForError(world, { url: `${url}/slow`, timeout_ms: 100 }),
							"call: timed out after 100 ms",
						);
						assert.equal(
							await runForError(world, { url: `${url}/large` }),
							`call: ${host} answered with more than 2097152 bytes`,
						);
						assert.equal((await runForAnswer(world, { url })).data, "ok");
					}),
			);
		},
	},
];
