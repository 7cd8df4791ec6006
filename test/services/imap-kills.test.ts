import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { MailboxStatus } from "@tripline/contract/executor";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";
import { type PostgresServer, startPostgres } from "../postgres.ts";
import { callJson, save, startProcesses } from "../replicas/deployment.ts";
import { IMAP_PASSWORD, type ImapServer, startImap } from "./imap.ts";

const KILLS = Number(process.env.MAIL_KILLS ?? 10);
const MAILS_PER_ROUND = 4;
const USER = "ada";
const TARGET = "Done";
const SETTINGS = { LOG_LEVEL: "silent", ALLOW_PRIVATE_HOSTS: "127.0.0.1" };
/** How long it may take until another process reads the mailbox of one that was killed. */
const MAX_TAKEOVER_MS = 60_000;

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

async function saveTickets(to: Started, mailPort: number, reportUrl: string): Promise<void> {
	const fields = { host: `127.0.0.1:${mailPort}`, user: USER, password: IMAP_PASSWORD, tls: "off" };
	await callJson(to, "PUT", "/credentials/box", { body: { auth_recipe: "imap", fields } });
	await save(to, "tickets", {
		trigger: { type: "event", email: { credential: "box", move_to: TARGET } },
		triplets: ["input >> then >> read", "read >> then >> report"],
		config: {
			read: { component: "parse", format: "json", file: "{{input.attachments[0]}}" },
			report: {
				component: "http_request",
				method: "POST",
				url: reportUrl,
				json: { subject: "{{input.subject}}", run: "{{execution.id}}", attached: "{{read.nth}}" },
			},
		},
	});
}

const readState = async (from: Started) =>
	MailboxStatus.parse(await callJson(from, "GET", "/workflows/tickets/mailbox"));

/** Passes connections on, and counts how many are open at once. */
async function openProxy(context: TestContext, port: number) {
	const open = new Set<object>();
	let most = 0;
	const server = createTcpServer((socket) => {
		const target = connect(port, "127.0.0.1");
		open.add(socket);
		most = Math.max(most, open.size);
		for (const [one, other] of [
			[socket, target],
			[target, socket],
		] as const)
			one
				.on("error", () => other.destroy())
				.on("close", () => other.destroy())
				.pipe(other);
		socket.on("close", () => open.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	context.after(() => server.close());
	return { port: (server.address() as AddressInfo).port, countMost: () => most };
}

async function eventually(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
	const until = Date.now() + 120_000;
	while (!(await check())) {
		assert.ok(Date.now() < until, `not in time: ${what}`);
		await wait(10);
	}
}

describe("kill -9 while a mailbox is read", () => {
	let imap: ImapServer;
	let postgres: PostgresServer;
	before(async () => {
		imap = await startImap();
		imap.createMailbox(USER, TARGET);
		postgres = await startPostgres();
	});
	after(async () => {
		await imap?.stop();
		await postgres?.stop();
	});

	test(`every mail starts one run, with ${KILLS} kills`, async (context) => {
		const cwd = temporaryFolder(context);
		const counter = await openCounter(context);
		let sent = 0;
		const deliver = () => imap.deliver(USER, buildMail(sent++));

		const first = await start(context, SETTINGS, cwd);
		await saveTickets(first, imap.plainPort, counter.url);
		const tested = await callJson(first, "POST", "/credentials/box/test");
		assert.deepEqual(tested, { ok: true, message: "ada is logged in at 127.0.0.1, mailbox INBOX" });
		await eventually("the mailbox is open", async () => (await readState(first)).since !== null);
		first.child.kill("SIGKILL");
		await first.exited();

		let interrupted = 0;
		for (let round = 0; round < KILLS; round++) {
			for (let nth = 0; nth < MAILS_PER_ROUND; nth++) deliver();
			const before = counter.runs.size;
			const { child, exited } = await start(context, SETTINGS, cwd);
			await eventually("a mail is reported", () => counter.runs.size > before);
			deliver();
			await wait(Math.random() * 300);
			child.kill("SIGKILL");
			await exited();
			if (imap.count(USER) > 0) interrupted++;
		}
		assert.ok(interrupted > 0, "no kill came while mails were read");

		const last = await start(context, SETTINGS, cwd);
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

	test("of several processes one reads a mailbox, and another one takes it over", async (context) => {
		const counter = await openCounter(context);
		const proxy = await openProxy(context, imap.plainPort);
		const processes = [...(await startProcesses(context, postgres, { count: 3, settings: SETTINGS }))];
		const isArchived = imap.count(USER, TARGET);
		let sent = 0;
		const deliver = () => imap.deliver(USER, buildMail(sent++));
		await saveTickets(processes[0] as Started, proxy.port, counter.url);

		const takeovers: number[] = [];
		for (;;) {
			const asked = performance.now();
			await eventually("one process reads it, and the others say so", async () => {
				const states = await Promise.all(processes.map(readState));
				const reading = states.find(({ read_by }) => read_by === "this_process");
				if (reading === undefined || reading.connected_at === null) return false;
				return states.every(
					(state) =>
						state === reading ||
						(state.read_by === "another_process" && state.connected_at === reading.connected_at),
				);
			});
			if (sent > 0) takeovers.push(performance.now() - asked);
			for (let nth = 0; nth < MAILS_PER_ROUND; nth++) deliver();
			const before = counter.runs.size;
			await eventually("a mail is reported", () => counter.runs.size > before);
			if (processes.length === 1) break;
			const states = await Promise.all(processes.map(readState));
			const index = states.findIndex(({ read_by }) => read_by === "this_process");
			const [killed] = processes.splice(index, 1);
			deliver();
			killed?.child.kill("SIGKILL");
			await killed?.exited();
			deliver();
		}
		await eventually("every mail has been reported and moved", () => {
			return counter.runs.size === sent && imap.count(USER) === 0;
		});
		assert.deepEqual(
			[...counter.runs].filter(([, runs]) => runs.size > 1),
			[],
		);
		assert.deepEqual(counter.wrong, []);
		assert.equal(imap.count(USER, TARGET) - isArchived, sent);
		assert.equal(proxy.countMost(), 1);
		assert.ok(Math.max(...takeovers) < MAX_TAKEOVER_MS);
		const seconds = takeovers.map((ms) => (ms / 1000).toFixed(1)).join(" s and ");
		context.diagnostic(`${sent} mails, ${counter.runs.size} runs; taken over after ${seconds} s`);
	});
});
