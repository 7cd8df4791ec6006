import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Kv } from "@tripline/platform/kv";
import { doublingManifest, toManifest } from "./manifests.ts";
import { ADMIN, openRegistry, TOKEN } from "./open-registry.ts";

describe("reviews", () => {
	test("require the admin token as a bearer token", async (context) => {
		const { call, submit, review } = await openRegistry(context);
		const { id } = (await submit(doublingManifest())).body;
		const wrong = [
			null,
			"",
			"null",
			"undefined",
			"[]",
			"{}",
			ADMIN.slice(1),
			`${ADMIN}x`,
			ADMIN.toUpperCase(),
			`${ADMIN}, ${ADMIN}`,
		];
		for (const token of wrong) {
			assert.equal((await review(id, { decision: "approve" }, token)).status, 401, String(token));
		}
		for (const authorization of [ADMIN, `Basic ${ADMIN}`, `Bearer\t${ADMIN}`, `Token ${ADMIN}`, "Bearer"]) {
			const options = { body: { decision: "approve" }, headers: { authorization } };
			assert.equal((await call("POST", `/submissions/${id}/review`, options)).status, 401, authorization);
			assert.equal(
				(await call("GET", "/submissions", { headers: { authorization } })).status,
				401,
				authorization,
			);
		}
		const inBody = { decision: "approve", token: ADMIN };
		assert.equal((await review(id, inBody, null)).status, 401);
		assert.equal((await call("GET", `/submissions/${id}`)).body.status, "pending");
	});

	test("are disabled if no admin token is set", async (context) => {
		const settings = { accessToken: undefined, adminToken: undefined, statisticsMs: 1000 };
		const { call, submit, review } = await openRegistry(context, { settings });
		const { id } = (await submit(doublingManifest())).body;
		for (const token of [null, "", "undefined", ADMIN]) {
			const answer = await review(id, { decision: "approve" }, token);
			assert.equal(answer.status, 503);
			assert.match(answer.body.error, /REGISTRY_ADMIN_TOKEN/);
		}
		assert.equal((await call("GET", "/submissions")).status, 503);
	});

	test("approve, or reject with a reason", async (context) => {
		const { submit, review } = await openRegistry(context);
		const { id } = (await submit(doublingManifest())).body;
		const wrong = [
			{},
			{ decision: "maybe" },
			{ decision: "reject" },
			{ decision: "reject", reason: "  " },
			{ decision: ["approve"] },
			{ decision: "approve", version: "9.9.9" },
			null,
			[],
		];
		for (const body of wrong) assert.equal((await review(id, body)).status, 422, JSON.stringify(body));
		assert.equal((await review(id, { decision: "reject", reason: "No" })).status, 200);
	});

	test("of unknown submissions are refused", async (context) => {
		const { review } = await openRegistry(context);
		for (const id of ["x", "..", "%2e%2e%2fpublisher", "__proto__", "0192f0c1-0000-7000-8000-000000000000"]) {
			assert.equal((await review(id)).status, 404, id);
		}
	});

	test("take effect once, even if many arrive in parallel", async (context) => {
		const { call, submit, review } = await openRegistry(context);
		const { id } = (await submit(doublingManifest())).body;
		const decisions = Array.from({ length: 6 }, (_, nth) =>
			nth % 2 === 0 ? { decision: "approve" } : { decision: "reject", reason: "No" },
		);
		const answers = await Promise.all(decisions.map((decision) => review(id, decision)));
		assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
		const { status } = (await call("GET", `/submissions/${id}`)).body;
		assert.equal(status, answers.find((answer) => answer.status === 200)?.body.status);
		assert.equal((await call("GET", "/components")).body.components.length, status === "approved" ? 1 : 0);
	});

	test("of a version lower than one approved in the meantime are refused", async (context) => {
		const { submit, review } = await openRegistry(context);
		const lower = (await submit(doublingManifest(), TOKEN)).body.id;
		const higher = (await submit(doublingManifest({ version: "1.1.0" }), TOKEN)).body.id;
		assert.equal((await review(higher)).status, 200);
		const answer = await review(lower);
		assert.equal(answer.status, 409);
		assert.match(answer.body.error, /now has version 1\.1\.0/);
		assert.equal((await review(lower, { decision: "reject", reason: "Too late" })).status, 200);
	});

	test("of a manifest that was changed in storage are refused", async (context) => {
		const { call, submit, review, submissions } = await openRegistry(context);
		const { id } = (await submit(doublingManifest())).body;
		const key = `submission:${id}`;
		await submissions.put(
			key,
			((await submissions.get(key)) ?? "").replace("return input.n * 2;", "return input.n * 3;"),
		);
		assert.equal((await review(id)).status, 500);
		assert.equal((await call("GET", "/components")).body.components.length, 0);
	});

	test("interrupted by a crash are completed by repeating them", async (context) => {
		for (const nth of [1, 2, 3, 4, 5]) {
			let writes = Number.NEGATIVE_INFINITY;
			const kv = (whole: Kv) => ({
				...whole,
				async put(...args: Parameters<typeof whole.put>) {
					if (++writes === nth) throw new Error("the power is gone");
					return whole.put(...args);
				},
				async delete(key: string) {
					if (++writes === nth) throw new Error("the power is gone");
					return whole.delete(key);
				},
			});
			const { call, submit, review, restart: restarted } = await openRegistry(context, { kv });
			const { id } = (await submit(doublingManifest(), TOKEN)).body;
			writes = 0;
			assert.equal((await review(id)).status, 500, String(nth));
			const after = restarted();
			const headers = { authorization: `Bearer ${ADMIN}` };
			const again = await call(
				"POST",
				`/submissions/${id}/review`,
				{ body: { decision: "approve" }, headers },
				after,
			);
			assert.equal(again.status, nth === 5 ? 409 : 200);
			const list = await call("GET", "/components", {}, after);
			assert.deepEqual(
				list.body.components.map((each: { version: string }) => each.version),
				["1.0.0"],
			);
			assert.deepEqual((await call("GET", "/submissions", { headers }, after)).body.submissions, []);
			assert.equal((await call("GET", `/submissions/${id}`, {}, after)).body.status, "approved");
		}
	});
});

describe("the access token, where one is set", () => {
	const accessToken = "access-token-of-the-tests";
	const settings = { accessToken, adminToken: ADMIN, statisticsMs: 1000 };

	test("protects submissions and leaves reading and counting installs open", async (context) => {
		const { call, registry } = await openRegistry(context, {
			settings,
			market: [toManifest(doublingManifest({ publisher: "tripline" }))],
		});
		const manifest = doublingManifest({ id: "something-else" });
		for (const authorization of [
			"",
			"Bearer ",
			"Bearer null",
			`Bearer ${accessToken}x`,
			`Basic ${accessToken}`,
		]) {
			const headers = { authorization };
			assert.equal(
				(await call("POST", "/submissions", { body: { manifest }, headers })).status,
				401,
				authorization,
			);
			assert.equal((await call("GET", "/submissions/x", { headers })).status, 401, authorization);
		}
		const headers = { authorization: `Bearer ${accessToken}` };
		const { status, body } = await call("POST", "/submissions", { body: { manifest }, headers });
		assert.equal(status, 201);
		assert.equal((await call("GET", `/submissions/${body.id}`, { headers })).status, 200);
		assert.equal(
			(await call("POST", `/submissions/${body.id}/review`, { body: { decision: "approve" }, headers }))
				.status,
			401,
		);
		for (const path of [
			"/components",
			"/components/number-doubler",
			"/components/number-doubler/1.0.0",
			"/stats",
			"/healthz",
			"/readyz",
			"/docs",
			"/openapi.json",
		]) {
			assert.equal((await registry.fetch(new Request(`http://registry${path}`))).status, 200, path);
		}
		const counted = await call("POST", "/components/number-doubler/installs", { body: { version: "1.0.0" } });
		assert.equal(counted.status, 202);
	});
});
