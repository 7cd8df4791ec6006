import assert from "node:assert/strict";
import type { World } from "./world.ts";

/** Builds a workflow text with the common first lines. */
const workflow = (name: string, description: string, rest: string): string =>
	`name: ${name}\ndescription: ${description}\nversion: "1"\n${rest}`;

export const GREETING = workflow(
	"greet",
	"Greets somebody by name",
	`trigger: { type: webhook }
triplets:
  - input >> then >> hello
config:
  hello:
    component: template
    text: Hello {{input.name}}!
`,
);

export const OUT_OF_STOCK = "gears are out of stock: order more before Friday";

export const STOCK = workflow(
	"check stock",
	"Fails when something is out of stock",
	`triplets:
  - input >> then >> stock
  - stock >> ON_TRUE >> fine
  - stock >> ON_FALSE >> refuse
config:
  stock: { component: code, input: "{{input}}", code: return input.count > 0 }
  fine: { component: template, text: In stock }
  refuse: { component: code, code: "throw new Error('${OUT_OF_STOCK}')" }
`,
);

/** The last node waits long enough to be seen running. */
export const STEPS = workflow(
	"steps",
	"Two steps, of which the second waits",
	`triplets:
  - input >> then >> first
  - first >> then >> second
config:
  first: { component: template, text: one }
  second: { component: wait, ms: 2000 }
`,
);

/** A form for people, and a page that may send it too. */
export const SIGN_UP = workflow(
	"sign up",
	"Notes who wants the newsletter",
	`trigger:
  type: webhook
  accept: [json, form]
  max_bytes: 20000
  cors: [https://shop.example.com]
  form: { title: Newsletter }
triplets:
  - input >> then >> thanks
config:
  thanks: { component: respond, body: "Thank you, {{input.name}}" }
options:
  input_schema:
    type: object
    required: [name]
    properties:
      name: { type: string, examples: [Ada] }
      mail: { type: string, format: email }
`,
);

const SHOP = workflow(
	"shop orders",
	"Runs for every order of the shop",
	`trigger:
  type: webhook
  accept: [json]
  signature: { scheme: shopify, credential: shop }
triplets:
  - input >> then >> note
config:
  note: { component: template, text: "{{input.id}}" }
`,
);

const OTHERS = [
	workflow(
		"count the orders of the day",
		"Adds up what was ordered, writes a note of it, and says so where something in between goes wrong",
		`trigger: { type: schedule, cron: 0 7 * * *, timezone: Asia/Taipei }
triplets:
  - orders >> FOREACH order >> price
  - orders >> then >> total
  - orders >> ON_FAIL >> alarm
config:
  orders: { component: foreach, items: "{{input.orders}}", concurrency: 4 }
  price: { component: code, input: "{{order}}", code: return input.each * input.count }
  total: { component: aggregate, items: "{{price}}", compute: { orders: count() } }
  alarm: { component: template, text: Orders could not be read }
options:
  expose: true
`,
	),
	workflow(
		"a_name_without_any_blank_that_is_as_long_as_names_of_workflows_that_are_made_by_programs_often_are",
		"Runs when an order is paid",
		`trigger: { type: event, event: order.* }
triplets:
  - input >> then >> note
config:
  note: { component: template, text: Paid }
`,
	),
];

const ENTRIES = [
	["Returns policy", "Customers may return goods within 30 days.\n\nRefunds go to the card that paid."],
	["Shipping", "Orders before noon leave the same day. Express to Taipei takes one day."],
	["退貨政策", "顧客可於三十天內退貨，退款將退回原付款方式。"],
	["Gear catalogue", "Gears of brass and steel, 8 to 64 teeth. ".repeat(40)],
] as const;

export const HANDBOOK = "https://example.com/handbook";

export const FACTS = [
	["brass gear", "is part of", "clock kit"],
	["steel gear", "is part of", "clock kit"],
	["clock kit", "is sold by", "Taipei workshop"],
	["clock kit", "requires", "spring"],
	["spring", "is made of", "steel"],
	["Taipei workshop", "is run by", "Ada"],
	["Taipei workshop", "is run by", "Grace"],
] as const;

/** IDs of seeded data. */
export interface Seeded {
	readonly failedRun: string;
	readonly entry: string;
}

/** Seeds some data for every page. */
export async function seedAll(world: World): Promise<Seeded> {
	for (const text of [GREETING, STOCK, STEPS, SIGN_UP, SHOP, ...OTHERS]) await saveWorkflow(world, text);
	const good = await runWorkflow(world, "greet", { name: "Ada" });
	const failed = await runWorkflow(world, "check stock", { count: 0 });
	const other = await runWorkflow(world, "check stock", { count: 3 });
	await waitForRecords(world, good, failed, other);
	const ids: string[] = [];
	for (const [page_name, content] of ENTRIES) ids.push(await createNote(world, page_name, content));
	await ingestFacts(world);
	await world.api("PUT", "/gui/credentials/orders", {
		auth_recipe: "github_token",
		fields: { token: "ghp_1234567890" },
	});
	await world.issueToken("An assistant");
	return { failedRun: failed, entry: ids[0] ?? "" };
}

export async function saveWorkflow(world: World, text: string): Promise<void> {
	const name = /^name: (.+)$/m.exec(text)?.[1] ?? "";
	await world.api("PUT", `/gui/workflows/${encodeURIComponent(name)}`, text);
}

/** Runs a workflow and returns the run ID. */
export async function runWorkflow(world: World, name: string, input: object): Promise<string> {
	const path = `/gui/workflows/${encodeURIComponent(name)}/run`;
	return ((await world.api("POST", path, input)) as { execution_id: string }).execution_id;
}

export async function createNote(world: World, page_name: string, content: string): Promise<string> {
	const written = await world.api("POST", "/gui/entries", {
		entry_type: "note",
		page_name,
		content,
		metadata_json: JSON.stringify({ source: HANDBOOK, tags: ["handbook"] }),
	});
	return (written as { entry: { id: string } }).entry.id;
}

export type Statement = readonly [subject: string, predicate: string, object: string];

/** Ingests two versions of the handbook; the second one replaces who runs the workshop. */
export async function ingestFacts(world: World): Promise<void> {
	await ingestVersion(world, FACTS.slice(0, -1), "version 1");
	await ingestVersion(world, FACTS.slice(-1), "version 2");
}

/** Ingests the facts of one version of the handbook. */
export async function ingestVersion(
	world: World,
	facts: readonly Statement[],
	version: string,
): Promise<void> {
	for (const [subject, predicate, object] of facts) {
		const { ok } = await fetch(`${world.storeUrl}/triplets/ingest`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({
				subject,
				predicate,
				object,
				gloss: { subject: `What ${subject} means here` },
				confidence: 0.9,
				source: { uri: HANDBOOK, hash: version, anchor: `${subject} ${predicate}` },
			}),
		});
		assert.ok(ok);
	}
}

/** Waits for execution records, which are written shortly after the response. */
export async function waitForRecords(world: World, ...ids: readonly string[]): Promise<void> {
	for (;;) {
		const { executions } = (await world.api("GET", "/gui/executions")) as { executions: { id: string }[] };
		if (ids.every((id) => executions.some((each) => each.id === id))) return;
	}
}
