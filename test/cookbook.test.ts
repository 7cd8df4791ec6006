import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Platform, platforms, type Target } from "./conformance/platforms.ts";
import { listFiles, runExamples, whyNotHere } from "./examples.ts";
import { buildAnswer, type ModelReply, readResults } from "./model-double.ts";
import { parseMail } from "./parse-mail.ts";
import { MAIL_PASSWORD, MAIL_USER, openSmtpServer } from "./smtp-server.ts";

const folder = fileURLToPath(new URL("../docs/cookbook/", import.meta.url));
const pages = globSync("*.md", { cwd: folder })
	.filter((page) => page !== "README.md")
	.sort();
const read = (page: string) => readFileSync(folder + page, "utf8");

/** What pages say that do not work on Cloudflare. */
const NEEDS_NODE = /\bonly on Node\b/;

test("the index of the cookbook lists exactly the existing recipes", () => {
	const links = [...read("README.md").matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => page);
	assert.deepEqual(links.sort(), pages);
});

for (const platform of platforms) {
	describe(`the cookbook and the language page on ${platform.name}`, () => {
		const isWorkers = platform.name.startsWith("workerd");
		let service: Target;
		before(async () => {
			service = await platform.start({});
			await fetch(`${service.publicUrl}/init/seed`, { method: "POST" });
		});
		after(() => service.close());

		for (const page of [...pages, "../language.md"]) {
			const skip = (isWorkers && NEEDS_NODE.test(read(page)) && "it needs Node") || whyNotHere(read(page));
			test(`${basename(page, ".md")} works from top to bottom`, { skip }, () =>
				runExamples(read(page), service),
			);
		}

		test("the daily digest runs at eight in its time zone, and not before", async () => {
			// First a Sunday, when the page's own workflow catches up, then a Monday in winter.
			await service.setNow(Date.parse("2099-01-11T12:00:00Z"));
			await service.tick();
			await save(service, "daily-digest.md", "daily-digest.yaml");
			await putTask(service, "Call the bank");
			await service.setNow(Date.parse("2099-01-12T06:59:00Z"));
			assert.deepEqual(await tick(service), "cron: scanned=5 triggered=0");
			await service.setNow(Date.parse("2099-01-12T07:00:30Z"));
			assert.deepEqual(await tick(service), "cron: scanned=5 triggered=2");
			assert.deepEqual(await waitForItems(() => listDigests(service)), [
				{ page_name: "2099-01-12", content: "1 open tasks\n- Call the bank" },
			]);
		});

		test("the reminder comes three days before the deadline, and not before", async () => {
			await service.setNow(Date.parse("2099-03-02T12:00:00Z"));
			await putCredential(service, "slack", "slack_bot");
			await save(service, "reminder.md", "remind.yaml");
			service.outside.serve("slack.com", () => ({ json: { ok: true, channel: "C0TEAM", ts: "1.0" } }));
			const listTexts = async () =>
				service.outside
					.sentTo("slack.com")
					.map(({ body }) => body)
					.filter((body) => body.includes("The audit"));
			// Clocks go forward on the 29th: the time of day stays.
			await start(service, "remind", { title: "The audit", deadline: "2099-03-31T17:00:00+02:00" });
			await service.setNow(Date.parse("2099-03-28T15:59:00Z"));
			await service.tick();
			assert.deepEqual(await listTexts(), []);
			await service.setNow(Date.parse("2099-03-28T16:00:00Z"));
			await service.tick();
			const text = ":hourglass: The audit is due on 31.03.2099, 17:00";
			assert.deepEqual(await waitForItems(listTexts), [JSON.stringify({ channel: "C0TEAM", text })]);
		});

		test("the follow-up comes after a week, and only for an offer that is still open", async () => {
			const sent = Date.parse("2099-05-04T12:00:00Z");
			await service.setNow(sent);
			await putCredential(service, "mail", "resend_key");
			await save(service, "follow-up.md", "follow-up.yaml");
			await save(service, "follow-up.md", "note-offer.yaml");
			service.outside.serve("api.resend.com", () => ({ json: { id: "1" } }));
			const listSubjects = async () =>
				service.outside
					.sentTo("api.resend.com")
					.map(({ body }) => (JSON.parse(body) as { subject: string }).subject)
					.filter((subject) => subject.includes("2099"));
			const ids: string[] = [];
			for (const offer of ["2099-1", "2099-2"]) {
				await trigger(service, "note offer", { offer, status: "open" });
				ids.push(await start(service, "follow up", { offer, email: "ada@example.com" }));
			}
			await service.setNow(sent + 6 * DAY);
			await service.tick();
			await trigger(service, "note offer", { offer: "2099-2", status: "answered" });
			assert.deepEqual(await listSubjects(), []);
			await service.setNow(sent + 7 * DAY + 1_000);
			await service.tick();
			for (const id of ids) await waitForEnd(service, id);
			assert.deepEqual(await listSubjects(), ["Your offer 2099-1"]);
		});
	});
}

test("the report from a database is mailed, and only for a day with orders", async (context) => {
	const shop = mkdtempSync(join(tmpdir(), "tripline-cookbook-"));
	const database = new DatabaseSync(join(shop, "orders.db"));
	database.exec(`
		create table orders (id integer primary key, day text, customer text, cents integer);
		insert into orders (day, customer, cents) values
			('2026-03-02', 'Ada', 1250), ('2026-03-02', '=Alan', 700), ('2026-03-03', 'Grace', 1);`);
	database.close();
	const server = await openSmtpServer();
	const [node] = platforms as readonly [Platform];
	const service = await node.start({ ALLOW_FOLDERS: shop, ALLOW_PRIVATE_HOSTS: "127.0.0.1" });
	context.after(async () => {
		await service.close();
		await server.stop();
		rmSync(shop, { recursive: true });
	});
	await fetch(`${service.publicUrl}/init/seed`, { method: "POST" });
	const fields = { host: `127.0.0.1:${server.port}`, user: MAIL_USER, password: MAIL_PASSWORD, tls: "off" };
	const stored = await fetch(`${service.publicUrl}/credentials/post`, {
		method: "PUT",
		headers: OWNER,
		body: JSON.stringify({ auth_recipe: "smtp", fields }),
	});
	assert.equal(stored.status, 201, await stored.text());
	await save(service, "database-report.md", "database-report.yaml", (text) =>
		text.replaceAll("/srv/shop", shop),
	);
	const report = async (day: string) =>
		((await (await trigger(service, "database report", { day })).json()) as { data: unknown }).data;
	assert.deepEqual(await report("2026-03-02"), { rows: 2, refused: [] });
	assert.deepEqual(await report("2026-03-04"), { rows: 0, refused: [] });
	const [mail, ...others] = server.mails;
	assert.deepEqual([mail?.to, others], [["accounts@example.com"], []]);
	const { subject, text, attachments } = await parseMail(mail?.message ?? "");
	assert.equal(subject, "Orders of 2026-03-02");
	assert.equal(text?.trim(), "2 orders, 1950 cents. The details are attached.");
	const [attached = assert.fail("the mail has no attachment")] = attachments;
	assert.equal(attached.filename, "orders.csv");
	assert.equal(
		new TextDecoder().decode(attached.bytes),
		"id,customer,cents\r\n1,Ada,1250\r\n2,'=Alan,700\r\n",
	);
});

test("questions to a database are answered, and a statement of the model runs only if it is approved", async (context) => {
	const shop = mkdtempSync(join(tmpdir(), "tripline-cookbook-"));
	const file = join(shop, "orders.db");
	const database = new DatabaseSync(file);
	context.after(() => {
		database.close();
		rmSync(shop, { recursive: true });
	});
	database.exec(`
		create table orders (id integer primary key, day text, customer text, cents integer);
		insert into orders (day, customer, cents) values ('2026-03-02', 'Ada', 1250), ('2026-03-02', 'Alan', 700);`);
	const [node] = platforms as readonly [Platform];
	const service = await node.start({ ALLOW_FOLDERS: shop });
	context.after(() => service.close());
	await fetch(`${service.publicUrl}/init/seed`, { method: "POST" });
	await putCredential(service, "model", "openai_key");
	for (const name of ["revenue.yaml", "orders-of-customer.yaml", "database-questions.yaml"])
		await save(service, "database-questions.md", name, (text) => text.replaceAll("/srv/shop", shop));
	let script: ModelReply[] = [];
	service.outside.serve("api.openai.com", () => ({ json: buildAnswer("openai", script.shift() ?? "?") }));
	const readTold = () => readResults(service.outside.sentTo("api.openai.com").at(-1)?.body ?? "");
	const ask = (name: string, args: object) => {
		script = [[{ name, arguments: args }], "Answered."];
		return trigger(service, "database questions", { question: "?" });
	};

	assert.equal((await ask("revenue_of_a_day", { day: "2026-03-02" })).status, 200);
	assert.deepEqual(readTold(), ['{"orders":2,"cents":1950}']);
	await ask("orders_of_a_customer", { customer: "Ada' or '1'='1" });
	assert.deepEqual(readTold(), ["[]"], "what the model passes is a value");
	await ask("query", { sql: "select 1", file: "/etc/passwd" });
	assert.deepEqual(readTold(), ['There is no parameter "file".']);

	for (const [sql, told] of [
		["select customer from orders order by cents desc limit 1", /"customer":"Ada"/],
		["delete from orders", /read-?only/i],
	] as const) {
		const accepted = await ask("query", { sql });
		assert.equal(accepted.status, 202);
		const { execution_id: id } = (await accepted.json()) as { execution_id: string };
		const [question] = await waitForItems(() => listQuestions(service));
		assert.match(JSON.stringify(question), new RegExp(sql.slice(0, 12)), "the person sees the statement");
		const answered = await fetch(`${service.publicUrl}/questions/${id}/${question?.id}/answer`, {
			method: "POST",
			headers: { ...OWNER, "content-type": "application/json" },
			body: JSON.stringify({ answer: { approved: true } }),
		});
		assert.equal(answered.status, 200, await answered.text());
		await waitForEnd(service, id);
		assert.match(readTold()[0] ?? "", told);
	}
	assert.equal(database.prepare("select count(*) as n from orders").get()?.n, 2);
});

async function listQuestions(service: Target): Promise<{ id: string }[]> {
	const response = await fetch(`${service.publicUrl}/questions`, { headers: OWNER });
	return ((await response.json()) as { questions: { id: string }[] }).questions;
}

/** Uses its own namespace, so that it contains no entries of the pages. */
const NAMESPACE = "by-the-clock";
const OWNER = { "x-service-api-key": NAMESPACE };
const DAY = 24 * 60 * 60_000;

async function save(
	service: Target,
	page: string,
	file: string,
	change = (text: string) => text,
): Promise<void> {
	const response = await fetch(`${service.publicUrl}/workflows`, {
		method: "POST",
		headers: { ...OWNER, "content-type": "application/yaml" },
		body: change(listFiles(read(page)).get(file) ?? ""),
	});
	assert.equal(response.status, 201, await response.text());
}

async function putCredential(service: Target, name: string, auth_recipe: string): Promise<void> {
	const body = JSON.stringify({ auth_recipe, fields: { token: "0123456789abcdef" } });
	const url = `${service.publicUrl}/credentials/${name}`;
	const response = await fetch(url, { method: "PUT", headers: OWNER, body });
	assert.equal(response.status, 201, await response.text());
}

async function trigger(service: Target, workflow: string, input: object): Promise<Response> {
	const url = `${service.publicUrl}/webhooks/named/${NAMESPACE}/${encodeURIComponent(workflow)}/trigger`;
	return fetch(url, { method: "POST", body: JSON.stringify(input) });
}

/** Starts a run that waits, and returns its id. */
async function start(service: Target, workflow: string, input: object): Promise<string> {
	const response = await trigger(service, workflow, input);
	const text = await response.text();
	assert.equal(response.status, 202, text);
	return (JSON.parse(text) as { execution_id: string }).execution_id;
}

async function waitForEnd(service: Target, id: string): Promise<void> {
	const [status] = await waitForItems(async () => {
		const response = await fetch(`${service.publicUrl}/executions/${id}`, { headers: OWNER });
		const { status } = (await response.json()) as { status: string };
		return status === "accepted" ? [] : [status];
	});
	assert.equal(status, "success");
}

/** Ticks and returns the log message. */
async function tick(service: Target): Promise<string | undefined> {
	await service.lines();
	await service.tick();
	return (await service.lines()).map(({ message }) => message).find((message) => message.startsWith("cron:"));
}

async function putTask(service: Target, page_name: string): Promise<void> {
	const body = JSON.stringify({ owner_id: NAMESPACE, entry_type: "task", page_name, content: "open" });
	const response = await fetch(`${service.storeUrl}/entries`, { method: "PUT", body });
	assert.equal(response.status, 201, await response.text());
}

async function listDigests(service: Target): Promise<{ page_name: string; content: string }[]> {
	const response = await fetch(`${service.storeUrl}/entries?owner_id=${NAMESPACE}&entry_type=digest`);
	const { entries } = (await response.json()) as { entries: { page_name: string; content: string }[] };
	return entries.map(({ page_name, content }) => ({ page_name, content }));
}

/** Waits until there is a result. */
async function waitForItems<T>(look: () => Promise<T[]>): Promise<T[]> {
	for (let tries = 0; ; tries++) {
		const found = await look();
		if (found.length > 0 || tries === 100) return found;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}
