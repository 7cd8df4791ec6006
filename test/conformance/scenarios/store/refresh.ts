import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Neighbors, Refreshed } from "@tripline/contract/graph";
import * as z from "zod";
import type { Scenario } from "../../scenario.ts";

const Described = z.object({
	paths: z.object({
		"/graph/refresh": z.object({
			post: z.object({ requestBody: z.object({ required: z.boolean() }) }),
		}),
	}),
});

interface Received {
	readonly method: string | undefined;
	readonly url: string | undefined;
	readonly body: unknown;
}

const received: Received[] = [];

/** Replaces the operator's ingest service; it runs until the process ends. */
const ingest = createServer((request, response) => {
	let text = "";
	request.on("data", (chunk) => {
		text += chunk;
	});
	request.on("end", () => {
		received.push({ method: request.method, url: request.url, body: JSON.parse(text) });
		if (text.includes("redirect")) response.setHeader("location", "/elsewhere");
		response.writeHead(text.includes("redirect") ? 302 : 202).end("accepted");
	});
});
await new Promise<void>((resolve) => ingest.listen(0, "127.0.0.1", resolve));
ingest.unref();
const url = `http://127.0.0.1:${(ingest.address() as AddressInfo).port}/ingest`;

export const refresh: readonly Scenario[] = [
	{
		name: "refresh forwards the request to the ingest URL and changes nothing itself",
		cites: ["KNOW-REFRESH-FORWARDS", "KNOW-REFRESH-FORWARDED", "KNOW-REFRESH-PASSIVE"],
		environment: { STORE_INGEST_URL: url },
		async run(world) {
			received.length = 0;
			const body = { owner_id: world.owner, uri: "doc:1", name: "Ada" };
			const answer = await world.expect(200, Refreshed, "POST", "/graph/refresh", { body });
			assert.deepEqual(answer, { forwarded: true, status: 202 });
			assert.deepEqual(received, [{ method: "POST", url: "/ingest", body }]);
			const query = { owner_id: world.owner };
			const { neighbors } = await world.expect(200, Neighbors, "GET", "/graph/neighbors/Ada", { query });
			assert.deepEqual(neighbors, []);
		},
	},
	{
		name: "the ingest URL may have a query, and is called exactly as configured",
		cites: ["KNOW-REFRESH-FORWARDS"],
		environment: { STORE_INGEST_URL: `${url}/?source=1&name=a%20b&empty=` },
		async run(world) {
			received.length = 0;
			const body = { owner_id: world.owner };
			const answer = await world.expect(200, Refreshed, "POST", "/graph/refresh", { body });
			assert.deepEqual(answer, { forwarded: true, status: 202 });
			assert.deepEqual(
				received.map((each) => each.url),
				["/ingest/?source=1&name=a%20b&empty="],
			);
		},
	},
	{
		name: "refresh needs no body: every field is optional",
		cites: ["KNOW-REFRESH-FORWARDS"],
		environment: { STORE_INGEST_URL: url },
		async run(world) {
			received.length = 0;
			for (const sent of [{}, { raw: "" }, { body: {} }]) {
				const answer = await world.expect(200, Refreshed, "POST", "/graph/refresh", sent);
				assert.deepEqual(answer, { forwarded: true, status: 202 });
			}
			assert.deepEqual(
				received.map(({ body }) => body),
				Array(3).fill({ owner_id: "default" }),
			);
			for (const raw of [" ", "nothing", "{"]) await world.refuse(400, "POST", "/graph/refresh", { raw });
			for (const raw of ["null", "[]", '""']) await world.refuse(422, "POST", "/graph/refresh", { raw });
			await world.refuse(400, "PUT", "/entries", { raw: "" });
			assert.equal(received.length, 3);
			const { paths } = await world.expect(200, Described, "GET", "/openapi.json");
			assert.equal(paths["/graph/refresh"].post.requestBody.required, false);
		},
	},
	{
		name: "refresh follows no redirect",
		cites: [],
		environment: { STORE_INGEST_URL: url },
		async run(world) {
			received.length = 0;
			const body = { owner_id: world.owner, uri: "redirect" };
			const answer = await world.expect(200, Refreshed, "POST", "/graph/refresh", { body });
			assert.deepEqual(answer, { forwarded: true, status: 302 });
			assert.equal(received.length, 1);
		},
	},
	{
		name: "refresh returns 502 if the ingest URL does not respond",
		cites: [],
		environment: { STORE_INGEST_URL: "http://127.0.0.1:1/nobody" },
		async run(world) {
			await world.refuse(502, "POST", "/graph/refresh", { body: { owner_id: world.owner } });
		},
	},
	{
		name: "a refresh request with unknown or invalid fields is rejected and not forwarded",
		cites: [],
		environment: { STORE_INGEST_URL: url },
		async run(world) {
			received.length = 0;
			for (const bad of [{ url: "x" }, { uri: 5 }, { uri: "" }, { name: " " }, { owner_id: "a b" }]) {
				await world.refuse(422, "POST", "/graph/refresh", { body: { owner_id: world.owner, ...bad } });
			}
			assert.deepEqual(received, []);
		},
	},
];
