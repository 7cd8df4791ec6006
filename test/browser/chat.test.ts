import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { assertFits, takeScreenshots } from "./checks.ts";
import { NO_BROWSER } from "./chromium.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const HOSTILE = [
	"# Attack",
	"<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>",
	"[click](javascript:document.title='hacked') [data](data:text/html,hi)",
	"![pixel](https://evil.example/pixel.png)",
	"- one\n  - two",
	"| a | b |\n|---|---|\n| 1 | 2 |",
	"```html\n<b>bold</b>\n```",
	"A [good link](https://example.com/tea).",
].join("\n\n");

/** A model that writes what a test tells it to, piece by piece. */
async function openModel() {
	const asked: { messages: { role: string; content: unknown }[] }[] = [];
	let pending: ServerResponse | undefined;
	let isClosed = false;
	let waiting = () => {};
	const server: Server = createServer(async (request, response) => {
		asked.push(JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()));
		response.writeHead(200, { "content-type": "text/event-stream" });
		isClosed = false;
		response.on("close", () => {
			isClosed = true;
		});
		pending = response;
		waiting();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		asked,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		get isClosed() {
			return isClosed;
		},
		async write(...pieces: readonly string[]) {
			if (pending === undefined)
				await new Promise<void>((resolve) => {
					waiting = resolve;
				});
			for (const content of pieces)
				pending?.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
		},
		end() {
			pending?.end("data: [DONE]\n\n");
			pending = undefined;
		},
		forget() {
			pending = undefined;
		},
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

describe("chat", { skip: NO_BROWSER }, () => {
	let model: Awaited<ReturnType<typeof openModel>>;
	before(async () => {
		model = await openModel();
	});
	after(() => model.close());
	const world = browserWorld(() => ({ ALLOW_PRIVATE_HOSTS: "127.0.0.1" }));
	let origin = "";
	before(async () => {
		origin = new URL(world.url).origin;
		for (const [name, chat] of [
			["tea", { title: "Tea helper", greeting: "**Hello!** Ask about tea." }],
			["open", { access: "public", daily_tokens: 100_000 }],
		] as const) {
			const ask = { component: "llm_chat", base_url: model.url, model: "m", stream: true, attempts: 1 };
			await call("POST", "/workflows", {
				...{ name, description: "Talks", version: "1", trigger: { type: "webhook", chat } },
				triplets: ["input >> then >> ask"],
				config: { ask: { ...ask, messages: "{{input.messages}}" } },
			});
		}
	});

	async function call(method: string, path: string, body?: object) {
		const response = await fetch(origin + path, {
			method,
			headers: { "x-service-api-key": "default", "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
		return (await response.json()) as { url: string };
	}

	async function answerQuestion(answer: object): Promise<void> {
		const { questions } = (await call("GET", "/questions")) as unknown as {
			questions: { id: string; execution_id: string }[];
		};
		const [question] = questions;
		await call("POST", `/questions/${question?.execution_id}/${question?.id}/answer`, { answer });
	}

	const openTea = async (page: Page) => {
		const { url } = await call("POST", "/workflows/tea/chat-links");
		await page.goto(url);
		await page.getByRole("heading", { name: "Tea helper", level: 1 }).waitFor();
	};

	async function assertLook(page: Page, name: string, language: string): Promise<void> {
		for (const width of [1280, 360]) {
			await assertFits(page, width);
			await assertAccessible(page);
			await takeScreenshots(page, name, language, width);
		}
		await page.setViewportSize({ width: 1280, height: 860 });
	}

	test("beside the workflow a message is answered as it is written, with those before it", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/workflows/tea`);
		await page.getByRole("tab", { name: "Chat" }).click();
		const log = page.getByRole("log", { name: "Chat" });
		await page.getByLabel("Message").fill("Which tea?");
		await page.keyboard.press("Enter");
		await model.write("Green ");
		await log.getByText("Green", { exact: true }).waitFor();
		await model.write("tea is **good**.");
		model.end();
		await log.locator("strong", { hasText: "good" }).waitFor();
		await page.getByText("Succeeded in").waitFor();
		await page.getByLabel("Message").fill("Why?");
		await page.getByRole("button", { name: "Send" }).click();
		await model.write("Because.");
		model.end();
		await log.getByText("Because.").waitFor();
		assert.deepEqual(
			model.asked.at(-1)?.messages.map(({ content }) => content),
			["Which tea?", "Green tea is **good**.", "Why?"],
		);
		await assertLook(page, "chat-beside-workflow", "en-US");
		await page.getByRole("button", { name: "New conversation" }).click();
		await log.waitFor({ state: "hidden" });
	});

	test("a message is answered as it is written, and a reload shows the conversation", async () => {
		const page = await world.page({ isLoggedIn: false });
		await openTea(page);
		assert.equal(new URL(page.url()).hash, "", "the token is not left in the address");
		await page.locator("strong", { hasText: "Hello!" }).waitFor();
		await page.getByLabel("Message").fill("Which tea?");
		await page.keyboard.press("Enter");
		await model.write("Green ");
		await page.getByText("Green", { exact: true }).waitFor();
		await page.getByRole("button", { name: "Stop" }).waitFor();
		await model.write("tea is **good**.");
		model.end();
		await page.locator("strong", { hasText: "good" }).waitFor();
		await page.getByRole("button", { name: "Send" }).waitFor();
		await assertLook(page, "chat", "en-US");

		await page.reload();
		await page.locator("strong", { hasText: "good" }).waitFor();
		await page.locator("article").getByText("Which tea?").waitFor();
		await page.getByLabel("Message").fill("Why?");
		await page.getByRole("button", { name: "Send" }).click();
		await model.write("Because.");
		model.end();
		await page.getByText("Because.").waitFor();
		assert.deepEqual(
			model.asked.at(-1)?.messages.map(({ content }) => content),
			["Which tea?", "Green tea is **good**.", "Why?"],
		);

		await page.getByRole("button", { name: "New conversation" }).click();
		await page.getByText("Because.").waitFor({ state: "detached" });
		await page.getByText("Conversations").click();
		await assertLook(page, "chat-history", "en-US");
		await page.getByRole("button", { name: "Which tea?", exact: true }).click();
		await page.getByText("Because.").waitFor();
		await page.getByText("Conversations").click();
		await page.getByRole("button", { name: "Delete “Which tea?”" }).click();
		await page.getByText("Because.").waitFor({ state: "detached" });
		await page.getByText("Conversations").click();
		await page.getByText("None in this browser yet").waitFor();
		const { conversations } = (await call("GET", "/workflows/tea/conversations")) as unknown as {
			conversations: object[];
		};
		assert.deepEqual(conversations, []);
	});

	test("Stop ends the run and keeps what was written", async () => {
		const page = await world.page({ isLoggedIn: false });
		await openTea(page);
		await page.getByLabel("Message").fill("Tell me everything");
		await page.getByRole("button", { name: "Send" }).click();
		await model.write("It began in ");
		await page.getByText("It began in").waitFor();
		await page.getByRole("button", { name: "Stop" }).click();
		await page.getByText("Stopped.").waitFor();
		await page.getByRole("button", { name: "Send" }).waitFor();
		for (let tries = 0; !model.isClosed && tries < 100; tries++) await page.waitForTimeout(20);
		assert.ok(model.isClosed, "the call of the model was ended");
		model.forget();
		await page.reload();
		await page.getByText("It began in").waitFor();
		await page.getByText("Stopped.").waitFor();
	});

	test("a reply that waits for a person appears when it is there, also after a reload", async () => {
		await call("POST", "/workflows", {
			...{ name: "careful", description: "Asks first", version: "1" },
			trigger: { type: "webhook", chat: { title: "Careful" } },
			triplets: ["input >> then >> ask", "ask >> then >> answer"],
			config: {
				ask: { component: "ask", question: "Say yes to {{input.message}}?" },
				answer: { component: "template", text: "They said: **{{ask.comment}}**" },
			},
		});
		const { url } = await call("POST", "/workflows/careful/chat-links");
		const page = await world.page({ isLoggedIn: false });
		await page.goto(url);
		for (const comment of ["fine", "no doubt"]) {
			await page.getByLabel("Message").fill(`May I have tea, ${comment}?`);
			await page.getByRole("button", { name: "Send" }).click();
			await page.getByText("Waiting for a person to decide.").waitFor();
			await page.getByRole("button", { name: "Send" }).waitFor();
			if (comment === "fine") await assertLook(page, "chat-waiting", "en-US");
			else await page.reload();
			await page.getByText("Waiting for a person to decide.").waitFor();
			await answerQuestion({ approved: true, comment });
			await page.locator("strong", { hasText: comment }).waitFor();
			await page.getByText("Waiting for a person to decide.").waitFor({ state: "detached" });
		}
		await page.reload();
		await page.locator("strong", { hasText: "fine" }).waitFor();
	});

	test("beside the workflow a reply that waits is added too, also after a reload", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/workflows/careful`);
		await page.getByRole("tab", { name: "Chat" }).click();
		const log = page.getByRole("log", { name: "Chat" });
		await page.getByLabel("Message").fill("May I have cake?");
		await page.keyboard.press("Enter");
		await log.getByText("Waiting for a person to decide.").waitFor();
		const link = log.getByRole("link", { name: "Answer in the inbox" });
		assert.match((await link.getAttribute("href")) ?? "", /\/console\/inbox\?run=[0-9a-f-]{36}$/);
		await assertLook(page, "chat-waiting-beside-workflow", "en-US");
		await page.reload();
		await page.getByRole("tab", { name: "Chat" }).click();
		await log.getByText("May I have cake?").waitFor();
		await answerQuestion({ approved: true, comment: "of course" });
		await log.locator("strong", { hasText: "of course" }).waitFor();
		await page.getByRole("button", { name: "New conversation" }).click();
		await page.reload();
		await page.getByRole("tab", { name: "Chat" }).click();
		await log.getByText("May I have cake?").waitFor({ state: "detached" });
	});

	test("what a model writes is shown, and does nothing", async () => {
		const page = await world.page({ isLoggedIn: false });
		const requests: string[] = [];
		page.on("request", (request) => requests.push(request.url()));
		await page.goto(`${origin}/chat/default/open`);
		await page.getByLabel("Message").fill("<b>Attack</b>");
		await page.getByRole("button", { name: "Send" }).click();
		await model.write(HOSTILE);
		model.end();
		await page.getByRole("link", { name: "good link" }).waitFor();
		await page.getByRole("button", { name: "Send" }).waitFor();
		assert.equal(await page.title(), "open");
		assert.equal(await page.locator("article img, article script, article b, article iframe").count(), 0);
		const links = await page
			.locator("article a")
			.evaluateAll((found) => found.map((each) => each.getAttribute("href")));
		assert.deepEqual(
			links.filter((href) => !/^https:\/\//.test(href ?? "")),
			[],
		);
		assert.deepEqual(
			requests.filter((url) => !url.startsWith(origin) && !url.startsWith("data:")),
			[],
		);
		await page.locator("pre code", { hasText: "<b>bold</b>" }).waitFor();
		await assertLook(page, "chat-markdown", "en-US");
	});

	test("a file goes along with a message", async () => {
		const page = await world.page({ isLoggedIn: false });
		await openTea(page);
		const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("oolong") };
		await page.locator("input[type=file]").setInputFiles(file);
		await page.getByText("notes.txt").waitFor();
		await page.getByLabel("Message").fill("Read it");
		await page.getByRole("button", { name: "Send" }).click();
		await model.write("Done.");
		model.end();
		await page.getByText("Done.").waitFor();
		assert.match(JSON.stringify(model.asked.at(-1)), /oolong/);
		await page.reload();
		await page.getByText("notes.txt").waitFor();
	});

	test("the console makes a link that opens the chat", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/workflows/tea`);
		await page.getByRole("tab", { name: "How to call" }).click();
		await page.getByRole("button", { name: "Make a link" }).click();
		const href = await page.getByRole("link", { name: "Open chat" }).getAttribute("href");
		const opened = await world.page({ isLoggedIn: false });
		await opened.goto(href ?? "");
		await opened.getByRole("heading", { name: "Tea helper", level: 1 }).waitFor();
	});

	test("the page speaks Chinese, in the dark too, and says what is wrong", async () => {
		const page = await world.page({ isLoggedIn: false, language: "zh-TW", theme: "dark", width: 360 });
		await page.goto(`${origin}/chat/default/tea#1.wrong`);
		await page.getByText("此連結無效或已過期").waitFor();
		await assertLook(page, "chat-refused", "zh-TW");
		await openTea(page);
		await page.getByLabel("訊息").waitFor();
		await assertLook(page, "chat-empty", "zh-TW");
		assert.equal((await page.goto(`${origin}/chat/default/missing`))?.status(), 404);
	});
});
