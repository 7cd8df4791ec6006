import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { buildAnswer, type ModelReply } from "../model-double.ts";
import { assertFits, assertTranslated, collectAnswers, takeScreenshots } from "./checks.ts";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import { acceptRun, runWorkflow, saveWorkflow, waitForRecords } from "./seed.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const NARROW = 360;
const HTML = "<b>Order 7</b> & <script>alert(1)</script>";

const ORDER_STATUS = `name: order status
description: Finds the status of an order
version: "1"
options:
  input_schema:
    type: object
    properties: { order: { type: integer } }
    required: [order]
triplets:
  - input >> then >> found
config:
  found: { component: code, input: "{{input}}", code: "if (input.order > 9) throw new Error('no such order'); return '${HTML}'" }
`;

const buildAgent = (name: string, base: string, more = "") => `name: ${name}
description: Answers customers
version: "1"
triplets:
  - input >> then >> answer
config:
  answer:
    component: agent
    model: m
    base_url: ${base}
    instructions: You answer customers of a tea shop.
    prompt: "{{input.question}}"
    tools:
      - workflow: order status
      - { component: template, name: refund, description: Refunds an order }
    max_tokens: 1000
${more}
options: { keep: all }
`;

const call = (name: string, args: unknown) => ({ name, arguments: args });

/** What the model answers, by the number of its answers before. */
const SCRIPT: readonly ModelReply[] = [
	[
		call("order_status", { order: 7 }),
		call("order_status", { order: 70 }),
		call("order_status", { order: "x" }),
	],
	[call("refund", { text: "Refund of order 7" })],
	"Your order was refunded.",
];

describe("the conversation of an agent", { skip: NO_BROWSER }, () => {
	const model = createServer(async (request, response) => {
		let body = "";
		for await (const piece of request) body += piece;
		const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly role: string }[] };
		const turn = messages.filter(({ role }) => role === "assistant").length;
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify(buildAnswer("openai", SCRIPT[turn] ?? "The script has ended.")));
	});
	let host = "";
	before(async () => {
		model.listen(0, "127.0.0.1");
		await once(model, "listening");
		host = `127.0.0.1:${(model.address() as AddressInfo).port}`;
	});
	after(() => {
		model.closeAllConnections();
		model.close();
	});
	const world = browserWorld(() => ({ ALLOW_PRIVATE_HOSTS: host }));
	let page: Page;
	before(async () => {
		page = await world.page();
		await saveWorkflow(world, ORDER_STATUS);
		await saveWorkflow(world, buildAgent("support", `http://${host}`, "    approve: [refund]"));
		await saveWorkflow(world, buildAgent("quick support", `http://${host}`));
	});

	const { button, dialog } = locators(() => page);
	const conversation = (of: Page = page) => of.getByRole("region", { name: /answer/ });
	const question = { question: "Where is my order 7?" };
	let waiting: string;

	test("is shown while the run waits for a person", async () => {
		waiting = await acceptRun(world, "support", question);
		await page.goto(`${world.url}/executions/${waiting}`);
		await conversation().getByText("Waiting for a person").waitFor();
		await conversation().getByText("Where is my order 7?").waitFor();
		await conversation().getByText("Model, call 2").waitFor();
		await conversation().getByText("2 of 10", { exact: true }).waitFor();
		await assertAccessible(page);
	});

	test("goes on without a reload, with the approval", async () => {
		const { questions } = (await world.api("GET", "/gui/questions")) as { questions: { id: string }[] };
		await world.api("POST", `/gui/questions/${waiting}/${questions[0]?.id}/answer`, {
			answer: { approved: true, comment: "kindly" },
		});
		await conversation().getByText("Your order was refunded.").waitFor();
		await conversation().getByText("Approved", { exact: true }).waitFor();
		await conversation().getByText("Comment: kindly").waitFor();
		await waitForRecords(world, waiting);
	});

	test("has the calls of tools with their arguments, results and errors, as text", async () => {
		await page.goto(`${world.url}/executions/${waiting}`);
		const calls = conversation().getByRole("list", { name: "Calls of tools" }).first().getByRole("listitem");
		await calls.first().waitFor();
		const [found, failed, wrong] = [calls.nth(0), calls.nth(1), calls.nth(2)];
		assert.match(await found.innerText(), /order_status[\s\S]*Succeeded/);
		await found.getByText("Result").click();
		assert.equal(await found.locator("pre:visible").innerText(), HTML);
		assert.equal(await found.locator("b").count(), 0, "no markup");
		assert.match(await failed.innerText(), /Failed[\s\S]*no such order/);
		assert.match(await wrong.innerText(), /Not made[\s\S]*The arguments are wrong/);
		await found.getByText("Arguments").click();
		assert.deepEqual(JSON.parse(await found.locator("pre:visible").first().innerText()), { order: 7 });
		await conversation().getByText("Instructions").click();
		await conversation().getByText("You answer customers of a tea shop.").waitFor();
	});

	test("has tokens and time of each call and in total, and the budgets", async () => {
		await conversation().getByText("3 of 10", { exact: true }).waitFor();
		await conversation().getByText("45 of 1,000 (30 read, 15 written)").waitFor();
		assert.equal(
			await conversation()
				.getByText(/^10 tokens read, 5 written · /)
				.count(),
			3,
		);
	});

	test("leads to the data of a tool, whose output is pinned for test runs", async () => {
		await button("Show the data of answer/refund").click();
		await button("Pin as test data").click();
		await dialog().getByText("Test runs take it for every call of this step.").waitFor();
		await dialog().getByRole("link", { name: "Open the workflow" }).click();
		const pins = page.getByRole("region", { name: "Pinned outputs" });
		await pins.getByText("answer/refund").waitFor();
		assert.equal(await pins.getByText("Ignored").count(), 0);
	});

	test("is translated, fits a phone and has no accessibility problems in both themes", async () => {
		const id = await runWorkflow(world, "quick support", question);
		await waitForRecords(world, id);
		for (const language of ["en-US", "zh-TW"] as const) {
			const own = await world.page({ language });
			const answers: string[] = [];
			collectAnswers(own, answers);
			for (const run of [waiting, id]) {
				await own.goto(`${world.url}/executions/${run}`);
				await conversation(own).getByText("Your order was refunded.").waitFor();
				for (const theme of ["light", "dark"] as const) {
					await own.emulateMedia({ colorScheme: theme });
					await assertAccessible(own);
				}
			}
			if (language === "zh-TW") await assertTranslated(own, answers);
			for (const width of [1280, NARROW]) {
				await assertFits(own, width);
				await takeScreenshots(own, "run-agent", language, width);
			}
		}
	});
});
