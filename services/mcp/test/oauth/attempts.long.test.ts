import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { StoreClient } from "@tripline/store/client";
import { StoreUnavailable } from "@tripline/store/client";
import { toIncomingHeaders } from "@tripline/web/http-message";
import { createAttempts } from "../../src/oauth/attempts.ts";
import { OAuthFailed } from "../../src/oauth/problems.ts";
import { buildAuthorizeQuery, openServer, SECRET } from "./open-server.ts";

type Opened = Awaited<ReturnType<typeof openServer>>;

const attempt = async ({ post }: Opened, owner_secret: string, address?: string): Promise<number> =>
	(await post("/authorize", buildAuthorizeQuery({ owner_secret }), address === undefined ? {} : { address }))
		.status;

async function repeat(times: number, work: () => Promise<number>): Promise<number[]> {
	const statuses: number[] = [];
	for (let count = 0; count < times; count++) statuses.push(await work());
	return statuses;
}

describe("wrong secrets", () => {
	it("get 401 ten times, then 429, even for the right secret", async (context) => {
		const server = await openServer(context);
		const statuses = await repeat(12, () => attempt(server, "wrong", "203.0.113.7"));
		assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429]);
		const body = buildAuthorizeQuery({ owner_secret: SECRET });
		const response = await server.post("/authorize", body, { address: "203.0.113.7" });
		assert.equal(response.status, 429);
		assert.equal(response.headers.get("retry-after"), "300");
		assert.match(await response.text(), /5 minutes/);
	});

	it("are counted per address", async (context) => {
		const server = await openServer(context);
		await repeat(10, () => attempt(server, "wrong", "203.0.113.7"));
		assert.equal(await attempt(server, SECRET, "203.0.113.8"), 302);
		assert.equal(await attempt(server, SECRET), 302);
		assert.equal(await attempt(server, SECRET, "::ffff:203.0.113.7"), 429);
	});

	it("are counted together for one IPv6 network", async (context) => {
		const server = await openServer(context);
		let host = 0;
		await repeat(10, () => attempt(server, "wrong", `2001:db8:1:2::${(++host).toString(16)}`));
		assert.equal(await attempt(server, SECRET, "2001:db8:1:2:ffff::1"), 429);
		assert.equal(await attempt(server, SECRET, "2001:db8:1:3::1"), 302);
	});

	it("are counted together if the address is unknown", async (context) => {
		const server = await openServer(context);
		await repeat(10, () => attempt(server, "wrong"));
		assert.equal(await attempt(server, SECRET), 429);
		assert.equal(await attempt(server, SECRET, "not an address"), 429);
	});

	it("are forgotten after five minutes", async (context) => {
		const server = await openServer(context);
		await repeat(5, () => attempt(server, "wrong"));
		server.clock.time += 60_000;
		await repeat(5, () => attempt(server, "wrong"));
		const limited = await server.post("/authorize", buildAuthorizeQuery({ owner_secret: SECRET }));
		assert.equal(limited.headers.get("retry-after"), "240");
		server.clock.time += 239_000;
		assert.equal(await attempt(server, SECRET), 429);
		server.clock.time += 1_000;
		assert.equal(await attempt(server, SECRET), 302);
	});

	it("right and missing secrets do not count", async (context) => {
		const server = await openServer(context);
		assert.deepEqual(await repeat(15, () => attempt(server, SECRET)), Array(15).fill(302));
		assert.deepEqual(await repeat(15, () => attempt(server, "")), Array(15).fill(401));
		assert.equal(await attempt(server, SECRET), 302);
	});

	it("cannot exceed the limit by concurrent requests", async (context) => {
		const server = await openServer(context);
		const statuses = await Promise.all(Array.from({ length: 40 }, () => attempt(server, "wrong")));
		assert.equal(statuses.filter((status) => status === 401).length, 10);
		assert.equal(statuses.filter((status) => status === 429).length, 30);
	});

	it("leave no entry once the limit is reached", async (context) => {
		const server = await openServer(context);
		await repeat(30, () => attempt(server, "wrong"));
		const page = await server.store.entries.list({ owner_id: "_system", entry_type: "oauth_attempt" });
		assert.equal(page.entries.length, 10);
	});

	it("are not compared without a limit: 503 while the store is unavailable", async (context) => {
		for (const broken of ["list", "append"] as const) {
			const server = await openServer(context, { store: (store) => failing(store, broken) });
			const response = await server.post("/authorize", buildAuthorizeQuery({ owner_secret: SECRET }));
			assert.equal(response.status, 503);
			assert.equal(response.headers.get("location"), null);
			assert.notEqual(response.headers.get("retry-after"), null);
		}
	});
});

describe("wrong secrets through an untrusted proxy on this machine", () => {
	const postThroughProxy = async ({ post }: Opened, owner_secret: string, headers: Record<string, string>) =>
		(await post("/authorize", buildAuthorizeQuery({ owner_secret }), { address: "127.0.0.1", headers }))
			.status;

	it("get 429 and do not lock the owner out", async (context) => {
		for (const name of ["x-forwarded-for", "cf-connecting-ip", "x-real-ip", "forwarded"]) {
			const server = await openServer(context);
			const guess = (secret: string, from: string) => postThroughProxy(server, secret, { [name]: from });
			const statuses = await repeat(12, () => guess("wrong", "198.51.100.1"));
			assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429], name);
			assert.equal(await guess(SECRET, "198.51.100.2"), 302, name);
			assert.equal(await guess(SECRET, "198.51.100.1"), 302, "the owner may have been the one who was wrong");
			assert.equal(await attempt(server, SECRET, "127.0.0.1"), 302, "on the machine itself");
		}
	});

	it("are counted apart from requests of this machine without a proxy", async (context) => {
		const server = await openServer(context);
		const statuses = await repeat(11, () => attempt(server, "wrong", "127.0.0.1"));
		assert.deepEqual(statuses, [...Array(10).fill(401), 429]);
		assert.equal(await attempt(server, SECRET, "127.0.0.1"), 429);
		assert.equal(await postThroughProxy(server, SECRET, { "x-forwarded-for": "198.51.100.2" }), 302);
	});

	it("are counted as usual for any other address, whatever headers it sends", async (context) => {
		const server = await openServer(context);
		const sent = { address: "192.168.1.20", headers: { "x-forwarded-for": "198.51.100.9" } };
		const guess = async (owner_secret: string) =>
			(await server.post("/authorize", buildAuthorizeQuery({ owner_secret }), sent)).status;
		await repeat(10, () => guess("wrong"));
		assert.equal(await guess(SECRET), 429);
	});

	it("are compared one at a time past the limit, one per address, at most thirty", async (context) => {
		const { store, clock } = await openServer(context);
		const turns: (() => void)[] = [];
		const attempts = createAttempts({
			store,
			clock,
			pause: () => new Promise<void>((resolve) => turns.push(resolve)),
		});
		const from = (forwarded: string) =>
			attempts.begin({ address: "127.0.0.1", headers: toIncomingHeaders({ "x-forwarded-for": forwarded }) });
		for (let nth = 0; nth < 10; nth++) await from("203.0.113.1");
		let compared = 0;
		let refused = 0;
		const guesses = Array.from({ length: 100 }, (_, nth) =>
			from(`203.0.113.${nth % 50}, 198.51.100.${nth % 50}`).then(
				({ refusal }) => {
					assert.ok(refusal instanceof OAuthFailed);
					compared++;
				},
				(error: unknown) => {
					assert.ok(error instanceof OAuthFailed);
					refused++;
				},
			),
		);
		while (refused < 70) await waitUntilSettled();
		for (let turn = 1; turn <= 30; turn++) {
			assert.equal(turns.length, turn, "one at a time");
			turns.at(-1)?.();
			await waitUntilSettled();
			assert.deepEqual([compared, refused], [turn, 70]);
		}
		await Promise.all(guesses);
	});
});

const waitUntilSettled = () => new Promise((resolve) => setTimeout(resolve, 5));

function failing(store: StoreClient, method: "list" | "append"): StoreClient {
	const fail = () => Promise.reject(new StoreUnavailable("the store did not answer"));
	return { ...store, entries: { ...store.entries, [method]: fail } };
}
