import { FORBIDDEN } from "../../services/mcp/test/oauth/redirect-uris.ts";
import { JSON_TYPE } from "./client.ts";
import type { Attacks } from "./mcp-attacks.ts";
import {
	buildRequest,
	CALLBACK,
	type Changed,
	type Login,
	OWNER_SECRET,
	pkce,
	toParameters,
} from "./mcp-login.ts";

const EVIL = "https://evil.example/callback";

/** Posts the form with the right secret: a bad request must be rejected anyway. */
const approve = ({ post }: Login, parameters: URLSearchParams, headers: readonly string[] = []) =>
	post("/authorize", new URLSearchParams([...parameters, ["owner_secret", OWNER_SECRET]]), headers);

const openPage = ({ client }: Login, parameters: URLSearchParams | string) =>
	client.call("GET", `/authorize?${parameters}`);

/** Sends it both as a link and as a form with the right secret. */
async function* tryBothWays(login: Login, about: string, parameters: URLSearchParams) {
	yield [`GET ${about}`, await openPage(login, parameters)] as const;
	yield [`POST ${about}`, await approve(login, parameters)] as const;
}

async function* tryEach(login: Login, all: readonly Changed[]) {
	for (const changed of all) yield* tryBothWays(login, JSON.stringify(changed), buildRequest(changed));
}

async function registerClient({ client }: Login, metadata: object): Promise<string> {
	const answer = await client.call("POST", "/register", {
		headers: JSON_TYPE,
		body: JSON.stringify(metadata),
	});
	return (answer.body as { client_id: string }).client_id;
}

/** Attacks on the page where the owner approves a client. */
export const AUTHORIZE_ATTACKS: Attacks = {
	async *"a redirect URI that is not allowed"(login) {
		for (const redirect_uri of FORBIDDEN)
			yield* tryBothWays(login, redirect_uri, buildRequest({ redirect_uri }));
	},

	async *"registering a redirect URI that is not allowed"({ client }) {
		for (const uri of FORBIDDEN) {
			const body = JSON.stringify({ redirect_uris: [uri] });
			yield [uri, await client.call("POST", "/register", { headers: JSON_TYPE, body })];
		}
	},

	async *"registering an invalid list of addresses"({ client }) {
		const lists = [
			null,
			0,
			true,
			"",
			CALLBACK,
			{},
			{ 0: CALLBACK },
			[],
			[null],
			[[CALLBACK]],
			[{ uri: CALLBACK }],
		];
		const bodies = [
			...lists.map((redirect_uris) => JSON.stringify({ redirect_uris })),
			...[
				"",
				"null",
				"[]",
				"1",
				`["${CALLBACK}"]`,
				`{"redirect_uris":["${CALLBACK}"]`,
				`{"__proto__":{"redirect_uris":["${CALLBACK}"]}}`,
			],
			JSON.stringify({ redirect_uris: Array.from({ length: 1_000 }, (_, nth) => `${CALLBACK}/${nth}`) }),
			JSON.stringify({ redirect_uris: [CALLBACK], pad: "x".repeat(100_000) }),
		];
		for (const body of bodies)
			yield [body, await client.call("POST", "/register", { headers: JSON_TYPE, body })];
	},

	async *"a forbidden redirect URI registered beside an allowed one"(login) {
		for (const uri of FORBIDDEN.slice(0, 20)) {
			const client_id = await registerClient(login, { redirect_uris: [CALLBACK, uri] });
			yield* tryBothWays(login, uri, buildRequest({ client_id, redirect_uri: uri }));
		}
	},

	async *"the redirect URI of another client"(login) {
		const client_id = await registerClient(login, {
			redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
		});
		for (const redirect_uri of [
			CALLBACK,
			"https://claude.ai/api/mcp/auth_callback/",
			"https://claude.ai/api/mcp/auth_callback?a=b",
			"https://CLAUDE.AI/api/mcp/auth_callback",
			"https://claude.ai/other",
			"https://evil.claude.ai/api/mcp/auth_callback",
		])
			yield* tryBothWays(login, redirect_uri, buildRequest({ client_id, redirect_uri }));
	},

	async *"a client id made up to carry a foreign redirect URI"(login) {
		for (const redirect_uris of [[EVIL], [EVIL, CALLBACK], [CALLBACK], EVIL, null, {}, []]) {
			const carried = Buffer.from(JSON.stringify({ key: "k", name: "Claude", redirect_uris }));
			const client_id = `tlc_${carried.toString("base64url")}`;
			yield* tryBothWays(
				login,
				JSON.stringify(redirect_uris),
				buildRequest({ client_id, redirect_uri: EVIL }),
			);
		}
	},

	async *"an open redirect through state, iss, error or code"(login) {
		const wrong = { response_type: "token" };
		for (const state of [EVIL, `//evil.example`, "&redirect_uri=https://evil.example", "#code=x", "?iss=x"])
			yield* tryBothWays(login, state, buildRequest({ ...wrong, state }));
		for (const name of ["iss", "error", "error_uri", "error_description", "code", "location", "next"])
			yield* tryBothWays(login, name, buildRequest({ ...wrong, [name]: EVIL }));
	},

	async *"header injection through state"(login) {
		for (const state of [
			"a\r\nset-cookie: a=b",
			"a\nx-injected: b",
			"\r\n\r\n<script>",
			"a\u0000b",
			"\u2028",
		])
			yield* tryBothWays(
				login,
				state,
				buildRequest({ state, ...(state === "\u2028" && { response_type: "x" }) }),
			);
		yield* tryBothWays(
			login,
			"written",
			buildRequest({ state: "a%0d%0aset-cookie:%20b", response_type: "x" }),
		);
	},

	async *"missing or weak PKCE"(login) {
		const { verifier, challenge } = pkce();
		yield* tryEach(login, [
			{ code_challenge_method: "plain" },
			{ code_challenge_method: "plain", code_challenge: verifier },
			{ code_challenge_method: undefined },
			{ code_challenge_method: "" },
			{ code_challenge_method: "s256" },
			{ code_challenge_method: "S256 " },
			{ code_challenge_method: "S512" },
			{ code_challenge_method: "S256,plain" },
			{ code_challenge: undefined },
			{ code_challenge: "" },
			{ code_challenge: undefined, code_challenge_method: undefined },
			{ code_challenge: challenge.slice(1) },
			{ code_challenge: `${challenge}A` },
			{ code_challenge: `${challenge}=` },
			{ code_challenge: `${challenge.slice(1)}+` },
			{ code_challenge: `${challenge.slice(1)} ` },
			{ code_challenge: "A".repeat(128) },
		]);
	},

	async *"a response type that returns tokens to the browser"(login) {
		for (const response_type of [
			"token",
			"code token",
			"id_token",
			"code id_token",
			"none",
			"CODE",
			"",
			undefined,
		])
			yield* tryBothWays(login, String(response_type), buildRequest({ response_type }));
	},

	async *"a response mode that pages can read"(login) {
		for (const response_mode of ["fragment", "form_post", "web_message", "query.jwt", "QUERY"])
			yield* tryBothWays(login, response_mode, buildRequest({ response_mode }));
	},

	async *"a repeated parameter"(login) {
		for (const name of [
			"client_id",
			"redirect_uri",
			"code_challenge",
			"code_challenge_method",
			"response_type",
		]) {
			for (const second of [buildRequest().get(name) ?? "", EVIL]) {
				yield* tryBothWays(login, `${name} behind`, new URLSearchParams([...buildRequest(), [name, second]]));
				yield* tryBothWays(login, `${name} before`, new URLSearchParams([[name, second], ...buildRequest()]));
			}
		}
		for (const name of ["state", "resource", "response_mode"])
			yield* tryBothWays(login, name, new URLSearchParams([...buildRequest(), [name, "a"], [name, "b"]]));
		yield* tryBothWays(
			login,
			"redirect_uri[]",
			new URLSearchParams([...buildRequest({ redirect_uri: undefined }), ["redirect_uri[]", CALLBACK]]),
		);
	},

	async *"a valid request in the link and a different one in the form"(login) {
		const form = { redirect_uri: EVIL, owner_secret: OWNER_SECRET };
		for (const inForm of [form, { ...form, ...Object.fromEntries(buildRequest()), redirect_uri: EVIL }])
			yield ["form", await login.post(`/authorize?${buildRequest()}`, toParameters(inForm))];
	},

	async *"an invalid client id"(login) {
		for (const client_id of [
			"a\r\nset-cookie: b=c",
			"a\u0000",
			"é",
			"\u202eedualC",
			"a".repeat(4_001),
			"",
			undefined,
		])
			yield* tryBothWays(login, String(client_id), buildRequest({ client_id }));
		yield ["100 kB", await approve(login, buildRequest({ client_id: "a".repeat(100_000) }))];
		yield ["100 kB in the link", await openPage(login, buildRequest({ client_id: "a".repeat(100_000) }))];
	},

	async *"a code for another server"(login) {
		const own = login.target.publicUrl;
		for (const resource of [
			"https://evil.example/mcp",
			`${own}.evil.example/mcp`,
			`${own.replace("//", "//evil@")}/mcp`,
			`${own}/other`,
			`${own}/mcp?a=b`,
			`${own}/mcp#`,
			`${own}/mcp/evil`,
			"mcp",
			"*",
		])
			yield* tryBothWays(login, resource, buildRequest({ resource }));
	},

	async *"a form from another origin"(login) {
		const own = new URL(login.target.publicUrl);
		for (const origin of [
			"https://evil.example",
			"null",
			"https://claude.ai",
			`https://${own.host}`,
			`http://${own.hostname}`,
			`http://${own.hostname}:1`,
			`${own.origin}.evil.example`,
			`${own.origin}, ${own.origin}`,
			"file://",
		])
			yield [origin, await approve(login, buildRequest(), ["origin", origin])];
	},

	async *"a form without an origin, without the secret"(login) {
		for (const owner_secret of [undefined, ""])
			yield ["form", await login.post("/authorize", buildRequest({ owner_secret }))];
	},

	async *"the secret outside of the form"(login) {
		const secret = new URLSearchParams({ owner_secret: OWNER_SECRET });
		yield ["query", await login.post(`/authorize?${secret}`, buildRequest())];
		yield ["query of a bare form", await login.post(`/authorize?${buildRequest()}&${secret}`, "")];
		for (const header of [
			["authorization", `Bearer ${OWNER_SECRET}`],
			["authorization", `Basic ${Buffer.from(`owner:${OWNER_SECRET}`).toString("base64")}`],
			["cookie", `owner_secret=${OWNER_SECRET}`],
			["owner_secret", OWNER_SECRET],
		])
			yield [header.join(" "), await login.post("/authorize", buildRequest(), header)];
		yield ["twice", await login.post("/authorize", `${buildRequest()}&${secret}&${secret}`)];
		yield ["as a list", await login.post("/authorize", `${buildRequest()}&owner_secret[]=${OWNER_SECRET}`)];
	},

	async *"a form with another content type"({ client }) {
		const form = `${buildRequest()}&${new URLSearchParams({ owner_secret: OWNER_SECRET })}`;
		const json = JSON.stringify({ ...Object.fromEntries(buildRequest()), owner_secret: OWNER_SECRET });
		for (const [type, body] of [
			["text/plain", form],
			["multipart/form-data; boundary=b", form],
			["application/json", json],
			["application/json", form],
			["", form],
			["application/x-www-form-urlencodedx", form],
			["text/html, application/x-www-form-urlencoded", form],
		] as const)
			yield [type, await client.call("POST", "/authorize", { headers: ["content-type", type], body })];
		yield ["none", await client.call("POST", "/authorize", { body: form })];
	},
};
