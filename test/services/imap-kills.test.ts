import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { start, temporaryFolder } from "../../apps/node/test/process.ts";
import { IMAP_PASSWORD, type ImapServer, startImap } from "./imap.ts";

const TENANT = { "x-service-api-key": "mail", "content-type": "application/json" };
const KILLS = Number(process.env.MAIL_KILLS ?? 10);
const MAILS_PER_ROUND = 4;
const USER = "ada";
const TARGET = "Done";

/** Counts the runs that report a mail. */
async function openCounter(context: TestContext) {
	const runs = new Map<number, Set<string>>();
	const wrong: string[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		const { subject, run, attached } = JSON.parse(body) as { subject: string; run: string; attached: number };
		const mail = Number(/^mail (\d+)$/.exec(subject)?.[1] ?? Number.NaN);
		if (attached !== mail) wrong.push(body);
		runs.set(mail, (runs.get(mail) ?? new Set()).add(run));
		response.end("{}");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	context.after(() => server.close());
	context.after(() => server.closeAllConnections());
	return { runs, wrong, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

const buildMail = (nth: number): string =>
	[
		"From: Ada <ada@example.com>",
		"To: tickets@example.org",
		`Subject: mail ${nth}`,
		`Message-ID: <${nth}@example.com>`,
		"MIME-Version: 1.0",
		"Content-Type: multipart/mixed; boundary=b",
		"",
		"--b",
		"Content-Type: text/plain",
		"",
		`text ${nth}`,
		"--b",
		"Content-Type: application/json; name=note.json",
		"Content-Disposition: attachment; filename=note.json",
		"",
		JSON.stringify({ nth }),
		"--b--",
		"",
	].join("\r\n");

async function eventually(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
	const until = Date.now() + 120_000;
	while (!(await check())) {
		assert.ok(Date.now() < until, `not in time: ${what}`);
		await wait(10);
	}
}

describe("kill -9 while a mailbox is read", () => {
	let imap: ImapServer;
	before(async () => {
		imap = await startImap();
		imap.createMailbox(USER, TARGET);
	});
	after(() => imap?.stop());

	test(`every mail starts one run, with ${KILLS} kills`, async (context) => {
		const cwd = temporaryFolder(context);
		const counter = await openCounter(context);
		const settings = { LOG_LEVEL: "silent", ALLOW_PRIVATE_HOSTS: "127.0.0.1" };
		let sent = 0;
		const deliver = () => imap.deliver(USER, buildMail(sent++));
		const call = async (url: string, method: string, body?: unknown) => {
			const answer = await fetch(url, {
				method,
				headers: TENANT,
				...(body !== undefined && { body: JSON.stringify(body) }),
			});
			const text = await answer.text();
			assert.ok(answer.ok, text);
			return JSON.parse(text) as Record<string, unknown>;
		};

		const first = await start(context, settings, cwd);
		await call(`${first.publicUrl}/credentials/box`, "PUT", {
			auth_recipe: "imap",
			fields: { host: `127.0.0.1:${imap.plainPort}`, user: USER, password: IMAP_PASSWORD, tls: "off" },
		});
		const tested = await call(`${first.publicUrl}/credentials/box/test`, "POST");
		assert.deepEqual(tested, { ok: true, message: "ada is logged in at 127.0.0.1, mailbox INBOX" });
		await call(`${first.publicUrl}/workflows`, "POST", {
			name: "tickets",
			description: "",
			version: "1",
			trigger: { type: "event", email: { credential: "box", move_to: TARGET } },
			triplets: ["input >> then >> read", "read >> then >> report"],
			config: {
				read: { component: "parse", format: "json", file: "{{input.attachments[0]}}" },
				report: {
					component: "http_request",
					method: "POST",
					url: counter.url,
					json: { subject: "{{input.subject}}", run: "{{execution.id}}", attached: "{{read.nth}}" },
				},
			},
		});
		await eventually("the mailbox is open", async () => {
			const state = await call(`${first.publicUrl}/workflows/tickets/mailbox`, "GET");
			return state.since !== null;
		});
		first.child.kill("SIGKILL");
		await first.exited();

		let interrupted = 0;
		for (let round = 0; round < KILLS; round++) {
			for (let nth = 0; nth < MAILS_PER_ROUND; nth++) deliver();
			const before = counter.runs.size;
			const { child, exited } = await start(context, settings, cwd);
			await eventually("a mail is reported", () => counter.runs.size > before);
			deliver();
			await wait(Math.random() * 300);
			child.kill("SIGKILL");
			await exited();
			if (imap.count(USER) > 0) interrupted++;
		}
		assert.ok(interrupted > 0, "no kill came while mails were read");

		const last = await start(context, settings, cwd);
		await eventually("every mail has been reported", () => counter.runs.size === sent);
		await eventually("every mail was moved", () => imap.count(USER) === 0);
		last.child.kill("SIGTERM");
		assert.deepEqual(await last.exited(), { code: 0, signal: null });
		const doubled = [...counter.runs].filter(([, runs]) => runs.size > 1);
		assert.deepEqual(doubled, []);
		assert.deepEqual(counter.wrong, []);
		assert.equal(counter.runs.size, sent);
		assert.equal(imap.count(USER, TARGET), sent);
		context.diagnostic(
			`${sent} mails, ${KILLS} kills, ${counter.runs.size} runs; ${interrupted} kills left mails unread`,
		);
	});
});
