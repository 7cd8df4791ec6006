import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StoreClient } from "@tripline/store/client";
import { StoreUnavailable } from "@tripline/store/client";
import { asking, opened, SECRET } from "./opened.ts";

type Opened = Awaited<ReturnType<typeof opened>>;

const attempt = async ({ post }: Opened, owner_secret: string, address?: string): Promise<number> =>
	(await post("/authorize", asking({ owner_secret }), address === undefined ? {} : { address })).status;

async function repeat(times: number, work: () => Promise<number>): Promise<number[]> {
	const statuses: number[] = [];
	for (let count = 0; count < times; count++) statuses.push(await work());
	return statuses;
}

describe("wrong secrets", () => {
	it("are answered with 401 ten times, then with 429, even the right one", async (context) => {
		const server = await opened(context);
		const statuses = await repeat(12, () => attempt(server, "wrong", "203.0.113.7"));
		assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429]);
		const body = asking({ owner_secret: SECRET });
		const response = await server.post("/authorize", body, { address: "203.0.113.7" });
		assert.equal(response.status, 429);
		assert.equal(response.headers.get("retry-after"), "300");
		assert.match(await response.text(), /5 minutes/);
	});

	it("are counted for each address by itself", async (context) => {
		const server = await opened(context);
		await repeat(10, () => attempt(server, "wrong", "203.0.113.7"));
		assert.equal(await attempt(server, SECRET, "203.0.113.8"), 302);
		assert.equal(await attempt(server, SECRET), 302);
		assert.equal(await attempt(server, SECRET, "::ffff:203.0.113.7"), 429);
	});

	it("are counted together for one IPv6 network", async (context) => {
		const server = await opened(context);
		let host = 0;
		await repeat(10, () => attempt(server, "wrong", `2001:db8:1:2::${(++host).toString(16)}`));
		assert.equal(await attempt(server, SECRET, "2001:db8:1:2:ffff::1"), 429);
		assert.equal(await attempt(server, SECRET, "2001:db8:1:3::1"), 302);
	});

	it("are counted together where no address is known", async (context) => {
		const server = await opened(context);
		await repeat(10, () => attempt(server, "wrong"));
		assert.equal(await attempt(server, SECRET), 429);
		assert.equal(await attempt(server, SECRET, "not an address"), 429);
	});

	it("are forgotten after five minutes", async (context) => {
		const server = await opened(context);
		await repeat(5, () => attempt(server, "wrong"));
		server.clock.time += 60_000;
		await repeat(5, () => attempt(server, "wrong"));
		const limited = await server.post("/authorize", asking({ owner_secret: SECRET }));
		assert.equal(limited.headers.get("retry-after"), "240");
		server.clock.time += 239_000;
		assert.equal(await attempt(server, SECRET), 429);
		server.clock.time += 1_000;
		assert.equal(await attempt(server, SECRET), 302);
	});

	it("do not count when they are right, or missing", async (context) => {
		const server = await opened(context);
		assert.deepEqual(await repeat(15, () => attempt(server, SECRET)), Array(15).fill(302));
		assert.deepEqual(await repeat(15, () => attempt(server, "")), Array(15).fill(401));
		assert.equal(await attempt(server, SECRET), 302);
	});

	it("cannot pass the limit all at once", async (context) => {
		const server = await opened(context);
		const statuses = await Promise.all(Array.from({ length: 40 }, () => attempt(server, "wrong")));
		assert.equal(statuses.filter((status) => status === 401).length, 10);
		assert.equal(statuses.filter((status) => status === 429).length, 30);
	});

	it("leave no entry once the limit is reached", async (context) => {
		const server = await opened(context);
		await repeat(30, () => attempt(server, "wrong"));
		const page = await server.store.entries.list({ owner_id: "_system", entry_type: "oauth_attempt" });
		assert.equal(page.entries.length, 10);
	});

	it("are never tried without a limit: 503 while the store does not answer", async (context) => {
		for (const broken of ["list", "append"] as const) {
			const server = await opened(context, { store: (store) => failing(store, broken) });
			const response = await server.post("/authorize", asking({ owner_secret: SECRET }));
			assert.equal(response.status, 503);
			assert.equal(response.headers.get("location"), null);
			assert.notEqual(response.headers.get("retry-after"), null);
		}
	});
});

function failing(store: StoreClient, method: "list" | "append"): StoreClient {
	const fail = () => Promise.reject(new StoreUnavailable("the store did not answer"));
	return { ...store, entries: { ...store.entries, [method]: fail } };
}
