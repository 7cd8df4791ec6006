import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import { findNextLink } from "../../src/http-request/link-header.ts";
import { httpRequest } from "../../src/http-request.ts";
import { openServer, runForFailure, runForOutput, runOutbound, sendJson } from "../outbound-effects.ts";

const summarize = (output: unknown) => {
	const { data, pages, more } = output as { data: unknown; pages: number; more: boolean };
	return { data, pages, more };
};

describe("pages by link", () => {
	test("follow the Link header to the last one, with the headers of the request", async () => {
		await using server = await openServer(({ path }, response) => {
			const page = Number(new URL(path, "http://x").searchParams.get("page") ?? 1);
			const link = page < 3 ? { link: `</items?page=${page + 1}>; rel="next", </items>; rel=first` } : {};
			sendJson(response, [page, page * 10], 200, link);
		});
		const params = { url: `${server.url}/items`, query: { q: "x" }, headers: { "x-a": "1" } };
		const output = await runForOutput(
			httpRequest,
			{ ...params, paginate: { by: "link" } },
			{ credential: "c" },
		);
		assert.deepEqual(summarize(output), { data: [1, 10, 2, 20, 3, 30], pages: 3, more: false });
		assert.deepEqual(
			server.seen.map(({ path }) => path),
			["/items?q=x", "/items?page=2", "/items?page=3"],
		);
		for (const { headers } of server.seen) {
			assert.equal(headers["x-a"], "1");
			assert.equal(headers.authorization, "Bearer c");
		}
	});

	test("follow a URL in the response", async () => {
		await using server = await openServer(({ path }, response) =>
			sendJson(response, { value: [path], "@next": path === "/a" ? "/b?c=d#e" : null }),
		);
		const paginate = { by: "link", url: '["@next"]', items: "value" };
		const output = await runForOutput(httpRequest, { url: `${server.url}/a`, paginate });
		assert.deepEqual(summarize(output), { data: ["/a", "/b?c=d"], pages: 2, more: false });
	});

	test("send no headers to another host, nor back from there", async () => {
		let back = "";
		await using other = await openServer((_request, response) =>
			sendJson(response, [2], 200, { link: `<${back}/back>; rel=next` }),
		);
		await using server = await openServer(({ path }, response) =>
			path === "/"
				? sendJson(response, [1], 200, { link: `<${other.url}/next>; rel=next` })
				: sendJson(response, [3]),
		);
		back = server.url;
		const { output, calls } = await runOutbound(httpRequest, {
			url: server.url,
			headers: { "x-api-key": "k", cookie: "c" },
			paginate: { by: "link" },
		});
		assert.deepEqual(summarize(output).data, [1, 2, 3]);
		assert.equal(server.seen[0]?.headers["x-api-key"], "k");
		assert.equal(other.seen[0]?.headers["x-api-key"], undefined);
		assert.equal(other.seen[0]?.headers.cookie, undefined);
		assert.equal(server.seen[1]?.headers["x-api-key"], undefined);
		assert.equal(calls[1]?.headers, undefined);
	});

	test("stop at max_pages and at limit, and set more", async () => {
		await using server = await openServer((_request, response, number) =>
			sendJson(response, [number, number], 200, { link: `</${number}>; rel=next` }),
		);
		const read = (paginate: object) => runForOutput(httpRequest, { url: server.url, paginate });
		assert.deepEqual(summarize(await read({ by: "link", max_pages: 2 })), {
			data: [1, 1, 2, 2],
			pages: 2,
			more: true,
		});
		assert.deepEqual(summarize(await read({ by: "link", limit: 3 })), {
			data: [3, 3, 4],
			pages: 2,
			more: true,
		});
		assert.equal(summarize(await read({ by: "link" })).pages, 10);
	});

	test("fail if they lead back, or to another scheme", async () => {
		const readForFailure = async (link: string) => {
			await using server = await openServer((_request, response) =>
				sendJson(response, [1], 200, { link: `<${link}>; rel=next` }),
			);
			return await runForFailure(httpRequest, { url: `${server.url}/a`, paginate: { by: "link" } });
		};
		const back = await readForFailure("/a");
		assert.equal(back.message, "pagination does not end: page 1's next page was already read");
		assert.ok(back instanceof TerminalError);
		assert.match((await readForFailure("/b")).message, /page 2's next page/);
		assert.match((await readForFailure("file:///etc/passwd")).message, /not an http or https URL/);
		assert.match((await readForFailure("http://")).message, /not an http or https URL/);
	});

	test("fail with the page's error", async () => {
		await using server = await openServer((_request, response, number) =>
			number === 1
				? sendJson(response, [1], 200, { link: "</2>; rel=next" })
				: sendJson(response, { error: "no" }, 403),
		);
		const failure = await runForFailure(httpRequest, { url: server.url, paginate: { by: "link" } });
		assert.equal(failure.message, 'the response was 403 Forbidden: {"error":"no"}');
	});
});

describe("pages by cursor", () => {
	test("put the cursor into the query until it is missing", async () => {
		const cursors = ["b c", 7, ""];
		await using server = await openServer((_request, response, number) =>
			sendJson(response, { data: [number], meta: { next: cursors[number - 1] } }),
		);
		const paginate = { by: "cursor", cursor: "meta.next", param: "after", items: "data" };
		const output = await runForOutput(httpRequest, { url: server.url, query: { limit: 1 }, paginate });
		assert.deepEqual(summarize(output), { data: [1, 2, 3], pages: 3, more: false });
		assert.deepEqual(
			server.seen.map(({ path }) => path),
			["/?limit=1", "/?limit=1&after=b+c", "/?limit=1&after=7"],
		);
	});

	test("put the cursor into the body, and leave the rest unchanged", async () => {
		await using server = await openServer((_request, response, number) =>
			sendJson(response, { results: [number], next: number < 2 ? "n" : null }),
		);
		const json = { query: "q", variables: { size: 1 } };
		const params = { method: "POST", url: server.url, json };
		const paginate = { by: "cursor", cursor: "next", body: "variables.page.after", items: "results" };
		await runForOutput(httpRequest, { ...params, paginate });
		assert.deepEqual(
			server.seen.map(({ body }) => JSON.parse(body)),
			[json, { query: "q", variables: { size: 1, page: { after: "n" } } }],
		);
		assert.deepEqual(json, { query: "q", variables: { size: 1 } });
	});

	test("take the cursor from the last item until there are no more", async () => {
		await using server = await openServer((_request, response, number) =>
			sendJson(response, { data: [{ id: `a${number}` }, { id: `b${number}` }], has_more: number < 3 }),
		);
		const paginate = { by: "cursor", last: "id", more: "has_more", param: "after", items: "data" };
		const output = await runForOutput(httpRequest, { url: server.url, paginate });
		assert.equal(summarize(output).pages, 3);
		assert.deepEqual(
			server.seen.map(({ path }) => path),
			["/", "/?after=b1", "/?after=b2"],
		);
	});

	test("take the cursor from the last item of a list until a page is empty", async () => {
		await using server = await openServer((_request, response, number) =>
			sendJson(response, number < 3 ? [{ id: number }] : []),
		);
		const paginate = { by: "cursor", last: "id", param: "before" };
		const output = await runForOutput(httpRequest, { url: server.url, paginate });
		assert.deepEqual(summarize(output), { data: [{ id: 1 }, { id: 2 }], pages: 3, more: false });
		assert.deepEqual(
			server.seen.map(({ path }) => path),
			["/", "/?before=1", "/?before=2"],
		);
	});

	test("fail if the last item has no such cursor", async () => {
		await using server = await openServer((_request, response) => sendJson(response, [{ key: 1 }]));
		const paginate = { by: "cursor", last: "id", param: "before" };
		const failure = await runForFailure(httpRequest, { url: server.url, paginate });
		assert.equal(
			failure.message,
			`page 1's last item has no "id"; it has key. Correct the path in paginate.last`,
		);
	});

	test("end where the response says that there are no more, whatever the cursor is", async () => {
		await using server = await openServer((_request, response, number) =>
			sendJson(response, { nodes: [number], page: { more: number < 2, end: `c${number}` } }),
		);
		const paginate = { by: "cursor", cursor: "page.end", more: "page.more", param: "after", items: "nodes" };
		const output = await runForOutput(httpRequest, { url: server.url, paginate });
		assert.deepEqual(summarize(output), { data: [1, 2], pages: 2, more: false });
	});

	test("fail if a cursor repeats or is not a cursor", async () => {
		const readForFailure = async (next: unknown) => {
			await using server = await openServer((_request, response) => sendJson(response, { data: [1], next }));
			const paginate = { by: "cursor", cursor: "next", param: "c", items: "data" };
			return (await runForFailure(httpRequest, { url: server.url, paginate })).message;
		};
		assert.equal(await readForFailure("same"), "pagination does not end: page 2's cursor was already used");
		assert.equal(await readForFailure({}), "next of page 1 must be text or a number, but is an object");
		assert.equal(await readForFailure(true), "next of page 1 must be text or a number, but is true");
	});

	test("fail if the first page has no cursor, and say what it has", async () => {
		const readForFailure = async (body: object, cursor: string) => {
			await using server = await openServer((_request, response) => sendJson(response, body));
			const paginate = { by: "cursor", cursor, param: "c", items: "rows" };
			return await runForFailure(httpRequest, { url: server.url, paginate });
		};
		const failure = await readForFailure({ rows: [1], next: "b" }, "data.next");
		assert.ok(failure instanceof TerminalError);
		assert.equal(
			failure.message,
			'the first page has no "data.next"; it has rows, next. Correct the path in paginate.cursor; if this API leaves the cursor out of its last page, set paginate.optional: true',
		);
		const inner = await readForFailure({ rows: [1], meta: { total: 1 } }, "meta.next");
		assert.match(inner.message, /^the first page has no "meta\.next"; "meta" has total\. /);
		const text = await readForFailure({ rows: [1], meta: "x" }, "meta.next");
		assert.match(text.message, /^the first page has no "meta\.next"; "meta" is text\. /);
		const empty = await readForFailure({ rows: [1], meta: {} }, "meta.next");
		assert.match(empty.message, /; "meta" is empty\. /);
		const wide = { rows: [1], ...Object.fromEntries(Array.from({ length: 40 }, (_, nth) => [`k${nth}`, 1])) };
		assert.match((await readForFailure(wide, "next")).message, /it has rows, k0, .*k10 and 29 more\. /);
	});

	test("end at a page without a cursor if it is optional, and at null without", async () => {
		const read = async (bodies: readonly object[], more: object) => {
			await using server = await openServer((_request, response, number) =>
				sendJson(response, bodies[number - 1] ?? {}),
			);
			const paginate = { by: "cursor", cursor: "next", param: "c", items: "rows", ...more };
			return summarize(await runForOutput(httpRequest, { url: server.url, paginate }));
		};
		assert.deepEqual(await read([{ rows: [1] }], { optional: true }), { data: [1], pages: 1, more: false });
		assert.deepEqual(await read([{ rows: [1], next: null }], {}), { data: [1], pages: 1, more: false });
		// Only the first page can show that the path is wrong.
		const two = [{ rows: [1], next: "b" }, { rows: [2] }];
		assert.deepEqual(await read(two, {}), { data: [1, 2], pages: 2, more: false });
	});

	test("fail if the items are missing", async () => {
		await using server = await openServer((_request, response) => sendJson(response, { data: { a: 1 } }));
		const readForFailure = async (items: string) => {
			const paginate = { by: "cursor", cursor: "next", param: "c", items };
			return (await runForFailure(httpRequest, { url: server.url, paginate })).message;
		};
		assert.match(await readForFailure("data"), /^data of page 1 must be a list, but is an object/);
		assert.match(await readForFailure("data.b"), /^data.b of page 1 must be a list, but is missing/);
		assert.match(await readForFailure("constructor_"), /is missing/);
	});
});

describe("pages by number", () => {
	const servePages = (total: number, size: number) =>
		openServer(({ path }, response) => {
			const query = new URL(path, "http://x").searchParams;
			const from = query.has("offset") ? Number(query.get("offset")) : (Number(query.get("page")) - 1) * size;
			const all = Array.from({ length: total }, (_, index) => index);
			sendJson(response, { items: all.slice(from, from + size) });
		});

	test("count up to an empty page", async () => {
		await using server = await servePages(4, 2);
		const paginate = { by: "page", param: "page", items: "items" };
		const output = await runForOutput(httpRequest, { url: server.url, paginate });
		assert.deepEqual(summarize(output), { data: [0, 1, 2, 3], pages: 3, more: false });
		assert.deepEqual(
			server.seen.map(({ path }) => path),
			["/?page=1", "/?page=2", "/?page=3"],
		);
	});

	test("stop at a page that is not full, and count by offset", async () => {
		await using server = await servePages(5, 2);
		const paginate = {
			by: "page",
			param: "offset",
			start: 0,
			step: 2,
			size_param: "n",
			size: 2,
			items: "items",
		};
		const output = await runForOutput(httpRequest, { url: server.url, paginate });
		assert.deepEqual(summarize(output), { data: [0, 1, 2, 3, 4], pages: 3, more: false });
		assert.deepEqual(
			server.seen.map(({ path }) => path),
			["/?n=2&offset=0", "/?n=2&offset=2", "/?n=2&offset=4"],
		);
	});

	test("fail if the page number has no effect", async () => {
		await using server = await openServer((_request, response) => sendJson(response, [1, 2]));
		const failure = await runForFailure(httpRequest, {
			url: server.url,
			paginate: { by: "page", param: "p" },
		});
		assert.match(
			failure.message,
			/^pagination does not end: page 2's items are the same as those of the previous page: p/,
		);
	});

	test("fail as soon as the items exceed the output limit", async () => {
		await using server = await openServer((_request, response, number) =>
			sendJson(response, [`${number}${"x".repeat(400_000)}`]),
		);
		const paginate = { by: "page", param: "p", max_pages: 100 };
		const failure = await runForFailure(httpRequest, { url: server.url, paginate });
		assert.match(failure.message, /larger than 1 MiB together at page 3; read fewer/);
		assert.equal(server.seen.length, 3);
	});
});

describe("the Link header", () => {
	test("is parsed as in RFC 8288", () => {
		const cases: [string | undefined, string | null][] = [
			[undefined, null],
			["", null],
			['<https://a/b?page=2>; rel="next"', "https://a/b?page=2"],
			['<a>; rel="prev", <b>; rel="next"', "b"],
			['<a,b;c>; title="x, <y>; rel=\\"next\\""; REL = NEXT', "a,b;c"],
			['<a>; rel="last next"', "a"],
			['<a>; rel="nextish"', null],
			["<a>; rel=prev; rel=next", null],
			["<a>;;; rel=next ,", "a"],
			["<a>; rel", null],
			['<a>; rel="next', "a"],
			["<a", null],
			["a; rel=next", null],
			["<>; rel=next", ""],
		];
		for (const [header, next] of cases) assert.equal(findNextLink(header), next, header ?? "none");
	});

	test("is parsed in linear time", () => {
		const started = performance.now();
		for (const piece of ["<", "<>", "<a>;", '<a>;b="', "<a>; rel=x,"]) findNextLink(piece.repeat(20_000));
		assert.ok(performance.now() - started < 10_000);
	});
});
