import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { AcceptedRun, ExecutionDetail } from "@tripline/contract/executor";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";
import { parseMail } from "../parse-mail.ts";
import { MAIL_PASSWORD, MAIL_USER, openSmtpServer } from "../smtp-server.ts";

/** `MAIL_KILLS=100` makes it the whole test. */
const KILLS = Number(process.env.MAIL_KILLS ?? 10);
const RUNS_PER_ROUND = 4;
const MAX_PAUSE_MS = 40;
const MAX_WAIT_MS = 60_000;
const TENANT = { "x-service-api-key": "default" };

const WORKFLOW = {
	...{ name: "send", description: "", version: "1" },
	triplets: ["input >> then >> report", "report >> then >> send"],
	config: {
		report: { component: "make_file", name: "report.txt", text: "{{input.content}}" },
		send: {
			...{ component: "email_send", credential: "mail", from: "shop@example.com", to: "ada@example.org" },
			...{ subject: "No. {{input.number}}", text: "Report {{input.number}}", attachments: ["{{report}}"] },
			retry: { max: 10, delay_ms: 50 },
		},
	},
};

async function call(service: Started, method: string, path: string, body?: object, headers = {}) {
	const response = await fetch(service.publicUrl + path, {
		method,
		headers: { ...TENANT, ...headers },
		...(body !== undefined && { body: JSON.stringify(body) }),
		signal: AbortSignal.timeout(MAX_WAIT_MS),
	});
	assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
	return response.json();
}

describe("a process that is killed while it sends mail", () => {
	test(`over ${KILLS} kills no mail is lost, and a second copy has the same id`, async (context) => {
		/** Called at each step of each mail. */
		let onStep = () => {};
		const step = async (done: (error?: Error | null) => void) => {
			onStep();
			await wait(randomInt(MAX_PAUSE_MS));
			onStep();
			done();
		};
		const server = await openSmtpServer({
			onMailFrom: (_, __, done) => void step(done),
			onRcptTo: (_, __, done) => void step(done),
		});
		context.after(server.stop);
		const cwd = temporaryFolder(context);
		const settings = { LOG_LEVEL: "silent", ALLOW_PRIVATE_HOSTS: "127.0.0.1" };
		let service = await start(context, settings, cwd);
		const fields = { host: `127.0.0.1:${server.port}`, user: MAIL_USER, password: MAIL_PASSWORD, tls: "off" };
		await call(service, "PUT", "/credentials/mail", { auth_recipe: "smtp", fields });
		await call(service, "POST", "/workflows", WORKFLOW);
		const content = "x".repeat(200_000);
		const accepted = new Map<number, string>();
		for (let round = 0; round < KILLS; round++) {
			const current = service;
			let left = 1 + randomInt(4 * RUNS_PER_ROUND);
			onStep = () => {
				// A mail may be anywhere between the step and the next.
				if (--left === 0) setTimeout(() => current.child.kill("SIGKILL"), randomInt(MAX_PAUSE_MS));
			};
			const runs = Array.from({ length: RUNS_PER_ROUND }, async (_, index) => {
				const number = round * RUNS_PER_ROUND + index;
				const path = "/webhooks/named/send/trigger";
				const answer = await call(current, "POST", path, { number, content }, { prefer: "respond-async" });
				accepted.set(number, AcceptedRun.parse(answer).execution_id);
			});
			await Promise.allSettled(runs);
			const isKilled = current.exited();
			// All mails may be sent before the step is reached.
			while ((await Promise.race([isKilled, wait(3_000)])) === undefined) current.child.kill("SIGKILL");
			service = await start(context, settings, cwd);
		}
		onStep = () => {};
		const latest = Date.now() + MAX_WAIT_MS;
		for (const [number, id] of accepted) {
			for (;;) {
				const found = ExecutionDetail.parse(await call(service, "GET", `/executions/${id}`));
				// The record of a run that ended just before a kill may be lost.
				if (found.status !== "accepted") {
					assert.equal(found.status, "success", `${number}: ${found.record?.error}`);
					break;
				}
				assert.ok(Date.now() < latest, `${number} has not ended: ${JSON.stringify(found)}`);
				await wait(50);
			}
		}
		const ids = new Map<number, Set<string>>();
		for (const { message } of server.mails) {
			const { subject, messageId = "", text, attachments } = await parseMail(message);
			const number = Number(subject?.slice(4));
			assert.equal(text?.trim(), `Report ${number}`);
			const [attached = assert.fail("the mail has no attachment")] = attachments;
			assert.equal(attached.bytes.length, content.length);
			ids.set(number, (ids.get(number) ?? new Set()).add(messageId));
		}
		assert.deepEqual(
			[...accepted.keys()].filter((number) => !ids.has(number)),
			[],
		);
		for (const [number, each] of ids) assert.equal(each.size, 1, `${number}: ${[...each]}`);
		assert.equal(new Set([...ids.values()].flatMap((each) => [...each])).size, ids.size);
		context.diagnostic(
			`${accepted.size} accepted runs over ${KILLS} kills: ${server.mails.length} mails, ${server.mails.length - ids.size} of them second copies`,
		);
	});
});
