import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createRunMail } from "@tripline/components/email-send/create";
import { mailAuth } from "@tripline/components/seeds/auth-mail";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import type { Mail } from "@tripline/platform/mail";
import { nodeMail } from "@tripline/platform/mail.node";
import { memoryFiles } from "../../packages/components/test/memory-files.ts";
import { runForError, runForOutput } from "../../packages/components/test/run-node.ts";
import { TEST_CERTIFICATE } from "../../packages/platform/test/tls-certificate.ts";
import { parseMail } from "../parse-mail.ts";
import { MAIL_DOMAIN, type SmtpServer, startSmtp } from "./smtp.ts";

describe("mail through Exim", () => {
	let server: SmtpServer;
	let mail: Mail;
	const files = memoryFiles(65_536);

	before(async () => {
		server = await startSmtp();
		mail = nodeMail({
			allow: parseAllowedHosts(MAIL_DOMAIN),
			resolve: async () => [{ address: "127.0.0.1", family: 4 }],
		});
	});
	after(async () => {
		await mail?.close();
		await server?.stop();
	});

	const NODE = { credential: "mail", from: "Shop <shop@example.com>", text: "Hello" };

	function buildEffects(fields: Record<string, string> = {}) {
		const credential = {
			key: JSON.stringify(fields),
			recipe: mailAuth.find(({ id }) => id === "smtp") as AuthRecipe,
			fields: {
				...{ host: `${MAIL_DOMAIN}:${server.port}`, user: server.user, password: server.password },
				...{ ca: TEST_CERTIFICATE.cert, ...fields },
			},
		};
		return { files: files.files, mail: createRunMail(mail, async () => credential) };
	}

	async function waitForMail(id: string) {
		for (let look = 0; look < 200; look++) {
			for (const message of server.list()) {
				const parsed = await parseMail(message);
				if (parsed.messageId === id) return { message, parsed };
			}
			await wait(50);
		}
		assert.fail(`${id} was not delivered`);
	}

	test("a mail with attachments arrives byte for byte, over STARTTLS and with a login", async () => {
		const bytes = randomBytes(5_000_000);
		const text = `${"Grüße 👋\n".repeat(2_000)}.\n..\n.end\nFrom here\n`;
		const node = {
			...NODE,
			...{
				to: `Ada <ada@${MAIL_DOMAIN}>`,
				cc: `bob@${MAIL_DOMAIN}`,
				subject: "Bericht für März — 三月",
				text,
			},
			...{ html: "<p>Grüße</p>", in_reply_to: "<1@example.org>" },
			attachments: ["{{input.binary}}", "{{input.empty}}"],
		};
		const input = {
			binary: { ...files.add("Bericht März.bin", "application/octet-stream", bytes) },
			empty: { ...files.add("empty.txt", "text/plain", "") },
		};
		const output = (await runForOutput("email_send", node, { input, effects: buildEffects() })) as {
			message_id: string;
			accepted: string[];
		};
		assert.deepEqual(output.accepted, [`ada@${MAIL_DOMAIN}`, `bob@${MAIL_DOMAIN}`]);
		const { parsed, message } = await waitForMail(output.message_id);
		assert.match(message.toString("latin1"), /with esmtpsa/i);
		assert.equal(parsed.text?.replaceAll("\r\n", "\n").trimEnd(), text.trimEnd());
		assert.equal(parsed.html?.trim(), "<p>Grüße</p>");
		assert.equal(parsed.subject, node.subject);
		assert.equal(parsed.inReplyTo, "<1@example.org>");
		assert.deepEqual(
			parsed.attachments.map(({ filename }) => filename),
			["Bericht März.bin", "empty.txt"],
		);
		assert.ok(bytes.equals(parsed.attachments[0]?.bytes ?? new Uint8Array()));
	});

	test("refused recipients are named, and the others get the mail", async () => {
		const to = ["nobody-here", "later", "ada"].map((name) => `${name}@${MAIL_DOMAIN}`);
		const output = (await runForOutput("email_send", { ...NODE, to }, { effects: buildEffects() })) as {
			message_id: string;
			rejected: { address: string; response: string }[];
		};
		assert.deepEqual(
			output.rejected.map(({ address, response }) => [address.split("@")[0], response]),
			[
				["nobody-here", "550 no such user"],
				["later", "451 come back later"],
			],
		);
	});

	test("a wrong password, a certificate that is not trusted and a mail that is too large", async () => {
		const to = `ada@${MAIL_DOMAIN}`;
		const fail = (node: Record<string, string | string[]>, fields: Record<string, string>, input = {}) =>
			runForError("email_send", { ...NODE, to, ...node }, { input, effects: buildEffects(fields) });
		assert.match(await fail({}, { password: "wrong-wrong" }), /refused the login: 535/);
		assert.match(await fail({}, { ca: "" }), /certificate of service\.example is not valid/);
		const large = { ...files.add("large.bin", "application/octet-stream", new Uint8Array(20_000_000)) };
		assert.match(
			await fail({ attachments: ["{{input.large}}"] }, {}, { large }),
			/larger than service\.example takes/,
		);
		assert.match(
			await fail({ to: "ada@elsewhere.example" }, {}),
			/refused all recipients: 550 relay not permitted/,
		);
	});
});
