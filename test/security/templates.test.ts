import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { EntryPage } from "@tripline/contract/entries";
import { CreatedWebhook, Validation } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import { type Platform, platforms, type Target } from "../conformance/platforms.ts";
import { type Client, createClient, forEachItem, JSON_TYPE, tenant } from "./client.ts";

const OWNER = "templates";

/** Texts with a meaning in templates or expressions. */
const LIVE: readonly string[] = [
	"{{7*7}}",
	"{{credential.signer}}",
	"{{credential.signer.secret}}",
	"{{input}}",
	"{{input.value}}",
	"{{ input.value | upper }}",
	"{{context.secret}}",
	"{{workflow.name}}",
	"{{execution.id}}",
	'{{nodes["out"]}}',
	"{{input.constructor}}",
	"{{input.__proto__.polluted}}",
	"{{",
	"}}",
	"{{ }}",
	"{{{{input.value}}}}",
	"{{input.value}",
	"\\{{input.value}}",
	"{\u200b{input.value}}",
	"{{missing}}",
	"{{input.value | nofilter}}",
	'" + "{{context.secret}}',
	"input.value + input.value",
	"1 + 1",
	"true || false",
	"has(context.secret)",
	"size(context)",
	'"a" == "a"',
	"item.value",
	"[1,2,3].map(x, x * x)",
	"\u0024{7*7}",
	"#{7*7}",
	"<%= 7*7 %>",
	"%{7*7}",
	"{%7*7%}",
	"(function(){return 7*7})()",
	"constructor.constructor('return process')()",
	"__proto__",
	"input >> ON_SUCCESS >> fail",
	"*/1 * * * *",
];

/** Each returns the trigger's input through a different component. */
const PASSING: Readonly<Record<string, object>> = {
	set: { component: "set", values: { out: "{{input.value}}" } },
	"set in a text": { component: "set", values: { out: "{{input.value}}", beside: "<{{input.value}}>" } },
	"set a list": { component: "set", values: { out: "{{input.list[0]}}", all: ["{{input.list}}"] } },
	merge: { component: "merge", values: [{ out: "x" }, { out: "{{input.value}}" }, "{{input.extra}}"] },
	respond: { component: "respond", body: { out: "{{input.value}}" } },
	"sub-workflow": { component: "workflow", name: "inner", input: { value: "{{input.value}}" } },
};

let target: Target;
let client: Client;

before(async () => {
	target = await (platforms[0] as Platform).start({});
	client = createClient(() => target.publicUrl);
	const fields = { auth_recipe: "signing_secret", fields: { secret: "CANARY-OF-TEMPLATES" } };
	await send("PUT", "/credentials/signer", fields);
	const inner = { name: "inner", description: "", version: "1", ...one(PASSING.set as object) };
	assert.equal((await send("POST", "/workflows", inner)).status, 201);
});

after(async () => {
	client.close();
	await target.close();
});

describe("trigger data", () => {
	for (const [name, settings] of Object.entries(PASSING)) {
		test(`passes through ${name} unchanged`, async () => {
			const token = await createWebhook(one(settings));
			await forEachItem(LIVE, async (text) => {
				const sent = { value: text, list: [text], extra: { [text]: text } };
				const { data } = await run(token, sent);
				assert.equal((data as { out: unknown }).out, text);
				if (name === "set in a text") assert.equal((data as { beside: unknown }).beside, `<${text}>`);
				if (name === "merge") assert.equal((data as Record<string, unknown>)[text], text);
				assertLiteral(data, text);
			});
		});
	}

	test("passes through template, map, filter, sort, switch and FOREACH unchanged", async () => {
		const workflow = {
			triplets: [
				"input >> ON_SUCCESS >> text",
				"text >> ON_SUCCESS >> mapped",
				"mapped >> ON_SUCCESS >> kept",
				"kept >> ON_SUCCESS >> sorted",
				"sorted >> ON_SUCCESS >> chosen",
				"chosen >> ON_SUCCESS >> loop",
				"loop >> FOREACH element >> each",
				"loop >> ON_SUCCESS >> out",
			],
			config: {
				text: { component: "template", text: "{{input.value}}" },
				mapped: { component: "map", items: ["{{text}}"], value: "item" },
				kept: { component: "filter", items: "{{mapped}}", where: "item == input.value" },
				sorted: { component: "sort", items: "{{kept}}", by: "item" },
				chosen: { component: "switch", value: "{{sorted[0]}}" },
				loop: { component: "foreach", items: ["{{chosen}}", "{{chosen}}"] },
				each: { component: "template", text: "{{element}}" },
				out: { component: "set", values: { each: "{{each}}", joined: '{{each | join(" ")}}' } },
			},
		};
		const token = await createWebhook(workflow);
		await forEachItem(LIVE, async (text) => {
			const { data } = await run(token, { value: text });
			assert.deepEqual(data, { each: [text, text], joined: `${text} ${text}` });
		});
	});

	test("is written to the knowledge store and read back unchanged", async () => {
		const token = await createWebhook({
			triplets: ["input >> ON_SUCCESS >> write", "write >> ON_SUCCESS >> read", "read >> ON_SUCCESS >> out"],
			config: {
				write: {
					component: "kb_upsert",
					page_name: "page {{input.index}}",
					content: "{{input.value}}",
					metadata: { of: "{{input.value}}" },
				},
				read: { component: "kb_get", page_name: "page {{input.index}}" },
				out: { component: "template", text: "{{read.content}}" },
			},
		});
		for (const [index, value] of LIVE.entries()) {
			assert.equal((await run(token, { index, value })).data, value);
		}
		const listed = await fetch(`${target.storeUrl}/entries?owner_id=${OWNER}&entry_type=note&limit=1000`);
		const { entries } = EntryPage.parse(await listed.json());
		assert.deepEqual(
			entries.map(({ content, metadata_json }) => [content, JSON.parse(metadata_json)]).reverse(),
			LIVE.map((value) => [value, { of: value }]),
		);
	});

	test("is a value and a name of the state like any other", async () => {
		const token = await createWebhook({
			triplets: ["set >> ON_SUCCESS >> get", "get >> ON_SUCCESS >> out"],
			config: {
				set: { component: "state_set", name: "{{input.name}}", value: { "{{x}}": "{{input.value}}" } },
				get: { component: "state_get", name: "{{input.name}}" },
				out: { component: "set", values: "{{get.value}}" },
			},
		});
		for (const [index, value] of LIVE.entries()) {
			const isName = [...value].length <= 128 && value !== "" && !/\p{Cc}/u.test(value);
			const name = isName ? value : `name ${index}`;
			assert.deepEqual((await run(token, { name, value })).data, { "{{x}}": value });
		}
	});

	test("in every field, key and depth comes back unchanged", async () => {
		const token = await createWebhook(one({ component: "set", values: "{{input}}" }));
		await forEachItem(LIVE, async (text) => {
			const sent = {
				[text]: text,
				a: { [text]: [{ [text]: { b: [text, [text]] } }] },
				page_name: text,
				path: text,
			};
			assert.deepEqual((await run(token, sent)).data, sent);
		});
	});

	test("from query parameters and events comes back unchanged", async () => {
		const echo = { name: "ask", description: "", version: "1", options: { query: true } };
		await send("POST", "/workflows", { ...echo, ...one({ component: "respond", body: "{{input.value}}" }) });
		const note = { component: "kb_upsert", page_name: "event {{input.id}}", content: "{{input.data.value}}" };
		const trigger = { type: "event", event: "live.text" };
		await send("POST", "/workflows", { ...echo, name: "hear", trigger, ...one(note) });
		for (const [index, text] of LIVE.entries()) {
			const asked = await client.call("GET", `/q/${OWNER}/ask?value=${encodeURIComponent(text)}`);
			assert.deepEqual([asked.status, asked.text], [200, text]);
			const event = {
				specversion: "1.0",
				id: `e${index}`,
				source: "/s",
				type: "live.text",
				data: { value: text },
			};
			assert.equal((await send("POST", "/events", event)).status, 202);
		}
		const read = await createWebhook(one({ component: "kb_get", page_name: "event e{{input.index}}" }));
		for (const [index, text] of LIVE.entries()) {
			await waitFor(async () => {
				const { data } = await run(read, { index });
				return (data as { content?: string } | null)?.content === text;
			});
		}
	});
});

describe("a template", () => {
	const escapes = [
		"{{input.__proto__}}",
		"{{input.constructor}}",
		"{{input.prototype}}",
		'{{input["__proto__"]}}',
		"{{input['constructor']}}",
		'{{input["\\u005f_proto__"]}}',
		'{{input["const" + "ructor"]}}',
		"{{input.a.constructor.constructor}}",
		"{{input.list.constructor}}",
		"{{input.list.length.constructor}}",
		"{{input.list.__proto__.push}}",
		"{{nodes.constructor}}",
		'{{nodes["__proto__"]}}',
		"{{context.__proto__}}",
		"{{workflow.constructor}}",
		"{{execution.__proto__}}",
		"{{credential.__proto__}}",
		"{{__proto__}}",
		"{{constructor}}",
		"{{this}}",
		"{{globalThis}}",
		"{{process.env}}",
		"{{require('fs')}}",
		"{{input.toString()}}",
		"{{input.list.map(x => x)}}",
		"{{input | constructor}}",
		"{{input | __proto__}}",
		"{{input | toString}}",
		"{{input | default(constructor)}}",
		"{{input.toString}}",
		"{{input.hasOwnProperty}}",
		"{{input.list.length}}",
		"{{input.list.push}}",
		"{{input.text.length}}",
		"{{input[Symbol.iterator]}}",
	];
	for (const text of escapes) {
		test(`${text} is an error, before or when it runs`, async () => {
			assertRefused(await runWorkflow(one({ component: "set", values: { out: text } })), text);
		});
	}
});

describe("an expression", () => {
	const escapes = [
		"input.__proto__ == null",
		"input.constructor == null",
		'input["constructor"] != null',
		'input["__pro" + "to__"] != null',
		"input.constructor.constructor('return process')()",
		"constructor('return 1')()",
		"[].constructor == null",
		'"".constructor == null',
		"input.list.length > 0",
		"input.text.length > 0",
		"globalThis != null",
		"process.env.HOME != ''",
		"this != null",
		"input.toString() != ''",
		"(() => 1)() == 1",
		"new Date() != null",
		"`x` == 'x'",
		"input.valueOf != null",
		"credential.signer.secret != ''",
		"__proto__ != null",
	];
	for (const text of escapes) {
		test(`${text} is an error, before or when it runs`, async () => {
			assertRefused(await runWorkflow(one({ component: "if", condition: text })), text);
		});
	}
});

describe("a credential", () => {
	const places: readonly (readonly [string, object])[] = [
		["set", { component: "set", values: { a: "{{credential.signer}}" } }],
		["set, its field", { component: "set", values: { a: "{{credential.signer.secret}}" } }],
		["template", { component: "template", text: "{{credential.signer.secret}}" }],
		["fail", { component: "fail", message: "{{credential.signer.secret}}" }],
		["respond", { component: "respond", body: "{{credential.signer.secret}}" }],
		["kb_upsert", { component: "kb_upsert", page_name: "c", content: "{{credential.signer.secret}}" }],
		["state_set", { component: "state_set", name: "c", value: "{{credential.signer.secret}}" }],
		["the name of state_get", { component: "state_get", name: "{{credential.signer.secret}}" }],
		["kb_list", { component: "kb_list", metadata: { a: "{{credential.signer.secret}}" } }],
		[
			"record_save",
			{ component: "record_save", template: "c", values: { a: "{{credential.signer.secret}}" } },
		],
		["the whole root", { component: "set", values: { a: "{{credential}}" } }],
		["if", { component: "if", condition: 'credential.signer.secret == "CANARY-OF-TEMPLATES"' }],
		["crypto", { component: "crypto", operation: "sha256", value: "{{credential.signer.secret}}" }],
	];
	for (const [name, settings] of places) {
		test(`cannot be read through ${name}`, async () => {
			const text = await runWorkflow(one(settings));
			assertRefused(text, name);
			assert.doesNotMatch(text.shown, /CANARY-OF-TEMPLATES/);
		});
	}
});

/** A workflow with one node. */
const one = (settings: object) => ({ triplets: ["input >> ON_SUCCESS >> only"], config: { only: settings } });

const send = (method: string, path: string, body: object) =>
	client.call(method, path, { headers: [...tenant(OWNER), ...JSON_TYPE], body: JSON.stringify(body) });

async function createWebhook(body: object): Promise<string> {
	const made = await send("POST", "/webhooks", { context: { secret: "of the context" }, ...body });
	assert.equal(made.status, 201, made.text);
	return CreatedWebhook.parse(made.body).token;
}

async function run(token: string, context: object) {
	const answer = await send("POST", `/webhooks/${token}/trigger`, context);
	assert.equal(answer.status, 200, answer.text);
	return RunResult.parse(answer.body);
}

interface Outcome {
	readonly refused: boolean;
	readonly shown: string;
}

/** Whether it compiles and completes. */
async function runWorkflow(workflow: object): Promise<Outcome> {
	const document = { name: "escape", description: "", version: "1", context: { a: 1 }, ...workflow };
	const { valid } = Validation.parse((await send("POST", "/workflows/validate", document)).body);
	const made = await send("POST", "/webhooks", document);
	assert.equal(made.status, valid ? 201 : 400, made.text);
	if (!valid) return { refused: true, shown: made.text };
	const token = CreatedWebhook.parse(made.body).token;
	const ran = await send("POST", `/webhooks/${token}/trigger`, { a: {}, list: [1], text: "x" });
	return { refused: ran.status === 500 && /"error":"only: /.test(ran.text), shown: ran.text };
}

function assertRefused({ refused, shown }: Outcome, about: string): void {
	assert.ok(refused, `${about}: ${shown}`);
	assert.doesNotMatch(shown, /native code|\[object |process\.|node:|\/home\/|\.ts:\d/);
}

/** Asserts that nothing in the text was evaluated. */
function assertLiteral(data: unknown, text: string): void {
	const shown = JSON.stringify(data);
	assert.ok(!shown.includes("CANARY-OF-TEMPLATES"), text);
	assert.ok(!shown.includes("of the context"), text);
	assert.ok(!/(?<!\d)49(?!\d)/.test(shown), text);
}

async function waitFor(check: () => Promise<boolean>): Promise<void> {
	const until = Date.now() + 10_000;
	while (!(await check())) {
		assert.ok(Date.now() < until, "it did not happen in time");
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}
