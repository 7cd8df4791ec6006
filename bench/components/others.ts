import type { Effects } from "@tripline/components/effects";
import { createManifestComponents } from "@tripline/components/installed/component";
import { redactor } from "@tripline/components/outbound/redact";
import { createRecipeComponents } from "@tripline/components/recipes/component";
import { type ApiRecipe, type AuthRecipe, WriteApiRecipe, WriteAuthRecipe } from "@tripline/contract/recipes";
import { Manifest } from "@tripline/contract/registry";
import type { Catalogue, Component } from "@tripline/engine/component";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { compilePlan } from "../executor/engine.ts";
import { measureCost } from "../measure.ts";
import type { Row } from "../report.ts";
import { callInLanes, openCaller, runForData } from "./calls.ts";
import { CODE, ORDER } from "./order.ts";
import type { Outside } from "./outside.ts";

const ROUNDS = 9;
const TOKEN = "a-token-of-some-length-0123456789";
const EVENTS = 200;

/** The cost of other components, for information only. */
export async function otherComponents(outside: Outside, onProgress: (what: string) => void): Promise<Row[]> {
	const rows: Row[] = [];
	const measure = async (what: string, calls: number, call: () => unknown, lanes = 1) => {
		onProgress(what);
		const run = () => callInLanes(calls, lanes, async () => call());
		rows.push({
			what,
			unit: "µs",
			ours: await measureCost({ rounds: ROUNDS, side: () => ({ calls, run }) }),
		});
	};

	const host = new URL(outside.url).host;
	await using caller = openCaller(async () => ({
		recipe: authRecipe(host),
		fields: { token: TOKEN },
		key: "bench",
	}));
	const recipe = compilePlan(
		buildGraph("shop.thing", { id: "thing", credential: "mine" }),
		recipeCatalogue(host),
	);
	const recipeCall = () => caller.run(recipe);
	await measure("recipe call with a bearer credential, 16 at a time", 500, recipeCall, 16);

	const sandbox = nodeSandbox();
	const installed = compilePlan(buildGraph("totals", { ...ORDER }), installedCatalogue());
	await measure("installed code component", 300, () => runForData(installed, {}, { sandbox }));
	await sandbox.close();

	const chat = compilePlan(buildGraph("llm_chat", { model: "m", prompt: "p", stream: true }));
	const http: Effects["http"] = async ({ url, sink }) => {
		const { body, ...head } = STREAM;
		await sink?.take({ ...head, url }, new Response(body).body ?? new ReadableStream());
		return { ...STREAM, url };
	};
	await measure(`llm_chat, a stream of ${EVENTS} events`, 100, () =>
		runForData(chat, {}, { http, getModelPrice: () => null, countTokens: () => {} }),
	);

	const clean = redactor([TOKEN]);
	await measure("redaction of an answer of 1 MiB without the value", 5, () => clean.bytes(LARGE));
	return rows;
}

const buildGraph = (
	component: string,
	{ credential, ...params }: { credential?: string; [name: string]: unknown },
) => ({
	graph: {
		nodes: [{ id: "one", component, params, ...(credential !== undefined && { credential }) }],
		edges: [],
	},
});

const createCatalogue = (components: readonly Component<Effects>[]): Catalogue<Effects> => {
	const byId = new Map(components.map((component) => [component.id, component]));
	return { get: (id) => byId.get(id), ids: () => [...byId.keys()] };
};

const authRecipe = (host: string): AuthRecipe => ({
	...WriteAuthRecipe.parse({
		type: "bearer",
		title: "Token",
		fields: [{ name: "token", secret: true, help: "" }],
		hosts: [host],
	}),
	id: "token",
});

function recipeCatalogue(host: string): Catalogue<Effects> {
	const recipe: ApiRecipe = {
		...WriteApiRecipe.parse({
			title: "Shop",
			description: "Things.",
			auth: "token",
			base_url: `http://${host}`,
			operations: {
				thing: {
					title: "A thing",
					method: "GET",
					path: "/{id}",
					params: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
					output: {
						value: { title: "{{data.title}}", labels: "{{data.labels}}" },
						schema: { type: "object" },
					},
				},
			},
		}),
		id: "shop",
	};
	return createCatalogue(createRecipeComponents(recipe, { authHosts: [host] }));
}

function installedCatalogue(): Catalogue<Effects> {
	const list = { type: "array", items: { type: "object" } };
	const text = { type: "string" };
	const manifest = Manifest.parse({
		kind: "code",
		id: "totals",
		version: "1.0.0",
		title: "Totals",
		description: "What an order comes to.",
		publisher: "bench",
		license: "MIT",
		tags: ["bench"],
		hosts: [],
		credentials: [],
		params: { type: "object", properties: { id: text, customer: text, currency: text, lines: list } },
		output: { type: "object", properties: { label: text, total: { type: "number" }, lines: list } },
		code: CODE,
		examples: [{ title: "An order", params: ORDER, output: {} }],
	});
	return createCatalogue(createManifestComponents(manifest));
}

const event = (delta: object, more: object = {}) =>
	`data: ${JSON.stringify({
		id: "chatcmpl-1",
		object: "chat.completion.chunk",
		created: 1_767_225_600,
		model: "m",
		choices: [{ index: 0, delta, finish_reason: null, ...more }],
	})}\n\n`;

const STREAM = {
	status: 200,
	headers: { "content-type": "text/event-stream" },
	body: new TextEncoder().encode(
		[
			...Array.from({ length: EVENTS - 1 }, (_, nth) => event({ content: ` word${nth}` })),
			event({}, { finish_reason: "stop" }),
			"data: [DONE]\n\n",
		].join(""),
	),
};

const LINE = `${JSON.stringify({ id: 1, name: "Brass gear", note: "é: words like a token, 0123456789" })},\n`;
const LARGE = new TextEncoder().encode(LINE.repeat(Math.floor(2 ** 20 / (LINE.length + 1))));
