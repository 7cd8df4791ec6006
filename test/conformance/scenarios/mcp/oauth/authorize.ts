import assert from "node:assert/strict";
import type { Scenario } from "../../../scenario.ts";
import { CALLBACK, createPkce } from "../login.ts";
import { approve, assertPage, assertSentBack, buildQuery, openPage, requestBothWays } from "./presenting.ts";

const MARKUP = `"><script>alert('state')</script>&amp;<!--`;

export const authorize: readonly Scenario[] = [
	{
		name: "GET /authorize shows the consent page, which asks for the owner secret and names the client and the access",
		cites: ["MCP-AUTHORIZE-PAGE"],
		async run(world) {
			const asked = buildQuery({ redirect_uri: "https://claude.ai/api/mcp/auth_callback", state: "s" });
			const answer = await openPage(world, asked);
			assertPage(answer, 200, /<input[^>]* name="owner_secret" type="password"/);
			const page = String(answer.body);
			assert.match(page, /claude\.ai/);
			assert.match(page, /<dt>Namespace<\/dt><dd><bdi>default<\/bdi>/);
			assert.doesNotMatch(page, /<script|<link rel="stylesheet"|https?:\/\/(?!claude\.ai|www\.w3\.org)/);
			const policy = answer.headers.get("content-security-policy") ?? "";
			assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
			// Chrome would apply it to the following redirect.
			assert.doesNotMatch(policy, /form-action/);
			assert.equal(answer.headers.get("cache-control"), "no-store");
			assert.equal(answer.headers.get("referrer-policy"), "same-origin");
		},
	},
	{
		name: "submitting the consent form with the owner secret authorizes the client",
		cites: ["MCP-AUTHORIZE-PAGE"],
		async run(world) {
			const asked = buildQuery({ state: MARKUP });
			const page = String((await openPage(world, asked)).body);
			assert.match(page, /<form method="post" action="\/authorize">/);
			const fields = Object.fromEntries(
				[...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
					([, name, value]) => [name, unescapeHtml(value ?? "")] as const,
				),
			);
			assert.deepEqual(fields, asked);
			const answer = await approve(world, fields);
			assert.equal(answer.status, 302);
		},
	},
	{
		name: "markup in state and client_name appears escaped on the consent page",
		cites: ["MCP-AUTHORIZE-STATE-ESCAPED"],
		async run(world) {
			const registration = { client_name: "<b>Bold</b>", redirect_uris: [CALLBACK] };
			const registered = await world.anyone.call("POST", "/register", { body: registration });
			const { client_id } = registered.body as { client_id: string };
			for (const status of [200, 401]) {
				const asked = buildQuery({ client_id, state: MARKUP });
				const answer =
					status === 200
						? await openPage(world, asked)
						: await world.anyone.call("POST", "/authorize", {
								raw: new URLSearchParams(asked).toString(),
								headers: { "content-type": "application/x-www-form-urlencoded" },
							});
				assertPage(answer, status, /&quot;&gt;&lt;script&gt;alert\(/);
				assert.match(String(answer.body), /&lt;b&gt;Bold&lt;\/b&gt;/);
				assert.doesNotMatch(String(answer.body), /<script|<b>|<!--/);
			}
		},
	},
	{
		name: "/authorize needs response_type=code",
		cites: ["MCP-AUTHORIZE-RESPONSE-TYPE"],
		async run(world) {
			for (const [response_type, error] of [
				[undefined, "invalid_request"],
				["", "invalid_request"],
				["token", "unsupported_response_type"],
				["code token", "unsupported_response_type"],
				["CODE", "unsupported_response_type"],
			] as const) {
				for (const answer of await requestBothWays(world, buildQuery({ response_type })))
					assertSentBack(answer, error);
			}
		},
	},
	{
		name: "/authorize needs a valid S256 code_challenge",
		cites: ["MCP-AUTHORIZE-CHALLENGE"],
		async run(world) {
			const { challenge } = createPkce();
			for (const code_challenge of [
				undefined,
				"",
				challenge.slice(1),
				`${challenge}A`,
				`${challenge.slice(1)}+`,
				`${challenge}=`,
			]) {
				for (const answer of await requestBothWays(world, buildQuery({ code_challenge }))) {
					assertSentBack(answer, "invalid_request");
				}
			}
		},
	},
	{
		name: "/authorize rejects every PKCE method except S256, including plain and none",
		cites: ["MCP-AUTHORIZE-S256", "MCP-AUTHORIZE-PLAIN-REFUSED", "MCP-AUTHORIZE-ABSENT-REFUSED"],
		async run(world) {
			for (const code_challenge_method of ["plain", undefined, "", "s256", "S512", "S256 "]) {
				for (const answer of await requestBothWays(world, buildQuery({ code_challenge_method }))) {
					assertSentBack(answer, "invalid_request");
				}
			}
			assert.equal((await openPage(world, buildQuery({ code_challenge_method: "S256" }))).status, 200);
		},
	},
	{
		name: "an error redirect has state and the issuer (RFC 9207), and keeps the query of the redirect URI",
		cites: [],
		async run(world) {
			const asked = buildQuery({ response_type: "token", redirect_uri: `${CALLBACK}?tab=1`, state: "a b&c" });
			for (const answer of await requestBothWays(world, asked)) {
				const { searchParams, origin, pathname } = assertSentBack(answer, "unsupported_response_type");
				assert.equal(origin + pathname, CALLBACK);
				assert.equal(searchParams.get("tab"), "1");
				assert.equal(searchParams.get("state"), "a b&c");
				assert.equal(searchParams.get("iss"), world.target.publicUrl);
				assert.ok(searchParams.get("error_description"));
			}
		},
	},
	{
		name: "a repeated parameter is rejected, and unknown parameters and scopes are ignored",
		cites: [],
		async run(world) {
			const asked = buildQuery();
			for (const [name, value] of Object.entries(asked)) {
				const query = { ...asked, [name]: [value, value] };
				const answer = await world.anyone.call("GET", "/authorize", { query });
				if (name === "client_id" || name === "redirect_uri") assertPage(answer, 400, /must not be repeated/);
				else assertSentBack(answer, "invalid_request");
			}
			const more = { ...asked, scope: "openid email profile", prompt: "consent", __proto__x: "1" };
			assert.equal((await openPage(world, more)).status, 200);
		},
	},
	{
		name: "a resource that is not this server is rejected, and all spellings of its own give one audience",
		cites: [],
		async run(world) {
			const origin = world.target.publicUrl;
			for (const resource of [`${origin}/mcp`, `${origin}/mcp/`, origin, `${origin}/`, undefined]) {
				assert.equal((await openPage(world, buildQuery({ resource }))).status, 200, resource ?? "none");
			}
			for (const resource of [
				"https://evil.example/mcp",
				`${origin}/other`,
				`${origin}.evil.example/mcp`,
				`${origin}/mcp?x=1`,
				"mcp",
			]) {
				for (const answer of await requestBothWays(world, buildQuery({ resource }))) {
					assertSentBack(answer, "invalid_target");
				}
			}
		},
	},
];

function unescapeHtml(text: string): string {
	const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" };
	return text.replaceAll(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => entities[name] ?? "");
}
