import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, type TestContext, test } from "node:test";
import { MailboxStatus } from "@tripline/contract/executor";
import { FileValue } from "@tripline/contract/files";
import { RunResult } from "@tripline/contract/workflows";
import * as z from "zod";
import { type Started, start } from "../../apps/node/test/process.ts";
import { call, callJson, eventually, save, trigger } from "../replicas/deployment.ts";
import { IMAP_PASSWORD, type ImapServer, startImap } from "./imap.ts";
import { MAIL_DOMAIN, type SmtpServer, startSmtp } from "./smtp.ts";

const SHOP = "shop@example.com";
const ADA = `ada@${MAIL_DOMAIN}`;

const Reported = z.object({
	message_id: z.string(),
	in_reply_to: z.string().nullable(),
	from: z.string(),
	text: z.string(),
	file: FileValue,
});
type Reported = z.output<typeof Reported>;

/** Takes what runs report, by path. */
async function openReports(context: TestContext) {
	const reports = new Map<string, Reported[]>();
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		const path = request.url ?? "";
		reports.set(path, [...(reports.get(path) ?? []), Reported.parse(JSON.parse(body))]);
		response.end("{}");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	context.after(() => server.close());
	context.after(() => server.closeAllConnections());
	return { reports, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const report = (url: string) => ({
	component: "http_request",
	method: "POST",
	url,
	json: {
		...{ message_id: "{{input.message_id}}", in_reply_to: "{{input.in_reply_to}}" },
		...{ from: "{{input.from.address}}", text: "{{input.text}}", file: "{{input.attachments[0]}}" },
	},
});

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function download(from: Started, { $file: id }: FileValue): Promise<Uint8Array> {
	const answer = await call(from, "GET", `/files/${id}/content`);
	assert.equal(answer.status, 200);
	return new Uint8Array(await answer.arrayBuffer());
}

describe("a mail through Exim and Dovecot", () => {
	let imap: ImapServer;
	let smtp: SmtpServer;
	before(async () => {
		imap = await startImap();
		smtp = await startSmtp({ maildir: imap.createMaildir("ada") });
	});
	after(async () => {
		await smtp?.stop();
		await imap?.stop();
	});

	test("is sent by one workflow, starts a second one that answers it, and the answer starts a third", async (context) => {
		const service = await start(context, { LOG_LEVEL: "warn", ALLOW_PRIVATE_HOSTS: "127.0.0.1" });
		const { reports, url } = await openReports(context);
		const put = (name: string, auth_recipe: string, fields: object) =>
			callJson(service, "PUT", `/credentials/${name}`, { body: { auth_recipe, fields } });
		await put("post", "smtp", {
			...{ host: `127.0.0.1:${smtp.port}`, user: smtp.user, password: smtp.password, tls: "off" },
		});
		await put("box", "imap", {
			...{ host: `127.0.0.1:${imap.plainPort}`, user: "ada", password: IMAP_PASSWORD, tls: "off" },
		});
		const listen = (from: string) => ({ type: "event", email: { credential: "box", from } });
		const send = { component: "email_send", credential: "post", to: ADA };
		await save(service, "order", {
			triplets: ["input >> then >> send"],
			config: {
				send: { ...send, from: SHOP, subject: "Order", text: "Please.", attachments: ["{{input.file}}"] },
			},
		});
		await save(service, "answer", {
			trigger: listen(SHOP),
			triplets: ["input >> then >> report", "report >> then >> send"],
			config: {
				report: report(`${url}/order`),
				send: {
					...{ ...send, from: ADA, subject: "Re: {{input.subject}}", text: "Done." },
					...{ in_reply_to: "{{input.message_id}}", attachments: ["{{input.attachments[0]}}"] },
				},
			},
		});
		await save(service, "file", {
			trigger: listen(ADA),
			triplets: ["input >> then >> report"],
			config: { report: report(`${url}/answer`) },
		});
		for (const name of ["answer", "file"])
			await eventually(async () => {
				const state = MailboxStatus.parse(await callJson(service, "GET", `/workflows/${name}/mailbox`));
				assert.notEqual(state.connected_at, null);
				assert.notEqual(state.since, null);
			});

		const bytes = randomBytes(1_000_000);
		const upload = await fetch(`${service.publicUrl}/files?name=${encodeURIComponent("Bericht März.bin")}`, {
			method: "POST",
			headers: { "x-service-api-key": "replicas", "content-type": "application/octet-stream" },
			body: bytes,
		});
		assert.equal(upload.status, 201);
		const { id, name, type, size } = (await upload.json()) as Record<string, unknown>;
		const sent = await trigger(service, "order", { file: { $file: id, name, type, size } });
		const { data, error } = RunResult.parse(await sent.json());
		assert.equal(error, undefined);
		const { message_id, accepted } = data as { message_id: string; accepted: string[] };
		assert.deepEqual(accepted, [ADA]);

		const [order, answer] = await eventually(async () => {
			const [one, other] = ["/order", "/answer"].map((path) => reports.get(path)?.[0]);
			assert.ok(one !== undefined && other !== undefined);
			return [one, other];
		}, 30_000);
		assert.deepEqual([order.message_id, order.from, order.in_reply_to], [message_id, SHOP, null]);
		assert.deepEqual([answer.from, answer.in_reply_to], [ADA, message_id]);
		assert.deepEqual([order.text.trim(), answer.text.trim()], ["Please.", "Done."]);
		for (const { file } of [order, answer]) {
			assert.equal(file.name, "Bericht März.bin");
			assert.equal(hash(await download(service, file)), hash(bytes));
		}
		assert.deepEqual(
			[...reports].map(([path, list]) => [path, list.length]),
			[
				["/order", 1],
				["/answer", 1],
			],
		);
	});
});
