import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CreatedWebhook } from "@tripline/contract/executor";
import { FileValue } from "@tripline/contract/files";
import { type JsonObject, RunResult } from "@tripline/contract/workflows";
import { platforms, type Target } from "../conformance/platforms.ts";
import { type Answer, type Client, createClient, forEachItem, JSON_TYPE, tenant } from "./client.ts";
import { naughtyStrings } from "./naughty-strings.ts";

const OWNER = "door";
const FORM = "application/x-www-form-urlencoded";
const KINDS = ["json", "form", "files", "text", "bytes"] as const;

const echo = (keys: object) => ({
	triplets: ["input >> then >> only"],
	config: { only: { component: "set", values: { got: "{{input}}" } } },
	trigger: { type: "webhook", ...keys },
});

const responding = (params: object) => ({
	triplets: ["input >> then >> only"],
	config: { only: { component: "respond", ...params } },
	trigger: { type: "webhook", accept: ["json"], answer: "respond" },
});

const TYPES: readonly string[] = [
	"application/json",
	"APPLICATION/JSON ; charset=UTF-8",
	"application/json; charset=utf-16",
	"application/json, text/plain",
	"application/vnd.api+json",
	"text/json",
	FORM,
	`${FORM}; charset=shift_jis`,
	"multipart/form-data; boundary=b",
	'multipart/form-data; boundary="b"; boundary=c',
	"multipart/form-data",
	"multipart/mixed; boundary=b",
	"text/plain",
	"text/html",
	"text/plain; charset=utf-7",
	"application/xml",
	"application/octet-stream",
	"application/x-www-form-urlencoded\t;",
	"json",
	"/",
	";;;",
	"",
];

const MULTIPART = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n';

const BODIES: readonly string[] = [
	'{"a":1,"a":2}',
	'{"__proto__":{"polluted":1},"constructor":1}',
	"[1]",
	'"text"',
	"a=1&a=2&__proto__=3",
	"a[b]=1&a.b=2",
	MULTIPART,
	MULTIPART.replace('name="a"', 'name="__proto__"'),
	MULTIPART.replace("\r\n\r\n1", "; filename=x\r\n\r\n1"),
	"<a>1</a>",
	"\ufeff{}",
	"\u0000",
	"",
];

for (const platform of platforms) {
	describe(`hostile calls of webhook triggers on ${platform.name}`, () => {
		let target: Target;
		let client: Client;

		before(async () => {
			target = await platform.start({});
			client = createClient(() => target.publicUrl);
		});

		after(async () => {
			client.close();
			await target.close();
		});

		test("a body is read as what its content type says or refused, whatever it contains", async () => {
			const cases = KINDS.flatMap((kind) =>
				TYPES.flatMap((type) => BODIES.map((body) => ({ kind, type, body }))),
			);
			const paths = new Map<string, string>();
			for (const kind of KINDS) paths.set(kind, await create(echo({ accept: [kind] })));
			await forEachItem(cases, async ({ kind, type, body }) => {
				const answer = await client.call("POST", paths.get(kind) as string, {
					headers: type === "" ? [] : ["content-type", type],
					body,
				});
				const about = `${kind}, ${type}: ${JSON.stringify(body)}: ${answer.text}`;
				assert.ok([200, 400, 413, 415].includes(answer.status), about);
				assert.equal(({} as JsonObject).polluted, undefined, about);
				if (answer.status !== 200 || body === "") return;
				const got = readGot(answer);
				switch (kind) {
					case "json":
						return assert.deepEqual(got, toJsonInput(body), about);
					case "text":
						return assert.deepEqual(Object.keys(got), ["text"], about);
					case "bytes":
						assert.deepEqual(Object.keys(got), ["file"], about);
						return assert.equal(FileValue.parse(got.file).size, Buffer.byteLength(body), about);
					default: {
						const values = Object.values(got).flat();
						const isAllowed = (value: unknown) =>
							typeof value === "string" || (kind === "files" && FileValue.safeParse(value).success);
						assert.ok(values.every(isAllowed), about);
					}
				}
			});
		});

		test("whatever a file is called, its name has no path and no character that deceives", async () => {
			const path = await create(echo({ accept: ["files"], max_bytes: 1_000_000 }));
			// A header with other control characters, or a very long one, is refused as a whole.
			const names = [...naughtyStrings, ...FILE_NAMES].filter(
				(name) =>
					name !== "" &&
					name.length < 2_000 &&
					name.isWellFormed() &&
					!/[^\P{Cc}\t\r\n\x80-\x9f]/u.test(name),
			);
			for (let at = 0; at < names.length; at += 100) {
				const form = new FormData();
				const sent = names.slice(at, at + 100);
				for (const name of sent) form.append("f", new Blob(["<svg onload=alert(1)>"]), name);
				const encoded = new Response(form);
				const answer = await client.call("POST", path, {
					headers: ["content-type", encoded.headers.get("content-type") ?? ""],
					body: Buffer.from(await encoded.arrayBuffer()),
				});
				assert.equal(answer.status, 200, answer.text);
				const got = [readGot(answer).f ?? []].flat();
				assert.equal(got.length, sent.length);
				for (const value of got) {
					const { name } = FileValue.parse(value);
					assert.doesNotMatch(name, /[/\\\p{Cc}\p{Cf}]|^\.|^$/u, JSON.stringify(name));
				}
			}
		});

		test("a file value that a caller without the credential writes opens nothing", async () => {
			const upload = await create(echo({ accept: ["bytes"] }));
			const sent = await client.call("POST", upload, { headers: ["content-type", "a/b"], body: "secret" });
			const file = FileValue.parse(readGot(sent).file);
			const path = await create({
				triplets: ["input >> then >> only"],
				config: { only: { component: "file_keep", file: "{{input.file}}", name: "stolen" } },
				trigger: { type: "webhook", accept: ["json", "files"] },
			});
			const answers = [
				await postJson(path, { file }),
				await client.call("POST", path, {
					headers: ["content-type", "multipart/form-data; boundary=b"],
					body: MULTIPART.replace('name="a"', 'name="file"').replace("1", JSON.stringify(file)),
				}),
			];
			for (const { status, text } of answers) {
				assert.equal(status, 500, text);
				assert.doesNotMatch(text, /"success":true/);
			}
			assert.match(answers[0]?.text ?? "", /file not found/);
		});

		test("names of the language are plain names in forms, queries and headers", async () => {
			const path = await create({
				...echo({ methods: ["GET", "POST"], accept: ["form"] }),
				config: { only: { component: "set", values: { got: "{{input}}", request: "{{request}}" } } },
			});
			const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
			const query = names.map((name) => `${name}=1`).join("&");
			const headers = names.flatMap((name) => [name, "1"]);
			const read = await client.call("GET", `${path}?${query}`, { headers });
			const posted = await client.call("POST", `${path}?${query}`, {
				headers: [...headers, "content-type", FORM],
				body: query,
			});
			for (const answer of [read, posted]) {
				const { got, request } = RunResult.parse(answer.body).data as {
					got: JsonObject;
					request: { query: JsonObject; headers: JsonObject };
				};
				assert.deepEqual(Object.keys(got).sort(), [...names].sort());
				assert.deepEqual(Object.keys(request.query).sort(), [...names].sort());
				// Node drops a header of the name __proto__.
				for (const name of names.slice(1)) assert.equal(request.headers[name.toLowerCase()], "1", name);
			}
			assert.equal(({} as JsonObject).polluted, undefined);
		});

		test("a flood of headers is read or refused, and the service goes on", async () => {
			const path = await create({
				...echo({}),
				config: { only: { component: "set", values: { count: "{{request.headers | keys | length}}" } } },
			});
			for (const [count, length] of [
				[200, 10],
				[900, 10],
				[5_000, 1],
				[20, 10_000],
			] as const) {
				const headers = Array.from({ length: count }, (_, at) => [`x-${at}`, "v".repeat(length)]).flat();
				// Where the listener ends the connection at once, there is no answer.
				const answer = await client.call("POST", path, { headers, body: "{}" }).catch(() => null);
				if (answer !== null) assert.ok([200, 400, 413, 431].includes(answer.status), `${answer.status}`);
				if (answer?.status === 200)
					assert.ok((RunResult.parse(answer.body).data as { count: number }).count >= count);
			}
			assert.equal((await client.call("POST", path, { body: "{}" })).status, 200);
		});

		test("no text makes respond send a header that is not its own", async () => {
			const path = await create(
				responding({
					headers: { "x-note": "{{input.text}}", "cache-control": "{{input.text}}" },
					body: "fine",
				}),
			);
			await forEachItem([...naughtyStrings, ...SPLITTERS], async (text) => {
				const answer = await postJson(path, { text });
				if (answer.status === 500) return assert.equal(RunResult.parse(answer.body).success, false);
				assert.equal(answer.status, 200, answer.text);
				assert.equal(answer.headers["x-note"], text.trim());
				assert.equal(answer.headers["set-cookie"], undefined);
				assert.equal(answer.text, "fine");
			});
		});

		test("header names from a caller are refused unless they are listed or begin with x-", async () => {
			const path = await create(responding({ headers: "{{input.headers}}", body: "fine" }));
			for (const name of REFUSED_HEADERS) {
				const answer = await postJson(path, { headers: { [name]: "1" } });
				assert.deepEqual([answer.status, answer.headers[name.toLowerCase()] === "1"], [500, false], name);
			}
			const guarded = await postJson(path, {
				headers: { "x-content-type-options": "sniff", "X-Frame-Options": "ALLOWALL" },
			});
			assert.deepEqual([guarded.status, guarded.headers["x-content-type-options"]], [200, "nosniff"]);
			const long = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x-${at}`, "v".repeat(100)]));
			assert.equal((await postJson(path, { headers: long })).status, 500);
		});

		test("a redirect leads to a web address or to a path of this origin, or nowhere", async () => {
			const path = await create(responding({ redirect: "{{input.text}}" }));
			await forEachItem([...naughtyStrings, ...SPLITTERS, ...REDIRECTS], async (text) => {
				const { status, headers } = await postJson(path, { text });
				const location = headers.location as string | undefined;
				if (status === 500) return assert.equal(location, undefined);
				assert.equal(status, 303, text);
				assert.match(location ?? "", /^(?:https?:\/\/[!-~]+|\/(?![/\\])[!-~]*)$/, text);
				const origin = "https://service.example";
				if (location?.startsWith("/")) assert.equal(new URL(location, origin).origin, origin, text);
			});
			for (const text of REDIRECTS) assert.equal((await postJson(path, { text })).status, 500, text);
		});

		test("a form answers every call with a page that runs nothing and shows texts as texts", async () => {
			const made = await client.call("POST", "/workflows", {
				headers: [...tenant(OWNER), ...JSON_TYPE],
				body: JSON.stringify(FORM_WORKFLOW),
			});
			assert.equal(made.status, 201, made.text);
			const path = `/f/${OWNER}/form`;
			// Posts are limited to 30 a minute, so each holds many texts.
			const texts = naughtyStrings.filter((text) => text.isWellFormed());
			const form = (values: readonly string[]) =>
				values.map((text, at) => `t${at}=${encodeURIComponent(text)}`).join("&");
			const calls: readonly (readonly [string, string, string])[] = [
				...Array.from(
					{ length: 6 },
					(_, at) => ["POST", FORM, form(texts.slice(at * 100, at * 100 + 100))] as const,
				),
				...BODIES.slice(0, 10).map((body) => ["POST", "application/json", body] as const),
				["POST", "multipart/form-data; boundary=b", MULTIPART],
				["POST", "multipart/form-data", MULTIPART],
				["POST", "", "a=1"],
				["POST", FORM, `${BODIES[4]}&number=1&number=2&constructor=1`],
			];
			for (const [method, type, body] of calls) {
				const headers = ["content-type", type, "accept-language", "<script>,zh;q=9,*"];
				const answer = await client.call(method, path, { headers, body });
				const about = `${type}: ${body.slice(0, 200)}: ${answer.status} ${answer.text.slice(0, 200)}`;
				assert.ok([200, 400, 413, 415, 422].includes(answer.status), about);
				assertPage(answer, about);
			}
			for (const missing of ["unknown", "%3Cscript%3E", "..%2Fform", "__proto__"]) {
				const answer = await client.call("GET", `/f/${OWNER}/${missing}`);
				assert.ok([400, 404, 422].includes(answer.status), `${missing}: ${answer.status}`);
				assert.doesNotMatch(answer.text, /<script/i);
			}
		});

		async function create(document: object): Promise<string> {
			const made = await client.call("POST", "/webhooks", {
				headers: [...tenant(OWNER), ...JSON_TYPE],
				body: JSON.stringify(document),
			});
			assert.equal(made.status, 201, made.text);
			return `/webhooks/${CreatedWebhook.parse(made.body).token}/trigger`;
		}

		const postJson = (path: string, body: object): Promise<Answer> =>
			client.call("POST", path, { headers: JSON_TYPE, body: JSON.stringify(body) });
	});
}

/** A number is missing, so that every text comes back in the page. */
const FORM_WORKFLOW = {
	name: "form",
	description: "",
	version: "1",
	triplets: ["input >> then >> only"],
	config: { only: { component: "set", values: {} } },
	trigger: { type: "webhook", form: { title: "<script>alert(1)</script>", submit: '"><img src=x>' } },
	options: {
		input_schema: {
			type: "object",
			required: ["number"],
			properties: {
				number: { type: "integer", title: "</label><script>" },
				...Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`t${at}`, { type: "string" }])),
			},
		},
	},
};

function assertPage({ headers, text }: Answer, about: string): void {
	assert.equal(headers["content-type"], "text/html; charset=utf-8", about);
	assert.match(String(headers["content-security-policy"]), /^default-src 'none'; style-src 'sha256-/, about);
	assert.equal(headers["x-content-type-options"], "nosniff", about);
	assert.equal(headers["set-cookie"], undefined, about);
	const [, page = ""] = /<main>(.*)<\/main>/s.exec(text) ?? [];
	assert.notEqual(page, "", about);
	const tags = new Set([...page.matchAll(/<\/?([^\s>]*)/g)].map(([, tag]) => tag));
	assert.deepEqual(
		[...tags].filter((tag) => !FORM_TAGS.has(tag ?? "")),
		[],
		about,
	);
	const unquoted = page.replaceAll(/"[^"]*"/g, "");
	assert.ok(!/<[^>]*(?:\son\w+=|script)/i.test(unquoted), about);
}

const FORM_TAGS: ReadonlySet<string> = new Set(
	"h1 h2 p ul li a div form label span input textarea button code".split(" "),
);

const FILE_NAMES: readonly string[] = [
	"../../../etc/passwd",
	"..\\..\\windows\\system32\\x",
	"/etc/passwd",
	"C:\\x",
	"file:///etc/passwd",
	"....//....//x",
	"..",
	".",
	"...",
	".ssh",
	"a\u202Egnp.exe",
	"a\u200Bb",
	"a\u2028b",
	"con",
	"x".repeat(1_000),
	"%2e%2e%2fx",
	"a;b=c",
	'a"; name="b',
];

const SPLITTERS: readonly string[] = [
	"a\r\nset-cookie: a=b",
	"a\nset-cookie: a=b",
	"a\rset-cookie: a=b",
	"a\u0000b",
	"a\u2028set-cookie: a=b",
	"a\u560d\u560aset-cookie: a=b",
	"\r\n\r\n<script>",
	"x".repeat(5_000),
];

const REFUSED_HEADERS: readonly string[] = [
	"set-cookie",
	"Set-Cookie2",
	"x-accel-redirect",
	"X-ACCEL-Charset",
	"x-sendfile",
	"X-Sendfile-Type",
	"x-lighttpd-send-file",
	"x-litespeed-location",
	"x-reproxy-url",
	"content-security-policy",
	"access-control-allow-origin",
	"access-control-allow-credentials",
	"content-length",
	"content-encoding",
	"transfer-encoding",
	"connection",
	"upgrade",
	"clear-site-data",
	"service-worker-allowed",
	"strict-transport-security",
	"www-authenticate",
	"refresh",
	"x-a\r\nset-cookie",
	"x-a: b",
	"x-",
	"__proto__x",
	"",
];

const REDIRECTS: readonly string[] = [
	"javascript:alert(1)",
	"JaVaScRiPt:alert(1)",
	" javascript:alert(1)",
	"java\tscript:alert(1)",
	"data:text/html,<script>alert(1)</script>",
	"vbscript:x",
	"file:///etc/passwd",
	"//evil.example",
	"///evil.example",
	"/\\evil.example",
	"\\\\evil.example",
	"/\t/evil.example",
	"/.//evil.example",
	"/a/..//evil.example",
	"/%2e//evil.example",
	"https:evil.example",
	"https://",
	"http:///",
	"ftp://evil.example",
	"evil.example",
	"?a",
	"#a",
	"",
	"https://example.com/\r\nset-cookie: a=b",
	`/${"漢".repeat(2_000)}`,
];

const readGot = ({ body }: Answer): JsonObject => (RunResult.parse(body).data as { got: JsonObject }).got;

function toJsonInput(text: string): unknown {
	const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
	return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { body: value };
}
