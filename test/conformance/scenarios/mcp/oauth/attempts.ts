import assert from "node:assert/strict";
import type { Scenario, World } from "../../../scenario.ts";
import { fromAddress } from "../../addresses.ts";
import { postConsent } from "../login.ts";
import { approve, assertPage, buildQuery } from "./presenting.ts";
import { withMcpSettings } from "./with-mcp-settings.ts";

const MAX_WRONG = 10;
const WINDOW_MS = 5 * 60_000;
const SETTINGS = { TRUST_PROXY: "true" };

export const attempts: readonly Scenario[] = [
	{
		name: "after 10 wrong secrets in 5 minutes an IP address gets 429 with Retry-After, even for the correct secret",
		cites: [],
		run: (world) =>
			withMcpSettings(world, SETTINGS, async () => {
				const began = Date.now();
				await world.target.setNow(began);
				for (let nth = 0; nth < MAX_WRONG; nth++)
					assert.equal(await sendWrongSecret(world, "192.0.2.1"), 401);
				await world.target.setNow(began + 60_000);
				const keys = await world.target.oauth.keys();
				for (const answer of [
					await postConsent(world, { ...buildQuery(), owner_secret: "wrong" }, fromAddress("192.0.2.1")),
					await approve(world, buildQuery(), fromAddress("192.0.2.1")),
				]) {
					assertPage(answer, 429, /wrong too often/);
					assert.equal(answer.headers.get("retry-after"), String(WINDOW_MS / 1000 - 60));
				}
				assert.deepEqual(await world.target.oauth.keys(), keys);
				assert.equal((await approve(world, buildQuery(), fromAddress("192.0.2.2"))).status, 302);
				await world.target.setNow(began + WINDOW_MS);
				assert.equal((await approve(world, buildQuery(), fromAddress("192.0.2.1"))).status, 302);
				assert.equal(await sendWrongSecret(world, "192.0.2.1"), 401);
			}),
	},
	{
		name: "wrong secrets while the clock was a year ahead lock nobody out once it is corrected",
		cites: [],
		run: (world) =>
			withMcpSettings(world, SETTINGS, async () => {
				const began = Date.now();
				await world.target.setNow(began + 365 * 24 * 3_600_000);
				for (let nth = 0; nth < MAX_WRONG; nth++)
					assert.equal(await sendWrongSecret(world, "192.0.2.9"), 401);
				assert.equal(await sendWrongSecret(world, "192.0.2.9"), 429);
				await world.target.setNow(began);
				assert.equal((await approve(world, buildQuery(), fromAddress("192.0.2.9"))).status, 302);
			}),
	},
	{
		name: "at most 10 of 30 parallel wrong secrets from one IP address are checked",
		cites: [],
		run: (world) =>
			withMcpSettings(world, SETTINGS, async () => {
				const statuses = await Promise.all(
					Array.from({ length: 30 }, () => sendWrongSecret(world, "192.0.2.3")),
				);
				const looked = statuses.filter((status) => status === 401).length;
				assert.ok(looked >= 1 && looked <= MAX_WRONG, String(statuses));
				assert.equal(statuses.filter((status) => status === 429).length, 30 - looked);
			}),
	},
	{
		name: "wrong secrets of an IP address are counted across restarts; correct and missing ones are not",
		cites: [],
		run: (world) =>
			withMcpSettings(world, SETTINGS, async () => {
				const address = fromAddress("192.0.2.4");
				for (let nth = 0; nth < MAX_WRONG + 2; nth++) {
					assert.equal((await approve(world, buildQuery(), address)).status, 302);
					assert.equal((await postConsent(world, buildQuery(), address)).status, 401);
				}
				for (let nth = 0; nth < MAX_WRONG; nth++)
					assert.equal(await sendWrongSecret(world, "192.0.2.4"), 401);
				await withMcpSettings(world, SETTINGS, async () => {
					assert.equal(await sendWrongSecret(world, "192.0.2.4"), 429);
				});
			}),
	},
	{
		name: "all addresses of an IPv6 network count as one",
		cites: [],
		run: (world) =>
			withMcpSettings(world, SETTINGS, async () => {
				for (let nth = 0; nth < MAX_WRONG; nth++) {
					assert.equal(await sendWrongSecret(world, `2001:db8:1:2::${nth + 1}`), 401);
				}
				assert.equal(await sendWrongSecret(world, "2001:db8:1:2:ffff:ffff:ffff:ffff"), 429);
				assert.equal(await sendWrongSecret(world, "2001:db8:1:3::1"), 401);
			}),
	},
	{
		name: "behind a proxy the owner can log in while someone else sends wrong secrets",
		cites: [],
		// Without TRUST_PROXY on Node, all of them have one IP address.
		run: (world) =>
			withMcpSettings(world, {}, async () => {
				const statuses = [];
				for (let nth = 0; nth < MAX_WRONG + 2; nth++)
					statuses.push(await sendWrongSecret(world, "198.51.100.1"));
				assert.deepEqual(statuses, [...Array(MAX_WRONG).fill(401), 429, 429]);
				assert.equal((await approve(world, buildQuery(), fromAddress("198.51.100.2"))).status, 302);
			}),
	},
];

async function sendWrongSecret(world: World, address: string): Promise<number> {
	const answer = await postConsent(
		world,
		{ ...buildQuery(), owner_secret: "a wrong secret" },
		fromAddress(address),
	);
	return answer.status;
}
