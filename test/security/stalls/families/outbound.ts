import { type Case, type Family, oneNode, type Step, send, trigger, webhook } from "../case.ts";
import { OUTSIDE_PATHS } from "../outside.ts";
import { list, object, text } from "../shapes.ts";

const LIMIT_MS = 10_000;
const SECRET = "secret-of-the-stall-tests-0123456789";

/** A credential for the outside server. */
const credential: readonly Step[] = [
	send(
		"/auth-recipes/outside",
		() => ({
			title: "Outside",
			type: "bearer",
			fields: [{ name: "token", secret: true, help: "From the settings" }],
			hosts: ["{outside}"],
			inject: {},
		}),
		{ method: "PUT", isPreparation: true },
	),
	send("/credentials/outside", () => ({ auth_recipe: "outside", fields: { token: SECRET } }), {
		method: "PUT",
		isPreparation: true,
	}),
];

const callWebhook = (settings: object, input: () => unknown = () => ({})): Step[] => [
	...webhook(() =>
		oneNode({ component: "http_request", attempts: 1, ...settings }, { options: { timeout_ms: LIMIT_MS } }),
	),
	trigger(input, { lateAfterMs: LIMIT_MS }),
];

const QUICK: ReadonlySet<string> = new Set(["json-secrets", "gzip-bomb", "json-empty-lists"]);

const answers: Case[] = OUTSIDE_PATHS.map((path) => ({
	name: `an answer with a credential: ${path}`,
	steps: [
		...credential,
		...callWebhook({
			url: `http://{outside}/${path}`,
			credential: "outside",
			...(/link|page/.test(path) && { paginate: { by: "link", max_pages: 100 } }),
		}),
	],
	...(QUICK.has(path) && { isQuick: true as const }),
}));

const asText: Case[] = ["json-keys", "json-secrets", "text-secrets", "bytes", "text-not-utf-8"].flatMap(
	(path) =>
		["text", "json", "base64"].map((response) => ({
			name: `an answer read as ${response}: ${path}`,
			steps: [
				...credential,
				...callWebhook({ url: `http://{outside}/${path}`, credential: "outside", response }),
			],
		})),
);

const requests: Case[] = [
	{
		name: "a body of a megabyte",
		steps: callWebhook({ url: "http://{outside}/bytes", method: "POST", json: "{{input.v}}" }, () => ({
			v: list(490_000, () => 1),
		})),
	},
	{
		name: "a form of 60,000 fields",
		steps: callWebhook({ url: "http://{outside}/bytes", method: "POST", form: "{{input.v}}" }, () => ({
			v: object(60_000, (at) => [`k${at}`, 1]),
		})),
	},
	{
		name: "60,000 query parameters",
		steps: callWebhook({ url: "http://{outside}/bytes", query: "{{input.v}}" }, () => ({
			v: object(60_000, (at) => [`k${at}`, 1]),
		})),
	},
	{
		name: "a query parameter with 400,000 values",
		steps: callWebhook({ url: "http://{outside}/bytes", query: { a: "{{input.v}}" } }, () => ({
			v: list(400_000, () => 1),
		})),
		isQuick: true,
	},
	{
		name: "60,000 headers",
		steps: callWebhook({ url: "http://{outside}/bytes", headers: "{{input.v}}" }, () => ({
			v: object(60_000, (at) => [`k${at}`, "1"]),
		})),
	},
	{
		name: "an address of a megabyte",
		steps: callWebhook({ url: "http://{outside}/{{input.v}}" }, () => ({ v: "../".repeat(300_000) })),
	},
	{
		name: "10,000 parts of a form",
		steps: callWebhook({ url: "http://{outside}/bytes", method: "POST", multipart: "{{input.v}}" }, () => ({
			v: list(20_000, (at) => ({ name: `n${at}`, text: "x" })),
		})),
	},
	{
		name: "a megabyte of base64",
		steps: callWebhook({ url: "http://{outside}/bytes", method: "POST", base64: "{{input.v}}" }, () => ({
			v: "A".repeat(900_000),
		})),
	},
	{
		name: "a body with 10,000 credentials",
		steps: [
			...credential,
			...callWebhook({
				url: "http://{outside}/bytes",
				method: "POST",
				json: list(20_000, () => "{{credential.outside}}"),
			}),
		],
	},
	{
		name: "a text with 10,000 credentials",
		steps: [
			...credential,
			...callWebhook({
				url: "http://{outside}/bytes",
				method: "POST",
				text: text(20_000, () => "{{credential.outside}}"),
			}),
		],
	},
	{
		name: "headers of 100 credentials",
		steps: [
			...credential,
			...callWebhook({
				url: "http://{outside}/header-secrets",
				headers: object(100, (at) => [`x-${at}`, text(10, () => "{{credential.outside}}")]),
			}),
		],
	},
	{
		name: "100 pages that each have 50,000 items",
		steps: callWebhook({ url: "http://{outside}/pages-for-ever", paginate: { by: "link", max_pages: 100 } }),
	},
	{
		name: "a loop of 300 calls with large answers",
		steps: [
			...credential,
			...webhook(() => ({
				triplets: ["input >> then >> l", "l >> FOREACH e >> n"],
				config: {
					l: { component: "foreach", items: "{{input.v}}", concurrency: 64 },
					n: {
						component: "http_request",
						url: "http://{outside}/json-empty-lists",
						credential: "outside",
						attempts: 1,
						timeout_ms: 5_000,
					},
				},
				options: { timeout_ms: LIMIT_MS },
			})),
			trigger(() => ({ v: list(300, (at) => at) }), { lateAfterMs: LIMIT_MS }),
		],
	},
	{
		name: "a credential with a secret of 50 KB",
		steps: [
			...credential.slice(0, 1),
			send(
				"/credentials/outside",
				() => ({ auth_recipe: "outside", fields: { token: "s3cret/+ ".repeat(5_000).trim() } }),
				{ method: "PUT" },
			),
			...callWebhook({ url: "http://{outside}/text-one-letter", credential: "outside" }),
			...credential.slice(1),
		],
	},
	{
		name: "llm_chat with a hostile stream",
		steps: [
			...credential,
			...webhook(() =>
				oneNode(
					{
						component: "llm_chat",
						provider: "anthropic",
						base_url: "http://{outside}",
						model: "hostile",
						prompt: "a",
						stream: true,
						credential: "outside",
					},
					{ options: { timeout_ms: LIMIT_MS } },
				),
			),
			trigger(() => ({}), { lateAfterMs: LIMIT_MS }),
		],
	},
	...["llm_chat", "embed"].map((component) => ({
		name: `${component} with a hostile answer`,
		steps: [
			...credential,
			...webhook(() =>
				oneNode(
					{
						component,
						base_url: "http://{outside}/v1",
						model: "hostile",
						credential: "outside",
						...(component === "embed"
							? { input: "a" }
							: {
									prompt: "a",
									schema: { type: "object", properties: { a: { type: "array", items: { type: "string" } } } },
								}),
					},
					{ options: { timeout_ms: LIMIT_MS } },
				),
			),
			trigger(() => ({}), { lateAfterMs: LIMIT_MS }),
		],
	})),
];

const stored: Case[] = [
	{
		name: "credentials with 1,000 fields",
		steps: [
			send(
				"/credentials/wide",
				() => ({ auth_recipe: "outside", fields: object(60_000, (at) => [`f${at}`, "x"]) }),
				{ method: "PUT" },
			),
		],
	},
	{
		name: "an auth recipe with 10,000 hosts",
		steps: [
			send(
				"/auth-recipes/wide",
				() => ({
					title: "w",
					type: "bearer",
					fields: [],
					hosts: list(40_000, (at) => `h${at}.example`),
					inject: {},
				}),
				{ method: "PUT" },
			),
			send(
				"/auth-recipes/wide",
				() => ({
					title: "w",
					type: "bearer",
					fields: list(20_000, (at) => ({ name: `f${at}`, secret: true, help: "h" })),
					hosts: ["a.example"],
					inject: {},
				}),
				{ method: "PUT" },
			),
			send(
				"/auth-recipes/wide",
				() => ({
					title: "w",
					type: "header",
					fields: [{ name: "token", secret: true, help: "h" }],
					hosts: ["a.example"],
					inject: { headers: { "x-a": "{token}".repeat(100_000) } },
				}),
				{ method: "PUT" },
			),
		],
	},
	...Object.entries({
		"1,000 operations": () => object(1_000, (at) => [`op${at}`, operation("/a")]),
		"a path of a megabyte": () => ({ op: operation(`/${"{id}".repeat(200_000)}`) }),
		"a path of braces": () => ({ op: operation(`/${"{".repeat(800_000)}`) }),
		"a body of 50,000 templates": () => ({
			op: {
				...operation("/a"),
				method: "POST",
				body: { kind: "json", value: list(40_000, () => "{{params.id}}") },
			},
		}),
		"a body of wrong templates": () => ({
			op: {
				...operation("/a"),
				method: "POST",
				body: { kind: "json", value: list(40_000, () => "{{params.") },
			},
		}),
		"parameters that are hostile": () => ({
			op: {
				...operation("/a"),
				params: {
					type: "object",
					properties: object(900, (at) => [`p${at}`, { anyOf: list(2, () => ({ type: "string" })) }]),
				},
			},
		}),
		"10,000 examples": () => ({
			op: { ...operation("/a"), examples: list(20_000, () => ({ title: "t", params: { id: "7" } })) },
		}),
	}).map(([name, operations]) => ({
		name: `a recipe with ${name}`,
		steps: [
			send(
				"/recipes/hostile",
				() => ({
					title: "t",
					description: "d",
					auth: null,
					base_url: "https://a.example",
					docs_url: "https://a.example",
					operations: operations(),
				}),
				{ method: "PUT" },
			),
		],
	})),
];

function operation(path: string): object {
	return {
		title: "t",
		method: "GET",
		path,
		params: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
		output: { schema: {} },
	};
}

export const outbound: Family = { name: "outbound", cases: [...answers, ...asText, ...requests, ...stored] };
