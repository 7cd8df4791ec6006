import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog } from "@tripline/platform/log";
import { parseMail } from "../../../test/parse-mail.ts";
import { MAIL_PASSWORD, MAIL_USER, openSmtpServer } from "../../../test/smtp-server.ts";
import { type Service, startService } from "../src/service.ts";
import { parseSettings } from "../src/settings.ts";

describe("email_send in the service", () => {
	let root: string;
	let server: Awaited<ReturnType<typeof openSmtpServer>>;
	let service: Service;
	const lines: string[] = [];

	before(async () => {
		root = mkdtempSync(join(tmpdir(), "tripline-mail-"));
		server = await openSmtpServer();
		service = await startService({
			settings: parseSettings({
				...{ PORT: "0", STORE_PORT: "0", DATA_DIR: join(root, "data") },
				ALLOW_PRIVATE_HOSTS: "127.0.0.1",
			}),
			clock: systemClock,
			log: jsonLog({ level: "debug", clock: systemClock, write: (line) => lines.push(line) }),
			version: "0.0.0-test",
		});
		const fields = { host: `127.0.0.1:${server.port}`, user: MAIL_USER, password: MAIL_PASSWORD, tls: "off" };
		const put = await call("PUT", "/credentials/mail", { auth_recipe: "smtp", fields });
		assert.equal(put.status, 201, JSON.stringify(put.body));
	});
	after(async () => {
		await service?.close();
		await server?.stop();
		rmSync(root, { recursive: true });
	});

	async function call(method: string, path: string, body?: object) {
		const answer = await fetch(service.publicUrl + path, {
			method,
			headers: { "x-service-api-key": "default", "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
	}

	const NODE = {
		...{ component: "email_send", credential: "mail" },
		...{ from: "Shop <shop@example.com>", to: "ada@example.org", subject: "Report", text: "Hello" },
	};

	async function createWebhook(workflow: object): Promise<string> {
		const { status, body } = await call("POST", "/webhooks", workflow);
		assert.equal(status, 201, JSON.stringify(body));
		return `/webhooks/${body.token}/trigger`;
	}

	test("an uploaded file arrives byte for byte", async () => {
		const bytes = randomBytes(3_000_000);
		const path = await createWebhook({
			triplets: ["input >> then >> send"],
			trigger: { type: "webhook", accept: ["files"] },
			config: { send: { ...NODE, attachments: ["{{input.report}}"] } },
		});
		const form = new FormData();
		form.set("report", new File([bytes], "Bericht.pdf", { type: "application/pdf" }));
		const answer = await fetch(service.publicUrl + path, {
			method: "POST",
			headers: { "x-service-api-key": "default" },
			body: form,
		});
		const { data } = (await answer.json()) as { data: Record<string, unknown> };
		const [mail = assert.fail(JSON.stringify(data))] = server.mails;
		const parsed = await parseMail(mail.message);
		assert.deepEqual(data, {
			message_id: parsed.messageId,
			accepted: ["ada@example.org"],
			rejected: [],
			response: "250 2.0.0 Ok: queued as 1",
		});
		const [attached = assert.fail()] = parsed.attachments;
		assert.equal(attached.filename, "Bericht.pdf");
		assert.ok(bytes.equals(attached.bytes));
	});

	test("each element of a loop has an id of its own, and each attempt the same", async () => {
		const path = await createWebhook({
			triplets: ["each >> FOREACH name >> send"],
			config: {
				each: { component: "foreach", items: "{{input.names}}" },
				send: { ...NODE, to: ["{{name}}@example.org"] },
			},
		});
		const before = server.mails.length;
		const { body } = await call("POST", path, { names: ["ada", "bob"] });
		assert.equal(body.success, true, JSON.stringify(body));
		const sent = server.mails.slice(before);
		const ids = await Promise.all(sent.map(async ({ message }) => (await parseMail(message)).messageId));
		assert.equal(new Set(ids).size, 2);
	});

	test("temporary refusals are retried with the same id, others are not", async () => {
		let refusals = 0;
		const ids: string[] = [];
		const busy = await openSmtpServer({
			onData(stream, _, done) {
				const chunks: Buffer[] = [];
				stream.on("data", (chunk: Buffer) => chunks.push(chunk));
				stream.on("end", () => {
					ids.push(/^Message-ID: (.*)\r$/m.exec(Buffer.concat(chunks).toString())?.[1] ?? "");
					const code = refusals++ === 0 ? 451 : 550;
					done(Object.assign(new Error("no"), { responseCode: code }));
				});
			},
		});
		try {
			await call("PUT", "/credentials/busy", {
				auth_recipe: "smtp",
				fields: { host: `127.0.0.1:${busy.port}`, tls: "off" },
			});
			const path = await createWebhook({
				triplets: ["input >> then >> send"],
				config: { send: { ...NODE, credential: "busy", retry: { max: 5, delay_ms: 1 } } },
			});
			const { body } = await call("POST", path, {});
			assert.match(String(body.error), /127\.0\.0\.1 refused the mail: 550/);
			assert.equal(ids.length, 2);
			assert.ok(ids[0] !== "" && ids[0] === ids[1]);
		} finally {
			await busy.stop();
		}
	});

	test("the connection can be tested, and the password is nowhere", async () => {
		const passed = await call("POST", "/credentials/mail/test");
		assert.deepEqual(passed.body, { ok: true, message: `${MAIL_USER} is logged in at 127.0.0.1` });
		const fields = {
			host: `127.0.0.1:${server.port}`,
			user: MAIL_USER,
			password: "canary-canary",
			tls: "off",
		};
		await call("PUT", "/credentials/wrong", { auth_recipe: "smtp", fields });
		const failed = await call("POST", "/credentials/wrong/test");
		assert.equal(failed.body.ok, false);
		assert.match(String(failed.body.message), /refused the login: 535/);
		assert.doesNotMatch(lines.join() + JSON.stringify(failed.body), new RegExp(`${MAIL_PASSWORD}|canary`));
	});
});
