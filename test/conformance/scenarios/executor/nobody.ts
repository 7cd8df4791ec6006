import assert from "node:assert/strict";
import { CreatedWebhook } from "@tripline/contract/executor";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import type { Scenario, World } from "../../scenario.ts";
import { fromAddress } from "../addresses.ts";
import { ECHO, getTriggerPath } from "./token-webhook.ts";
import { withSettings } from "./with-settings.ts";

const NOON = Date.UTC(2026, 10, 12, 12);
const TOKEN = "internal-token-of-the-tests";
const MULTI_TENANT = { MULTI_TENANT: "true", STORE_INTERNAL_TOKEN: TOKEN, TRUST_PROXY: "true" };

const postWebhook = (world: World, headers: Readonly<Record<string, string>> = {}) =>
	world.anyone.call("POST", "/webhooks", { body: ECHO, headers });

async function createToken(world: World, headers: Readonly<Record<string, string>> = {}): Promise<string> {
	const answer = await postWebhook(world, headers);
	assert.equal(answer.status, 201, JSON.stringify(answer.body));
	return CreatedWebhook.parse(answer.body).token;
}

async function tenant(world: World): Promise<{ readonly "x-service-api-key": string }> {
	const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
		body: { namespace: world.owner },
		headers: { authorization: `Bearer ${TOKEN}` },
	});
	return { "x-service-api-key": key };
}

/** Webhooks created without the tenant header. */
export const anonymousWebhooks: readonly Scenario[] = [
	{
		name: "in multi-tenant mode an IP address can create 30 anonymous webhooks per minute, then gets 429",
		cites: ["EXEC-TENANT-HEADER-OPTIONAL"],
		run: (world) =>
			withSettings(world, MULTI_TENANT, async () => {
				await world.target.setNow(NOON);
				for (let nth = 0; nth < 30; nth++) await createToken(world, fromAddress("192.0.2.7"));
				const refused = await postWebhook(world, fromAddress("192.0.2.7"));
				assert.equal(refused.status, 429);
				assert.match((refused.body as { error: string }).error, /^too many webhooks without a tenant/);
				const seconds = Number(refused.headers.get("retry-after"));
				assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 120, String(seconds));
				await createToken(world, fromAddress("192.0.2.8"));
				await createToken(world, { ...(await tenant(world)), ...fromAddress("192.0.2.7") });
				// One subscriber usually has a whole IPv6 network.
				for (let nth = 0; nth < 30; nth++)
					await createToken(world, fromAddress(`2001:db8:0:1::${nth.toString(16)}`));
				assert.equal((await postWebhook(world, fromAddress("2001:db8:0:1:ffff::1"))).status, 429);
				await createToken(world, fromAddress("2001:db8:0:2::1"));
				await world.target.setNow(NOON + seconds * 1000);
				await createToken(world, fromAddress("192.0.2.7"));
			}),
	},
	{
		name: "in self-hosted mode anonymous webhooks can be created without a limit",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			for (let nth = 0; nth < 35; nth++) await createToken(world);
		},
	},
	{
		name: "in multi-tenant mode all anonymous webhooks share one rate limit, separate from the tenants'",
		cites: [],
		run: (world) =>
			withSettings(world, { ...MULTI_TENANT, RATE_LIMIT_PER_MINUTE: "5" }, async () => {
				await world.target.setNow(NOON);
				const headers = await tenant(world);
				const [one, other, theirs] = [
					await createToken(world),
					await createToken(world),
					await createToken(world, headers),
				];
				const call = async (token: string, as: object = {}) =>
					(await world.anyone.call("POST", getTriggerPath(token), { headers: { ...as } })).status;
				for (let nth = 0; nth < 5; nth++) assert.equal(await call(nth % 2 === 0 ? one : other), 200);
				assert.deepEqual([await call(one), await call(other)], [429, 429]);
				assert.deepEqual([await call(theirs), await call(one, headers)], [200, 200]);
			}),
	},
	{
		name: "with ANONYMOUS_WEBHOOKS off, creating a webhook needs the tenant header in both modes",
		cites: [],
		async run(world) {
			const before = await createToken(world);
			for (const settings of [{}, MULTI_TENANT]) {
				await withSettings(world, { ...settings, ANONYMOUS_WEBHOOKS: "off" }, async () => {
					const refused = await world.anyone.refuse(401, "POST", "/webhooks", { body: ECHO });
					assert.match(refused.error, /X-Service-API-Key/);
					const headers =
						settings === MULTI_TENANT ? await tenant(world) : { "x-service-api-key": world.owner };
					await createToken(world, headers);
					assert.equal((await world.anyone.call("POST", getTriggerPath(before))).status, 200);
				});
			}
		},
	},
];
