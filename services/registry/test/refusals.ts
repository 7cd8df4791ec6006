import type { Json } from "@tripline/contract/json";
import { callingManifest, doublingManifest } from "./manifests.ts";

/** A submission, with the status and reason of its refusal. */
type Refusal = readonly [what: string, manifest: unknown, status: number, why: RegExp, more?: object];

export const buildExamples = (changes: object) => [{ title: "Two", params: { n: 2 }, output: 4, ...changes }];
const recipe = callingManifest().recipe;
const operation = recipe.operations.get_ticket;
const replaceOperation = (changes: object) =>
	callingManifest({ recipe: { ...recipe, operations: { get_ticket: { ...operation, ...changes } } } });
export const nestObject = (levels: number): Record<string, Json> =>
	levels === 0 ? {} : { a: nestObject(levels - 1) };
const fetchingManifest = (changes: object = {}) =>
	doublingManifest({
		hosts: ["api.acme.example.com"],
		code: 'const { data } = await http({ method: "GET", url: "https://api.acme.example.com/n" });\nreturn data.n;',
		examples: buildExamples({
			output: 4,
			http: [
				{
					request: { method: "GET", url: "https://api.acme.example.com/n" },
					response: { status: 200, data: { n: 4 } },
				},
			],
		}),
		...changes,
	});

export const NO_MANIFEST: readonly Refusal[] = [
	...[
		"../etc",
		"a/b",
		"a%2fb",
		".",
		"..",
		"a@1.0.0",
		"component:x",
		"A",
		"a b",
		"",
		"é",
		"-a",
		"__proto__",
		"a\u0000b",
		"x".repeat(65),
		"a.b",
		"index\n",
	].map(
		(id): Refusal => [
			`the id ${JSON.stringify(id)}`,
			doublingManifest({ id }),
			id.includes("\0") ? 400 : 422,
			id.includes("\0") ? /NUL/ : /manifest\.id/,
		],
	),
	...[
		"1",
		"1.0",
		"v1.0.0",
		"1.0.0-beta",
		"01.0.0",
		"1.0.0/../2",
		"-1.0.0",
		"1e3.0.0",
		"99999999999.0.0",
		"*",
	].map(
		(version): Refusal => [`the version ${version}`, doublingManifest({ version }), 422, /manifest\.version/],
	),
	["nothing", undefined, 422, /manifest/],
	["null", null, 422, /manifest/],
	["a list", [doublingManifest()], 422, /manifest/],
	["a text", JSON.stringify(doublingManifest()), 422, /manifest/],
	["another kind", { ...doublingManifest(), kind: "native" }, 422, /manifest\.kind/],
	["an unknown field", doublingManifest({ postinstall: "rm -rf /" }), 422, /postinstall/],
	[
		"a prototype in the manifest",
		JSON.parse(JSON.stringify(doublingManifest()).replace("{", '{"__proto__":{"kind":"code"},')),
		422,
		/__proto__|unknown/,
	],
	["constructor as a field", doublingManifest({ constructor: { prototype: {} } }), 422, /constructor/],
	["the host *", doublingManifest({ hosts: ["*"] }), 422, /manifest\.hosts\.0/],
	["a host with a path", doublingManifest({ hosts: ["example.com/x"] }), 422, /manifest\.hosts\.0/],
	["a host with a user", doublingManifest({ hosts: ["me@example.com"] }), 422, /manifest\.hosts\.0/],
	["a host in capitals", doublingManifest({ hosts: ["API.example.com"] }), 422, /manifest\.hosts\.0/],
	[
		"too many hosts",
		doublingManifest({ hosts: Array.from({ length: 21 }, (_, at) => `h${at}.example.com`) }),
		422,
		/manifest\.hosts/,
	],
	["no examples", doublingManifest({ examples: [] }), 422, /manifest\.examples/],
	[
		"code that is too long",
		doublingManifest({ code: `return 4;${" ".repeat(70_000)}` }),
		422,
		/manifest\.code/,
	],
	["an invalid hash", doublingManifest(), 422, /sha256/, { sha256: "abc" }],
	["a status set by the publisher", doublingManifest(), 422, /status/, { status: "approved" }],
];

export const FAILED_CHECKS: readonly Refusal[] = [
	["a wrong hash", doublingManifest(), 422, /hash.*SHA-256 is/, { sha256: "0".repeat(64) }],
	["the name of a built-in component", doublingManifest({ id: "template" }), 422, /name.*built-in/],
	[
		"a built-in component's name with another dash",
		doublingManifest({ id: "kb-search" }),
		422,
		/name.*kb_search/,
	],
	[
		"a built-in component's name with a typing error",
		doublingManifest({ id: "agregate" }),
		422,
		/name.*aggregate/,
	],
	["the name of a bundled recipe", doublingManifest({ id: "github" }), 422, /name.*bundled/],
	["a bundled recipe's name in other letters", doublingManifest({ id: "g1thub" }), 422, /name.*git/],
	["a bundled recipe's name with letters swapped", doublingManifest({ id: "slcak" }), 422, /name.*slack/],
	[
		"the name of another's component",
		doublingManifest({ id: "text-tool", publisher: "mallory" }),
		422,
		/name.*text-tool/,
	],
	[
		"another's component's name without its dash",
		doublingManifest({ id: "texttool", publisher: "mallory" }),
		422,
		/name.*text-tool/,
	],
	[
		"another's component's name in look-alike letters",
		doublingManifest({ id: "text-t0ol", publisher: "mallory" }),
		422,
		/name.*text-tool/,
	],
	[
		"a lower version",
		doublingManifest({ id: "text-tool", publisher: "bob", version: "1.9.9" }),
		422,
		/version.*not higher/,
	],
	["a publisher's name in another script", doublingManifest({ publisher: "аcme" }), 422, /publisher/],
	["a publisher with a line break", doublingManifest({ publisher: "acme\nofficial" }), 422, /publisher/],
	["a publisher that reads backwards", doublingManifest({ publisher: "\u202Eemca" }), 422, /publisher/],
	[
		"an auth recipe of the name of a bundled one",
		callingManifest({
			credentials: ["gitlab-token"],
			auth_recipes: { "gitlab-token": callingManifest().auth_recipes["acme-key"] },
			recipe: { ...recipe, auth: "gitlab-token" },
		}),
		422,
		/name.*git/,
	],
	...[
		"localhost",
		"127.0.0.1",
		"10.0.0.1:8080",
		"2130706433",
		"[::1]",
		"169.254.169.254",
		"metadata.google.internal",
		"printer.local",
		"intranet",
	].map((host): Refusal => [`the host ${host}`, doublingManifest({ hosts: [host] }), 422, /hosts/]),
	["all hosts of a top-level domain", doublingManifest({ hosts: ["*.com"] }), 422, /manifest.*wide/],
	[
		"a host from a credential that it does not take",
		doublingManifest({ hosts: ["{host}"] }),
		422,
		/manifest/,
	],
	[
		"a recipe at a host that it does not declare",
		callingManifest({ hosts: ["other.example.com"] }),
		422,
		/manifest.*host/,
	],
	[
		"a credential that goes to other hosts than declared",
		callingManifest({
			auth_recipes: {
				"acme-key": { ...callingManifest().auth_recipes["acme-key"], hosts: ["evil.example.org"] },
			},
		}),
		422,
		/manifest.*evil\.example\.org/,
	],
	[
		"a pattern that hangs, in code",
		doublingManifest({ code: 'return /^(a+)+$/.test("a".repeat(40) + "b") ? 0 : input.n * 2;' }),
		422,
		/trial.*the code computed for longer than 2000 ms/,
	],
	[
		"a pattern that hangs, in a text",
		doublingManifest({
			code: 'return new RegExp("^(\\\\w+)*$").test("a".repeat(40) + "!") ? 0 : input.n * 2;',
		}),
		422,
		/trial.*the code computed for longer than 2000 ms/,
	],
	[
		"a pattern that hangs, in a schema",
		doublingManifest({
			params: {
				type: "object",
				properties: { n: { type: "number" }, s: { type: "string", pattern: "^(a|a)*$" } },
			},
		}),
		422,
		/manifest.*pattern/,
	],
	[
		"a pattern that hangs, in a recipe's schema",
		replaceOperation({
			params: {
				type: "object",
				properties: { id: { type: "string", pattern: "(x+x+)+y" } },
				required: ["id"],
			},
		}),
		422,
		/manifest.*pattern/,
	],
	["an invalid schema", doublingManifest({ params: { type: "banana" } }), 422, /manifest.*params/],
	["invalid code", doublingManifest({ code: "return ((" }), 422, /trial/],
	[
		"code that leaves its function",
		doublingManifest({ code: "return 4; } ; globalThis.x = 1; { " }),
		422,
		/trial/,
	],
	[
		"code that returns something else",
		doublingManifest({ code: "return input.n + 1;" }),
		422,
		/trial.*it returned 3, not 4/,
	],
	[
		"code that throws in some examples",
		doublingManifest({
			code: "if (input.n === 3) throw new Error('three'); return input.n * 2;",
			examples: [...buildExamples({}), { title: "Three", params: { n: 3 }, output: 6 }],
		}),
		422,
		/trial.*Three.*three/,
	],
	["code that never ends", doublingManifest({ code: "for (;;);" }), 422, /trial/],
	[
		"code that never settles",
		doublingManifest({ code: "await new Promise(() => {}); return 4;" }),
		422,
		/trial/,
	],
	[
		"code that takes all memory",
		doublingManifest({ code: "const all = []; for (;;) all.push(new Array(100000).fill(1));" }),
		422,
		/trial/,
	],
	[
		"code that recurses without end",
		doublingManifest({ code: "const f = () => f() + f(); return f();" }),
		422,
		/trial/,
	],
	[
		"code that returns too much",
		doublingManifest({
			output: { type: "string" },
			code: "return 'x'.repeat(5_000_000);",
			examples: buildExamples({ output: "x" }),
		}),
		422,
		/trial/,
	],
	[
		"code that looks for the process",
		doublingManifest({ code: "return process.env.HOME.length;" }),
		422,
		/trial/,
	],
	[
		"code that calls without declaring hosts",
		doublingManifest({ code: 'await http({ method: "GET", url: "https://evil.example.org" }); return 4;' }),
		422,
		/trial/,
	],
	[
		"code that calls a host that it does not declare",
		fetchingManifest({
			code: 'const host = ["evil", "example", "org"].join(".");\ntry { await http({ method: "GET", url: "https:" + "//" + host }); } catch {}\nreturn 4;',
		}),
		422,
		/trial.*evil\.example\.org/,
	],
	[
		"code that calls what it did not record",
		fetchingManifest({
			code: 'await http({ method: "DELETE", url: "https://api.acme.example.com/n" });\nreturn 4;',
		}),
		422,
		/trial/,
	],
	[
		"code that sends more than it recorded",
		fetchingManifest({
			code: 'const { data } = await http({ method: "GET", url: "https://api.acme.example.com/n", json: input });\nreturn data.n;',
		}),
		422,
		/trial/,
	],
	[
		"a recorded call to another host",
		fetchingManifest({
			examples: buildExamples({
				http: [
					{
						request: { method: "GET", url: "https://evil.example.org/" },
						response: { status: 200, data: 1 },
					},
				],
			}),
		}),
		422,
		/manifest.*evil\.example\.org/,
	],
];
