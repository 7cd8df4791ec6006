import assert from "node:assert/strict";
import type { Scenario } from "../../../scenario.ts";
import { fromAddress } from "../../addresses.ts";
import { CALLBACK, login, OWNER_SECRET, postConsent, postForm, readLocation, requestCode } from "../login.ts";
import { approve, assertPage, buildQuery, openPage } from "./presenting.ts";
import { withMcpSettings } from "./with-mcp-settings.ts";

export const consenting: readonly Scenario[] = [
	{
		name: "POST /authorize with the owner secret redirects (302) to the redirect URI with a new code, state and iss",
		cites: [
			"MCP-AUTHORIZE-302",
			"MCP-AUTHORIZE-CODE",
			"MCP-AUTHORIZE-STATE",
			"MCP-AUTHORIZE-SECRET-CHECK",
			"MCP-CONFIG-OWNER-SECRET",
		],
		async run(world) {
			const asked = buildQuery({ redirect_uri: `${CALLBACK}?tab=1`, state: "x y&z=ü" });
			const codes = new Set<string | null>();
			for (let nth = 0; nth < 2; nth++) {
				const answer = await approve(world, asked);
				assert.equal(answer.status, 302);
				assert.equal(answer.headers.get("cache-control"), "no-store");
				const { origin, pathname, searchParams } = readLocation(answer);
				assert.equal(origin + pathname, CALLBACK);
				assert.deepEqual([...searchParams.keys()], ["tab", "code", "state", "iss"]);
				assert.equal(searchParams.get("state"), "x y&z=ü");
				assert.equal(searchParams.get("iss"), world.target.publicUrl);
				codes.add(searchParams.get("code"));
			}
			assert.equal(codes.size, 2);
			const { searchParams } = readLocation(await approve(world, buildQuery({ state: undefined })));
			assert.deepEqual([...searchParams.keys()], ["code", "iss"]);
		},
	},
	{
		name: "a wrong owner secret shows the consent page again with 401 and issues no code",
		cites: ["MCP-AUTHORIZE-WRONG-SECRET", "MCP-AUTHORIZE-NO-CODE", "MCP-AUTHORIZE-SECRET-CHECK"],
		async run(world) {
			const before = await world.target.oauth.keys();
			const asked = buildQuery({ state: "kept" });
			const answer = await postConsent(world, { ...asked, owner_secret: "not the owner secret" });
			assertPage(answer, 401, /<input[^>]* name="owner_secret" type="password"/);
			const page = String(answer.body);
			assert.match(page, /role="alert">The owner secret is wrong/);
			assert.match(page, /name="state" value="kept"/);
			assert.doesNotMatch(page, /value="not the owner secret"/);
			assert.deepEqual(await world.target.oauth.keys(), before);
		},
	},
	{
		name: "a missing owner secret shows the consent page again with 401 and issues no code",
		cites: ["MCP-AUTHORIZE-MISSING-SECRET", "MCP-AUTHORIZE-NO-CODE"],
		async run(world) {
			const before = await world.target.oauth.keys();
			for (const fields of [buildQuery(), { ...buildQuery(), owner_secret: "" }]) {
				const answer = await postConsent(world, fields);
				assertPage(answer, 401, /<input[^>]* name="owner_secret" type="password"/);
				assert.match(String(answer.body), /role="alert">Enter the owner secret/);
			}
			assert.deepEqual(await world.target.oauth.keys(), before);
		},
	},
	{
		name: "only the owner secret authorizes: nothing else is needed, and nothing replaces it",
		cites: ["MCP-AUTHORIZE-ONLY-GATE"],
		async run(world) {
			const token = await login(world);
			for (const headers of [
				{ authorization: `Bearer ${token}` },
				{ authorization: `Bearer ${OWNER_SECRET}` },
				{ authorization: `Basic ${btoa(`owner:${OWNER_SECRET}`)}` },
				{ "x-service-api-key": "default" },
				{ cookie: `owner_secret=${OWNER_SECRET}` },
			] as readonly Readonly<Record<string, string>>[]) {
				assertPage(await postConsent(world, buildQuery(), headers), 401, /Enter the owner secret/);
			}
			const query = { ...buildQuery(), owner_secret: OWNER_SECRET };
			const opened = await openPage(world, query);
			assertPage(opened, 200, /name="owner_secret" type="password"/);
			assert.doesNotMatch(String(opened.body), new RegExp(OWNER_SECRET));
			const link = `/authorize?${new URLSearchParams(query)}`;
			assertPage(await postForm(world, link, {}), 401, /Enter the owner secret/);
		},
	},
	{
		name: "an almost correct secret is rejected with the same text as any wrong one",
		cites: ["MCP-CONSTANT-TIME-SECRET"],
		run: (world) =>
			withMcpSettings(world, { TRUST_PROXY: "true" }, async () => {
				const asked = buildQuery();
				const pages = new Set<unknown>();
				for (const owner_secret of [
					"x",
					OWNER_SECRET.slice(0, -1),
					`${OWNER_SECRET.slice(0, -1)}x`,
					`x${OWNER_SECRET.slice(1)}`,
					`${OWNER_SECRET} `,
					OWNER_SECRET.toUpperCase(),
					`${OWNER_SECRET}\0`,
					"\u{fffd}".repeat(1000),
				]) {
					const { status, body } = await postConsent(
						world,
						{ ...asked, owner_secret },
						fromAddress("192.0.2.40"),
					);
					assert.equal(status, 401, owner_secret);
					pages.add(body);
				}
				assert.equal(pages.size, 1);
			}),
	},
	{
		name: "after MCP_OWNER_SECRET is changed only the new secret works",
		cites: ["MCP-CONFIG-OWNER-SECRET"],
		run: (world) =>
			withMcpSettings(world, { MCP_OWNER_SECRET: "another secret of the owner" }, async () => {
				const asked = buildQuery();
				assert.equal((await approve(world, asked)).status, 401);
				const answer = await postConsent(world, { ...asked, owner_secret: "another secret of the owner" });
				assert.equal(answer.status, 302);
			}),
	},
	{
		name: "a consent form sent by a page of another origin is rejected, even with the correct secret",
		cites: [],
		async run(world) {
			const before = await world.target.oauth.keys();
			for (const origin of ["https://evil.example", "null", "https://claude.ai", "http://127.0.0.1:1"]) {
				const { status, headers } = await approve(world, buildQuery(), { origin });
				assert.equal(status, 403, origin);
				assert.equal(headers.get("location"), null);
			}
			assert.deepEqual(await world.target.oauth.keys(), before);
			assert.equal((await approve(world, buildQuery(), { origin: world.target.publicUrl })).status, 302);
		},
	},
	{
		name: "a consent form that is too large or has another content type is rejected without a code",
		cites: [],
		async run(world) {
			const fields = { ...buildQuery(), owner_secret: OWNER_SECRET };
			const raw = new URLSearchParams(fields).toString();
			for (const [content, type] of [
				[JSON.stringify(fields), "application/json"],
				[raw, "text/plain"],
				[raw, "multipart/form-data"],
			] as const) {
				const headers = { "content-type": type };
				assertPage(
					await world.anyone.call("POST", "/authorize", { raw: content, headers }),
					400,
					/content type/,
				);
			}
			const { status } = await postConsent(world, { ...fields, more: "x".repeat(70_000) });
			assert.equal(status, 413);
		},
	},
	{
		name: "logins of different clients do not interfere",
		cites: [],
		async run(world) {
			const both = await Promise.all([
				requestCode(world, { query: { client_id: "one" } }),
				requestCode(world, { query: { client_id: "two" } }),
			]);
			const crossed = { ...both[0].exchange, code: both[1].code };
			assert.equal((await postForm(world, "/token", crossed)).status, 400);
			assert.equal((await postForm(world, "/token", both[0].exchange)).status, 200);
		},
	},
];
