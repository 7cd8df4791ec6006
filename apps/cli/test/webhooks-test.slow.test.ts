import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { buildSenderYaml, SENDERS } from "@tripline/contract/calling/senders";
import { SIGNATURE_SCHEMES } from "@tripline/contract/calling/words";
import { describeSignature } from "../../../test/webhook-senders.ts";
import { startWorld } from "./world.ts";

const { cli, place, service } = await startWorld();

interface Saved {
	readonly trigger?: object;
	readonly options?: object;
	readonly node?: object;
}

async function save(name: string, { trigger, options, node }: Saved = {}): Promise<string> {
	const document = {
		name,
		description: "Returns its input",
		version: "1",
		...(trigger !== undefined && { trigger: { type: "webhook", ...trigger } }),
		...(options !== undefined && { options }),
		triplets: ["input >> then >> got"],
		config: { got: node ?? { component: "set", values: { got: "{{input}}", by: "{{request.method}}" } } },
	};
	const pushed = await cli(["push", "one.json", "--yes"], {
		files: { "one.json": JSON.stringify(document) },
	});
	assert.equal(pushed.code, 0, pushed.out + pushed.err);
	return pushed.out;
}

interface Sent {
	readonly status: number;
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly explanation: string | null;
	readonly sent: string;
	readonly url: string;
}

async function send(words: readonly string[], calling: Parameters<typeof cli>[1] = {}) {
	const { code, json } = await cli(["webhooks", "test", ...words, "--send", "--json"], calling);
	return { code, ...(json as Sent) };
}

const readData = ({ body }: Sent): unknown => JSON.parse(body).data;

describe("webhooks test", () => {
	test("shows what a workflow takes and answers, with commands that fit", async () => {
		const schema = { type: "object", properties: { name: { type: "string", examples: ["Ada"] } } };
		await save("contact", {
			trigger: { accept: ["form"], answer: "respond", cors: ["https://example.com"] },
			options: { input_schema: schema },
			node: { component: "respond", body: "Thanks" },
		});
		const { code, out } = await cli(["webhooks", "test", "contact"]);
		assert.equal(code, 0);
		assert.ok(out.startsWith(`${service.publicUrl}/webhooks/named/default/contact/trigger\n`));
		assert.match(out, /takes +form\n +answers +what the node respond gives\n +pages +https:\/\/example\.com/);
		assert.match(out, /--data-urlencode 'name=Ada'/);
		assert.match(out, /<form method="post"/);
		assert.ok(!out.includes("application/json"));
		assert.match(out, /--from github, slack, stripe, shopify,/);
	});

	test("shows what to set at a service", async () => {
		await save("plain");
		const { out } = await cli(["webhooks", "test", "plain", "--from", "GitHub"]);
		assert.match(out, /signature: \{ scheme: github, credential: sender \}/);
		assert.match(out, / {2}1\. Open the repository's Settings > Webhooks/);
		const wrong = await cli(["webhooks", "test", "plain", "--from", "gihub"]);
		assert.deepEqual([wrong.code, wrong.err.includes("did you mean: --from github")], [2, true]);
	});

	test("shows lines for every service that compile", async () => {
		const files = Object.fromEntries(
			SENDERS.map((sender) => [
				`${sender.id}.yaml`,
				`name: ${sender.id}\ndescription: x\nversion: "1"\n${buildSenderYaml(sender)}\ntriplets: [input >> then >> wait]\nconfig: { wait: { ms: 1 } }\n`,
			]),
		);
		const { code, out } = await cli(["validate", "."], { files });
		assert.equal(code, 0, out);
		assert.ok(!out.includes(" error "), out);
	});

	test("calls it with a sample input, or with another", async () => {
		const schema = { type: "object", required: ["n"], properties: { n: { type: "integer", minimum: 3 } } };
		await save("sampled", { options: { input_schema: schema } });
		const sampled = await send(["sampled"]);
		assert.deepEqual(
			[sampled.code, sampled.status, readData(sampled)],
			[0, 200, { got: { n: 3 }, by: "POST" }],
		);
		assert.deepEqual(readData(await send(["sampled", "--input", '{"n":9}'])), { got: { n: 9 }, by: "POST" });
		const refused = await send(["sampled", "--input", '{"n":1}']);
		assert.deepEqual([refused.code, refused.status], [1, 422]);
		assert.match(refused.explanation ?? "", /does not match options\.input_schema/);
	});

	test("calls it as a form, as a GET, as text and by another method", async () => {
		await save("every", { trigger: { methods: ["GET", "POST", "PUT"], accept: ["json", "form"] } });
		const input = ["--input", '{"name":"Ada","tags":["a","b"]}'];
		const got = { name: "Ada", tags: ["a", "b"] };
		for (const [words, by] of [
			[["--form"], "POST"],
			[["--query"], "GET"],
			[["--method", "put"], "PUT"],
		] as const)
			assert.deepEqual(readData(await send(["every", ...input, ...words])), { got, by });
		await save("note", { trigger: { accept: ["text"] } });
		assert.deepEqual(readData(await send(["note", "--input", '{"text":"茶"}'])), {
			got: { text: "茶" },
			by: "POST",
		});
		await save("upload", { trigger: { accept: ["files"] } });
		assert.deepEqual(readData(await send(["upload", ...input])), { got, by: "POST" });
	});

	test("prints the status, the headers that matter and the body", async () => {
		await save("moved", {
			trigger: { answer: "respond" },
			node: { component: "respond", redirect: "https://example.com/thanks" },
		});
		const { code, out } = await cli(["webhooks", "test", "moved", "--send"]);
		assert.equal(code, 0);
		assert.match(out, /^30\d [A-Za-z ]+, \d+ ms\n/);
		assert.match(out, /^location: https:\/\/example\.com\/thanks$/m);
	});

	test("explains a refused method and a refused type", async () => {
		await save("strict", { trigger: { accept: ["json"], methods: ["POST"] } });
		const method = await send(["strict", "--query"]);
		assert.deepEqual([method.status, method.headers.allow], [405, "POST"]);
		assert.match(method.explanation ?? "", /^GET is not taken, only POST: /);
		const type = await send(["strict", "--form", "--input", '{"a":"1"}']);
		assert.equal(type.status, 415);
		assert.match(type.explanation ?? "", /^application\/x-www-form-urlencoded is not taken, only json: /);
	});

	test("explains which header of a signature is missing, and that a secret is wrong", async () => {
		await save("signed", { options: { signature: { scheme: "github", credential: "sender" } } });
		const unsigned = await send(["signed"]);
		assert.equal(unsigned.status, 401);
		assert.match(
			unsigned.explanation ?? "",
			/not signed: X-Hub-Signature-256 missing\. Give the secret of the credential sender/,
		);
		await putSecret("sender", "right");
		const wrong = await send(["signed"], { env: { WEBHOOK_SECRET: "not-this-one" } });
		assert.deepEqual(
			[wrong.status, wrong.explanation],
			[401, "The secret is not that of the credential sender."],
		);
		assert.ok(!JSON.stringify(wrong).includes("not-this-one"));
	});

	for (const scheme of SIGNATURE_SCHEMES.filter((each) => each !== "discord"))
		test(`signs a call by ${scheme}`, async () => {
			const secret = scheme === "standard-webhooks" ? "whsec_YW5vdGhlciBzZWNyZXQ=" : "a long random text";
			await putSecret("sender", secret);
			const signature = { ...describeSignature(scheme), credential: "sender" };
			await save(`by ${scheme}`, { trigger: { accept: ["json", "form"], signature } });
			for (const words of scheme === "linear" ? [[]] : [[], ["--form"]]) {
				const sent = await send([`by ${scheme}`, ...words, "--input", '{"b":"1","a":["x","y"]}'], {
					env: { WEBHOOK_SECRET: secret },
				});
				assert.equal(sent.status, 200, `${sent.body} ${sent.explanation}`);
			}
		});

	test("reads secrets from a private file or standard input, never from an argument", async () => {
		await putSecret("sender", "from a file");
		const at = place();
		const path = join(at.cwd, "secret.txt");
		writeFileSync(path, "from a file\n");
		chmodSync(path, 0o644);
		const open = await cli(["webhooks", "test", "signed", "--send", "--secret-file", "secret.txt"], { at });
		assert.match(open.err, /others on this machine can read/);
		chmodSync(path, 0o600);
		assert.equal((await send(["signed", "--secret-file", "secret.txt"], { at })).status, 200);
		assert.equal((await send(["signed", "--secret-file", "-"], { stdin: "from a file\n" })).status, 200);
		const argument = await cli([
			"webhooks",
			"test",
			"signed",
			"--send",
			"--header",
			"Authorization: Bearer x",
		]);
		assert.deepEqual([argument.code, argument.err.includes("--token-file")], [2, true]);
		const twice = ["--input", "-", "--secret-file", "-"];
		assert.equal((await cli(["webhooks", "test", "signed", "--send", ...twice])).code, 2);
	});

	for (const [scheme, header] of [
		["bearer", "Authorization (bearer)"],
		["basic", "Authorization (basic)"],
		["header", "X-Door"],
	] as const)
		test(`sends the token as auth ${scheme} says, and explains which header is missing`, async () => {
			const credential = `door ${scheme}`;
			const fields = { host: "example.com", username: "ada", password: "a:b ö" };
			if (scheme === "basic") await putCredential(credential, { auth_recipe: "basic_auth", fields });
			else await putSecret(credential, "open-sesame");
			const auth = { scheme, credential, ...(scheme === "header" && { header: "X-Door" }) };
			await save(credential, { trigger: { auth } });
			const without = await send([credential]);
			assert.equal(without.status, 401);
			assert.ok(
				without.explanation?.startsWith(`The header ${header} is missing. `),
				`${without.explanation}`,
			);
			const wrong = await send([credential], { env: { WEBHOOK_TOKEN: "ada:other" } });
			assert.equal(wrong.explanation, `The secret is not that of the credential ${credential}.`);
			const WEBHOOK_TOKEN = scheme === "basic" ? `${fields.username}:${fields.password}` : "open-sesame";
			const sent = await send([credential], { env: { WEBHOOK_TOKEN } });
			assert.equal(sent.status, 200, sent.body);
			const { out } = await cli(["webhooks", "test", credential], { env: { WEBHOOK_TOKEN } });
			assert.ok(out.includes(`credential ${credential}: `) && !out.includes(WEBHOOK_TOKEN), out);
		});

	test("takes the URL of a webhook, with a token too", async () => {
		const url = `${service.publicUrl}/webhooks/named/default/plain/trigger`;
		assert.equal((await send([url])).status, 200);
		const files = {
			"hook.yaml": "triplets: [input >> then >> set]\nconfig: { set: { values: { a: 1 } } }\n",
		};
		const created = await cli(["webhooks", "create", "hook.yaml", "--json"], { files });
		const { webhook_url } = created.json as { webhook_url: string };
		assert.deepEqual(readData(await send([webhook_url])), { a: 1 });
		assert.match((await cli(["webhooks", "test", webhook_url])).out, /cannot be read; these calls assume/);
		assert.equal((await cli(["webhooks", "test", "https://example.com/other"])).code, 2);
	});

	test("suggests the nearest name of a workflow", async () => {
		const { code, err } = await cli(["webhooks", "test", "plan"]);
		assert.equal(code, 1);
		assert.match(err, /there is no workflow "plan"\n {2}did you mean: tripline webhooks test plain/);
	});
});

test("push prints a call only if everybody can make it", async () => {
	assert.match(await save("open", { trigger: { accept: ["json"] } }), /^ {2}curl -X POST /m);
	assert.match(
		await save("a form", { trigger: { accept: ["form"] } }),
		/^ {2}tripline webhooks test 'a form'$/m,
	);
});

test("run works for a workflow that takes only forms and answers by respond", async () => {
	await save("form only", {
		trigger: { accept: ["form"], methods: ["PUT"], answer: "respond" },
		node: { component: "respond", status: 201, body: { hello: "{{input.name}}" } },
	});
	const { code, out } = await cli(["run", "form only", "--input", '{"name":"Ada"}']);
	assert.equal(code, 0);
	assert.match(out, /"hello": "Ada"/);
});

const putSecret = (name: string, secret: string): Promise<void> =>
	putCredential(name, { auth_recipe: "signing_secret", fields: { secret } });

async function putCredential(name: string, credential: object): Promise<void> {
	const response = await fetch(`${service.publicUrl}/credentials/${encodeURIComponent(name)}`, {
		method: "PUT",
		headers: { "x-service-api-key": "default", "content-type": "application/json" },
		body: JSON.stringify(credential),
	});
	assert.ok(response.ok, await response.text());
}
