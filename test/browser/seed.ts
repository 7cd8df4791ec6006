import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
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

/** Its runs take minutes, one after the other. */
export const IMPORT = workflow(
	"import orders",
	"Reads the orders of all shops",
	`triplets:
  - input >> then >> read
config:
  read: { component: wait, ms: 300000 }
options: { concurrency: 1, timeout: 1 hour }
`,
);

/** Its runs wait for days, without a process. */
export const REMINDER = workflow(
	"remind",
	"Reminds of an order that was not paid",
	`triplets:
  - input >> then >> pause
  - pause >> then >> note
config:
  pause: { component: wait, for: 2 days }
  note: { component: template, text: Please pay }
`,
);

/** Asks a person. */
export const APPROVAL = workflow(
	"approve invoice",
	"Asks whether an invoice is paid",
	`triplets:
  - input >> then >> ask
  - ask >> while waiting >> mail
  - ask >> then >> note
  - ask >> on error >> late
config:
  ask:
    component: ask
    question: "Pay **{{input.amount}}** euros?\\n\\n- see [the order](https://example.com/order)"
    show: { invoice: "{{input.invoice}}" }
    to: accounting
    expires: 3 days
  mail: { component: kb_upsert, page_name: "mail of {{execution.id}}", content: "{{ask.url}}" }
  note: { component: template, text: "{{ask.approved}}" }
  late: { component: template, text: late }
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

/** Takes files and says back what it got. */
export const ATTACH = workflow(
	"attach",
	"Takes a report and photos",
	`trigger: { type: webhook }
triplets:
  - input >> then >> back
config:
  back: { component: set, values: { got: "{{input}}" } }
options:
  input_schema:
    type: object
    required: [report]
    properties:
      report: { type: object, format: file, title: Report, contentMediaType: ".csv,text/plain" }
      photos: { type: array, items: { type: object, format: file, contentMediaType: image/* } }
      name: { type: string, examples: [Ada] }
`,
);

/** A red pixel. */
export const PIXEL = Uint8Array.from(
	atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="),
	(character) => character.charCodeAt(0),
);

/** Keeps what its nodes receive and give. Lines without a price fail, and the others continue. */
export const PRICES = workflow(
	"price orders",
	"Adds up the lines of an order",
	`triplets:
  - input >> then >> lines
  - lines >> FOREACH line >> price
  - lines >> then >> big label
config:
  lines: { component: foreach, items: "{{input.lines}}", on_item_error: collect }
  price: { component: compute, values: { name: line.name, amount: line.count * line.price } }
  big label:
    component: set
    values:
      order: { "customer name": "{{input.customer}}", lines: "{{price}}" }
      note: "{{input.note | default('')}}"
options: { keep: all }
`,
);

/** It fails, and the next one calls it. */
export const REFUSAL = workflow(
	"the shop",
	"Refuses every order",
	`triplets: [input >> then >> refuse]
config: { refuse: { component: fail, message: closed } }
`,
);

export const REFUSED = workflow(
	"ask the shop",
	"Calls a workflow that fails",
	`triplets: [input >> then >> ask]
config: { ask: { component: workflow, name: the shop } }
options: { keep: all }
`,
);

export const ORDER = {
	customer: "Ada Lovelace",
	lines: [
		{ name: "tea", count: 2, price: 5 },
		{ name: "pot", count: 1, price: "unknown" },
		{ name: "cup", count: 4, price: 3 },
	],
};

/** Three versions: the last one adds a node, removes one and changes one. */
export const REPORTS = [
	["Adds up the orders", "    text: Total {{sum}}"],
	["Adds up the orders of the day", "    text: Total {{sum}}"],
	["Adds up the orders of the day", "    text: Total {{sum}} NTD"],
].map(([description = "", line], index) =>
	workflow(
		"order report",
		description,
		`trigger: { type: schedule, cron: 0 18 * * 1-5, timezone: Asia/Taipei }
triplets:
  - input >> then >> orders
  - orders >> then >> sum
  - sum >> then >> note
${index < 2 ? "  - note >> then >> copy" : "  - orders >> ON_FAIL >> alarm"}
config:
  # The orders of the last day, at most a thousand.
  orders:
    component: set
    values:
      list: "{{input.orders}}"
  sum:
    component: template
    text: "{{orders.list}}"
  note:
    component: template
${line}
${index < 2 ? "  copy:\n    component: template\n    text: A copy for the archive" : "  alarm:\n    component: template\n    text: The orders could not be read"}
`,
	),
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
	workflow(
		"repository issues",
		"Lists the issues of a repository",
		`triplets:
  - issues >> then >> done
config:
  issues:
    component: github.list_issues
    credential: orders
    owner: octocat
    repo: Hello-World
  done: { component: template, text: "{{issues}}" }
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
	/** Of PRICES, after another one. */
	readonly keptRun: string;
	/** Of IMPORT, before another one. */
	readonly longRun: string;
	readonly entry: string;
}

/** Seeds some data for every page. */
export async function seedAll(world: World): Promise<Seeded> {
	for (const text of [GREETING, STOCK, STEPS, IMPORT, APPROVAL, SIGN_UP, SHOP, ATTACH, PRICES, ...OTHERS])
		await saveWorkflow(world, text);
	for (const text of REPORTS) await saveWorkflow(world, text);
	await world.api("PUT", "/gui/workflows/steps/draft", STEPS.replace("text: one", "text: two"));
	await saveWorkflow(world, STEPS.replace("text: one", "text: eins"));
	await world.api("PUT", "/gui/workflows/sign%20up/enabled", { enabled: false });
	for (const name of ["old greeting", "older greeting"]) {
		await saveWorkflow(world, GREETING.replace("name: greet", `name: ${name}`));
		await world.api("DELETE", `/gui/workflows/${encodeURIComponent(name)}`);
	}
	const good = await runWorkflow(world, "greet", { name: "Ada" });
	const failed = await runWorkflow(world, "check stock", { count: 0 });
	const other = await runWorkflow(world, "check stock", { count: 3 });
	const before = await runWorkflow(world, "price orders", { ...ORDER, customer: "Grace Hopper" });
	const kept = await runWorkflow(world, "price orders", ORDER);
	await waitForRecords(world, good, failed, other, before, kept);
	const long = await acceptRun(world, "import orders");
	await acceptRun(world, "import orders");
	await acceptQuestion(world, { amount: 250, invoice: "R-17" });
	const ids: string[] = [];
	for (const [page_name, content] of ENTRIES) ids.push(await createNote(world, page_name, content));
	await ingestFacts(world);
	await rememberConversation(world, {
		key: "ada@example.com",
		turns: 3,
		summary: "They talk about **tea**.",
	});
	await world.api("PUT", "/gui/credentials/orders", {
		auth_recipe: "github_token",
		fields: { token: "ghp_1234567890" },
	});
	await world.upload("photo.png", "image/png", PIXEL);
	await world.upload(
		"a_name_without_any_blank_that_is_as_long_as_those_of_scanners.pdf",
		"application/pdf",
		"%PDF",
	);
	await world.upload("orders.csv", "text/csv", "item,count\ngear,3\n");
	await world.issueToken("An assistant");
	return { failedRun: failed, keptRun: kept, longRun: long, entry: ids[0] ?? "" };
}

export async function saveWorkflow(world: World, text: string): Promise<void> {
	const name = /^name: (.+)$/m.exec(text)?.[1] ?? "";
	await world.api("PUT", `/gui/workflows/${encodeURIComponent(name)}`, text);
}

/** Discards drafts that earlier tests have left. */
export async function discardDrafts(world: World, ...names: readonly string[]): Promise<void> {
	for (const path of names.map((name) => `/gui/workflows/${encodeURIComponent(name)}`)) {
		const { draft } = (await world.api("GET", path)) as { draft: object | null };
		if (draft !== null) await world.api("DELETE", `${path}/draft`);
	}
}

/** Runs a workflow and returns the run ID. */
export async function runWorkflow(world: World, name: string, input: object): Promise<string> {
	const path = `/gui/workflows/${encodeURIComponent(name)}/run`;
	return ((await world.api("POST", path, input)) as { execution_id: string }).execution_id;
}

/** Starts a run that no caller waits for, and returns its ID. */
export async function acceptRun(world: World, name: string, input: object = {}): Promise<string> {
	const path = `/webhooks/named/default/${encodeURIComponent(name)}/trigger`;
	const response = await fetch(new URL(path, world.url), {
		method: "POST",
		headers: { "content-type": "application/json", prefer: "respond-async" },
		body: JSON.stringify(input),
	});
	assert.equal(response.status, 202);
	return ((await response.json()) as { execution_id: string }).execution_id;
}

/** Starts a run of APPROVAL, and returns its ID and the address of its question. */
export async function acceptQuestion(world: World, input: object): Promise<{ id: string; url: string }> {
	const id = await acceptRun(world, "approve invoice", input);
	for (;;) {
		const { entries } = (await world.api("GET", "/gui/entries?limit=20")) as {
			entries: { page_name: string; content: string }[];
		};
		const mail = entries.find(({ page_name }) => page_name === `mail of ${id}`);
		if (mail !== undefined) return { id, url: mail.content };
	}
}

/** Cancels all runs in progress, for which the service would wait when it stops. */
export async function cancelRuns(world: World): Promise<void> {
	const { executions } = (await world.api("GET", "/gui/executions/unfinished")) as {
		executions: { id: string }[];
	};
	for (const { id } of executions.reverse()) await world.api("POST", `/gui/executions/${id}/cancel`);
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

/** The workflow whose conversations are remembered. */
const AGENT = "answer customers";
const RUN = "01a00000-0000-7000-8000-000000000000";

interface Remembered {
	readonly key: string;
	readonly turns: number;
	readonly summary?: string;
	readonly facts?: readonly Statement[];
}

/** Writes what an agent remembers, as its runs do. */
export async function rememberConversation(
	world: World,
	{ key, turns, summary, facts = [["Ada", "drinks", "oolong tea"]] }: Remembered,
): Promise<void> {
	const owner_id = "default";
	for (let nth = 1; nth <= turns; nth++) {
		const call = { id: "call_1", name: "order_status", arguments: { order: nth }, is_json: true };
		const messages = [
			{ role: "user", content: `Where is my order ${nth}?` },
			{ role: "assistant", content: "", tool_calls: [call] },
			{ role: "tool", tool_call_id: "call_1", content: `Order ${nth} was sent on Monday.` },
			{ role: "assistant", content: `Order ${nth} is on its way.` },
		];
		await callStore(world, "POST", "/conversations/turns", {
			...{ owner_id, workflow: AGENT, key, execution_id: RUN, id: randomUUID() },
			messages_json: JSON.stringify(messages),
		});
	}
	const page = `${AGENT}/${key}`;
	if (summary !== undefined) {
		const query = new URLSearchParams({ owner_id, entry_type: "agent_conversation", page_name: page });
		const found = (await callStore(world, "GET", `/entries?${query}`)) as { entries: { id: string }[] };
		await callStore(world, "PUT", `/entries/${found.entries[0]?.id}`, { owner_id, content: summary });
	}
	for (const [subject, predicate, object] of facts)
		await callStore(world, "POST", "/triplets/ingest", {
			...{ owner_id, subject, predicate, object },
			source: { uri: `conversation:${page}`, hash: "conversation", block_id: RUN },
		});
}

async function callStore(world: World, method: string, path: string, body?: object): Promise<unknown> {
	const response = await fetch(world.storeUrl + path, {
		method,
		headers: { "content-type": "application/json" },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	assert.ok(response.ok, `${method} ${path}: ${response.status}`);
	return response.json();
}

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
		await callStore(world, "POST", "/triplets/ingest", {
			...{ subject, predicate, object, confidence: 0.9 },
			gloss: { subject: `What ${subject} means here` },
			source: { uri: HANDBOOK, hash: version, anchor: `${subject} ${predicate}` },
		});
	}
}

/** Waits for execution records, which are written shortly after the response. */
export async function waitForRecords(world: World, ...ids: readonly string[]): Promise<void> {
	for (;;) {
		const { executions } = (await world.api("GET", "/gui/executions")) as { executions: { id: string }[] };
		if (ids.every((id) => executions.some((each) => each.id === id))) return;
	}
}
