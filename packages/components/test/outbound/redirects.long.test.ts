import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OutboundCall } from "../../src/outbound/call.ts";
import { openOutbound, type Seen, type Stored, secret, toAuthRecipe } from "./network.ts";

const CANARY = "c4n4ry-0123456789-secret";
const hosts = [
	"api.bank.test",
	"*.files.bank.test",
	"api.bank.test:8443",
	"127.0.0.1:9000",
	"localhost:9000",
];
const recipes = {
	bearer: toAuthRecipe("bearer", { type: "bearer", fields: [secret("token")], hosts }),
	basic: toAuthRecipe("basic", {
		type: "basic",
		fields: [secret("token")],
		hosts,
		inject: { username: "me", password: "{token}" },
	}),
	header: toAuthRecipe("header", {
		type: "header",
		fields: [secret("token")],
		hosts,
		inject: { headers: { "x-api-key": "{token}" } },
	}),
	query: toAuthRecipe("query", {
		type: "query",
		fields: [secret("token")],
		hosts,
		inject: { query: { key: "{token}" } },
	}),
	path: toAuthRecipe("path", {
		type: "path",
		fields: [secret("token")],
		hosts,
		inject: { prefix: "/bot{token}" },
	}),
	aws: toAuthRecipe("aws", {
		type: "aws_sigv4",
		fields: [secret("token")],
		hosts,
		inject: { access_key_id: "AKID", secret_access_key: "{token}", region: "r", service: "s3" },
	}),
};
const credentials: Record<string, Stored> = Object.fromEntries(
	Object.entries(recipes).map(([name, recipe]) => [name, { recipe, fields: { token: CANARY } }]),
);

/** Whether the request contains the secret in any form. */
const FORMS = [CANARY, Buffer.from(`me:${CANARY}`).toString("base64"), "Signature="];
const carriesCredential = ({ wire }: Seen) => FORMS.some((form) => wire.includes(form));
const isBound = ({ url }: Seen) => {
	const { protocol, host } = new URL(url);
	if (protocol === "http:") return host === "127.0.0.1:9000" || host === "localhost:9000";
	return /^(?:api\.bank\.test(?::8443)?|.+\.files\.bank\.test|127\.0\.0\.1:9000|localhost:9000)$/.test(host);
};

interface Case {
	readonly name: string;
	readonly from?: string;
	/** The Location of each response, in order; the response after the last is 200. */
	readonly to: readonly string[];
	readonly status?: number;
	readonly method?: string;
	/** Requests as `METHOD url`, with `+` if they carry the credential. */
	readonly seen: readonly string[];
	readonly error?: RegExp;
}

const API = "https://api.bank.test/v1/a";
const cases: Case[] = [
	{ name: "a relative path", to: ["b"], seen: [`+GET ${API}`, "+GET https://api.bank.test/v1/b"] },
	{ name: "an absolute path", to: ["/v2?x=1#f"], seen: [`+GET ${API}`, "+GET https://api.bank.test/v2?x=1"] },
	{ name: "an empty location", to: [""], seen: [`+GET ${API}`, `+GET ${API}`] },
	{ name: "only a query", to: ["?page=2"], seen: [`+GET ${API}`, `+GET ${API}?page=2`] },
	{ name: "another host", to: ["https://evil.test/x"], seen: [`+GET ${API}`, "GET https://evil.test/x"] },
	{
		name: "another host without scheme",
		to: ["//evil.test/x"],
		seen: [`+GET ${API}`, "GET https://evil.test/x"],
	},
	{ name: "backslashes", to: ["\\\\evil.test\\x"], seen: [`+GET ${API}`, "GET https://evil.test/x"] },
	{ name: "a tab inside", to: ["/\t/evil.test/x"], seen: [`+GET ${API}`, "GET https://evil.test/x"] },
	{
		name: "another port",
		to: ["https://api.bank.test:444/x"],
		seen: [`+GET ${API}`, "GET https://api.bank.test:444/x"],
	},
	{
		name: "a port that is bound too",
		to: ["https://api.bank.test:8443/x"],
		seen: [`+GET ${API}`, "+GET https://api.bank.test:8443/x"],
	},
	{
		name: "a subdomain",
		to: ["https://x.api.bank.test/"],
		seen: [`+GET ${API}`, "GET https://x.api.bank.test/"],
	},
	{ name: "the domain above", to: ["https://bank.test/"], seen: [`+GET ${API}`, "GET https://bank.test/"] },
	{
		name: "a name below a starred host",
		to: ["https://eu.files.bank.test/f"],
		seen: [`+GET ${API}`, "+GET https://eu.files.bank.test/f"],
	},
	{
		name: "the starred host itself",
		to: ["https://files.bank.test/f"],
		seen: [`+GET ${API}`, "GET https://files.bank.test/f"],
	},
	{
		name: "a name that ends like a bound one",
		to: ["https://evil-api.bank.test/"],
		seen: [`+GET ${API}`, "GET https://evil-api.bank.test/"],
	},
	{
		name: "a name that begins like a bound one",
		to: ["https://api.bank.test.evil.test/"],
		seen: [`+GET ${API}`, "GET https://api.bank.test.evil.test/"],
	},
	{
		name: "the host with a dot at its end",
		to: ["https://api.bank.test./"],
		seen: [`+GET ${API}`, "GET https://api.bank.test./"],
	},
	{ name: "plain http", to: ["http://api.bank.test/x"], seen: [`+GET ${API}`, "GET http://api.bank.test/x"] },
	{
		name: "plain http on this machine, from https",
		to: ["http://127.0.0.1:9000/x"],
		seen: [`+GET ${API}`, "GET http://127.0.0.1:9000/x"],
	},
	{
		name: "plain http on this machine, from there",
		from: "http://localhost:9000/",
		to: ["http://127.0.0.1:9000/x"],
		seen: ["+GET http://localhost:9000/", "+GET http://127.0.0.1:9000/x"],
	},
	{
		name: "away and back: it does not come back",
		to: ["https://evil.test/x", "https://api.bank.test/transfer"],
		seen: [`+GET ${API}`, "GET https://evil.test/x", "GET https://api.bank.test/transfer"],
	},
	{
		name: "five times",
		to: ["1", "2", "3", "4", "5"],
		seen: [`+GET ${API}`, ...[1, 2, 3, 4, 5].map((n) => `+GET https://api.bank.test/v1/${n}`)],
	},
	{
		name: "six times",
		to: ["1", "2", "3", "4", "5", "6"],
		seen: [`+GET ${API}`, ...[1, 2, 3, 4, 5].map((n) => `+GET https://api.bank.test/v1/${n}`)],
		error: /redirects once more after 5 redirects/,
	},
	{
		name: "in a circle",
		to: Array.from({ length: 20 }, () => API),
		seen: Array.from({ length: 6 }, () => `+GET ${API}`),
		error: /after 5 redirects/,
	},
	{
		name: "a user name",
		to: ["https://api.bank.test@evil.test/"],
		seen: [`+GET ${API}`],
		error: /user name or a password/,
	},
	{
		name: "a password",
		to: ["https://:pw@api.bank.test/"],
		seen: [`+GET ${API}`],
		error: /user name or a password/,
	},
	{
		name: "a file",
		to: ["file:///etc/passwd"],
		seen: [`+GET ${API}`],
		error: /redirects to file:, which is neither/,
	},
	{ name: "a script", to: ["javascript:alert(1)"], seen: [`+GET ${API}`], error: /redirects to javascript:/ },
	{ name: "data", to: ["data:text/plain,x"], seen: [`+GET ${API}`], error: /redirects to data:/ },
	{ name: "nowhere valid", to: ["https://"], seen: [`+GET ${API}`], error: /invalid URL/ },
	{ name: "a bad port", to: ["https://x:99999/"], seen: [`+GET ${API}`], error: /invalid URL/ },
	{
		name: "a private address",
		to: ["http://10.0.0.1/"],
		seen: [`+GET ${API}`],
		error: /not a public address/,
	},
	{
		name: "a private address in other words",
		to: ["http://0xa9fea9fe/latest/meta-data"],
		seen: [`+GET ${API}`],
		error: /169\.254\.169\.254 is not a public address/,
	},
	{ name: "300, which is none", status: 300, to: ["b"], seen: [`+GET ${API}`] },
	{ name: "304, which is none", status: 304, to: ["b"], seen: [`+GET ${API}`] },
	...[301, 302, 303].map((status) => ({
		name: `${status} after POST: GET without body`,
		status,
		method: "POST",
		to: ["b"],
		seen: [`+POST ${API} body`, "+GET https://api.bank.test/v1/b"],
	})),
	...[301, 302, 307, 308].map((status) => ({
		name: `${status} after PUT: PUT with body`,
		status,
		method: "PUT",
		to: ["b"],
		seen: [`+PUT ${API} body`, "+PUT https://api.bank.test/v1/b body"],
	})),
	{
		name: "303 after PUT: GET",
		status: 303,
		method: "PUT",
		to: ["b"],
		seen: [`+PUT ${API} body`, "+GET https://api.bank.test/v1/b"],
	},
	{
		name: "303 after HEAD: HEAD",
		status: 303,
		method: "HEAD",
		to: ["b"],
		seen: [`+HEAD ${API}`, "+HEAD https://api.bank.test/v1/b"],
	},
	...[307, 308].map((status) => ({
		name: `${status} after POST to another host: the body goes, the credential stays`,
		status,
		method: "POST",
		to: ["https://evil.test/x"],
		seen: [`+POST ${API} body`, "POST https://evil.test/x body"],
	})),
];

const describeRequest = (seen: Seen) =>
	`${carriesCredential(seen) ? "+" : ""}${seen.method} ${stripCredential(seen.url)}${seen.body.length > 0 ? " body" : ""}`;
/** The URL without the credential's part. */
const stripCredential = (url: string) =>
	url.replace(`/bot${CANARY}`, "").replace(new RegExp(`[?&]key=${CANARY}`), "");

async function run({ from = API, to, status = 302, method = "GET" }: Case, call: Partial<OutboundCall>) {
	let number = 0;
	await using outbound = await openOutbound(() => {
		const location = to[number++];
		return location === undefined ? { body: "end" } : { status, headers: { location } };
	}, credentials);
	const body = /^P/.test(method) ? { body: { kind: "text", text: "hello" } as const } : {};
	const outcome = await outbound.http({ method, url: from, ...body, ...call }).then(
		({ url }) => ({ url, error: null }),
		(error: unknown) => ({ url: null, error }),
	);
	return { seen: outbound.seen, ...outcome };
}

describe("redirects", () => {
	for (const one of cases) {
		test(`to ${one.name}`, async () => {
			for (const credential of Object.keys(recipes)) {
				const { seen, error } = await run(one, { credential });
				assert.deepEqual(seen.map(describeRequest), one.seen, credential);
				assert.deepEqual(
					seen.filter((request) => carriesCredential(request) && !isBound(request)),
					[],
					"at no foreign host",
				);
				if (one.error === undefined) assert.equal(error, null);
				else {
					assert.ok(error instanceof TerminalError, String(error));
					assert.match(error.message, one.error);
					assert.ok(!error.message.includes(CANARY));
				}
			}
		});
	}

	test("forward only safe headers to another origin, and no others back", async () => {
		const headers = {
			Authorization: "Bearer own",
			Cookie: "a=1",
			"X-Api-Key": "own",
			"X-Anything": "own",
			Accept: "text/csv",
			"Accept-Language": "de",
			"User-Agent": "mine",
			"Content-Type": "text/own",
			"Content-Language": "fr",
		};
		const to = ["https://other.test/x", API];
		const { seen } = await run({ name: "", to, status: 307, method: "POST", seen: [] }, { headers });
		assert.equal(seen[0]?.headers.authorization, "Bearer own");
		for (const request of seen.slice(1)) {
			const { host: _, connection: __, "content-length": ___, ...rest } = request.headers;
			assert.deepEqual(rest, {
				accept: "text/csv",
				"accept-language": "de",
				"content-language": "fr",
				"content-type": "text/own",
				"user-agent": "mine",
			});
		}
	});

	test("drop the body's headers with the body", async () => {
		const headers = { "Content-Type": "text/own", "Content-Language": "fr", "X-Own": "1" };
		const { seen } = await run({ name: "", to: ["b"], method: "POST", seen: [] }, { headers });
		assert.deepEqual(
			Object.keys(seen[1]?.headers ?? {}).filter((name) => /content|own/.test(name)),
			["x-own"],
		);
	});

	test("stay within the hosts that the call may reach", async () => {
		const to = ["https://files.bank.test/", "https://evil.test/"];
		const { seen, error } = await run(
			{ name: "", to, seen: [] },
			{ hosts: ["api.bank.test", "files.bank.test"] },
		);
		assert.equal(seen.length, 2);
		assert.match(String(error), /this call may reach only api.bank.test, files.bank.test, not evil.test/);
	});

	const places: [string, (text: string) => Partial<OutboundCall>][] = [
		["query", (text) => ({ query: { token: text } })],
		["path", (text) => ({ url: `${API}/${text}` })],
		["header", (text) => ({ headers: { "x-a": text, accept: text, "user-agent": text } })],
		["body", (text) => ({ method: "POST", body: { kind: "json", value: { text } } })],
		["form", (text) => ({ method: "POST", body: { kind: "form", fields: { text } } })],
		["part", (text) => ({ method: "POST", body: { kind: "multipart", parts: [{ name: "a", text }] } })],
	];
	for (const [place, make] of places) {
		for (const status of [302, 307]) {
			for (const location of [
				"https://evil.test/",
				"https://eu.files.bank.test/",
				"http://api.bank.test/",
				"/b",
			]) {
				test(`${status} to ${location}: a value in the ${place} is not sent to another origin`, async () => {
					let number = 0;
					await using outbound = await openOutbound(
						() => (number++ === 0 ? { status, headers: { location } } : {}),
						credentials,
					);
					const call = { method: "GET", url: API, ...make(outbound.text("bearer")) };
					const error = await outbound.http(call).then(
						() => null,
						(error: unknown) => error,
					);
					const [first, ...others] = outbound.seen;
					assert.ok(first && carriesCredential(first));
					const leaks = others.filter(
						(request) => carriesCredential(request) && new URL(request.url).origin !== new URL(API).origin,
					);
					assert.deepEqual(leaks, []);
					const isRefused = status === 307 && location !== "/b" && "body" in call;
					assert.equal(error instanceof TerminalError, isRefused, String(error));
					if (isRefused) assert.match(String(error), /the credential's value in the body must not be sent/);
				});
			}
		}
	}

	test("are rejected if the URL carries the credential to a foreign host, in any encoding", async () => {
		const forms = [
			CANARY,
			encodeURIComponent(CANARY),
			Buffer.from(CANARY).toString("base64url"),
			CANARY.toUpperCase(),
		];
		for (const form of forms) {
			for (const location of [
				`https://evil.test/?t=${form}`,
				`https://evil.test/${form}/x`,
				`https://${form}.evil.test/`,
			]) {
				const { seen, error } = await run({ name: "", to: [location], seen: [] }, { credential: "bearer" });
				assert.equal(seen.length, 1, location);
				assert.match(
					String(error),
					/api.bank.test redirects to .*evil.test with the value of credential "bearer"/,
				);
				assert.ok(!String(error).includes(form));
			}
		}
	});

	test("return the final URL, without the credential", async () => {
		const { url } = await run({ name: "", to: [`/x?a=${CANARY}`], seen: [] }, { credential: "query" });
		assert.equal(url, "https://api.bank.test/x?a=[redacted]");
	});
});
