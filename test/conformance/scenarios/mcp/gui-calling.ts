import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { SIGNATURE_SCHEMES } from "@tripline/contract/calling/words";
import { ChatLink } from "@tripline/contract/chat";
import { SavedWorkflow, Validation } from "@tripline/contract/executor";
import { GuiGraphStart, GuiWorkflow } from "@tripline/contract/gui";
import { RunResult } from "@tripline/contract/workflows";
import { describeSignature } from "../../../webhook-senders.ts";
import type { Scenario, World } from "../../scenario.ts";
import { echo, getNamedPath, save } from "../executor/saving.ts";
import { openConsole, openOthersConsole } from "./console.ts";
import { OPEN } from "./settings.ts";

const TEXT = `# Kept as it is.
name: greet
description: Greets
version: "1"
triplets: [ input >> then >> hello ]
config: { hello: { component: template, text: hi } }
`;

async function runInShell(script: string, SECRET = ""): Promise<RunResult> {
	const { stdout } = await promisify(execFile)("sh", ["-c", script], { env: { ...process.env, SECRET } });
	return RunResult.parse(JSON.parse(stdout));
}

async function readWorkflow(world: World, name: string) {
	return openConsole(world).expect(200, GuiWorkflow, "GET", `/workflows/${encodeURIComponent(name)}`);
}

export const guiCalling: readonly Scenario[] = [
	{
		name: "the console shows the original text only of the caller's own workflows",
		cites: ["MCP-GUI-AUTH", "MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const console = openConsole(world);
			const yaml = { raw: TEXT, headers: { "content-type": "application/yaml" } };
			await console.expect(201, SavedWorkflow, "PUT", "/workflows/greet", yaml);
			const { text, document } = await readWorkflow(world, "greet");
			assert.equal(text, TEXT);
			await console.expect(200, SavedWorkflow, "PUT", "/workflows/greet", { body: document });
			const rendered = (await readWorkflow(world, "greet")).text;
			assert.match(rendered, /^name: greet\ndescription: Greets\nversion: "1"\n/);
			const accept = await world.executor.call("GET", getNamedPath("greet"), {
				headers: { accept: "application/yaml" },
			});
			assert.equal(accept.body, rendered);
			await openOthersConsole(world).refuse(404, "GET", "/workflows/greet");
		},
	},
	{
		name: "the console shows how to call a workflow, and the commands work in a shell",
		cites: ["MCP-GUI-AUTH"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("it's open 訂單", { options: { query: true } }));
			const { call, workflow } = await readWorkflow(world, "it's open 訂單");
			assert.equal(call.webhook_url, workflow.webhook_url);
			assert.deepEqual([call.signature, call.idempotency_header], [null, "Idempotency-Key"]);
			assert.equal((await runInShell(call.curl)).success, true);
			const asked = await fetch(`${call.query_url}?a=1`);
			assert.deepEqual([asked.status, await asked.json()], [200, { got: { a: "1" } }]);
		},
	},
	{
		name: "the console shows what the trigger takes and answers, and commands that fit it",
		cites: ["MCP-GUI-AUTH"],
		environment: OPEN,
		async run(world) {
			const keys = {
				accept: ["form", "text"],
				methods: ["PUT"],
				max_bytes: 100,
				cors: ["https://example.com"],
			};
			await save(world, echo("form", { trigger: { type: "webhook", ...keys } }));
			const { call } = await readWorkflow(world, "form");
			const { methods, accept, max_bytes, answer, auth, handshake, cors, form_url } = call;
			assert.deepEqual({ methods, accept, max_bytes, cors }, keys);
			assert.deepEqual([answer, auth, handshake, form_url], ["result", null, null, null]);
			assert.equal((await runInShell(call.curl)).success, true, call.curl);
			await save(world, echo("read", { trigger: { type: "webhook", methods: ["GET"] } }));
			const read = await readWorkflow(world, "read");
			assert.equal((await runInShell(read.call.curl)).success, true, read.call.curl);
			const trigger = {
				type: "webhook",
				form: { title: "Ask" },
				auth: { scheme: "basic", credential: "door" },
			};
			const input_schema = { type: "object", properties: { name: { type: "string" } } };
			await save(world, echo("ask us", { trigger, options: { input_schema } }));
			const asked = (await readWorkflow(world, "ask us")).call;
			assert.equal(
				asked.form_url,
				asked.webhook_url.replace("/webhooks/named/", "/f/").replace(/\/trigger$/, ""),
			);
			assert.deepEqual([asked.accept, asked.answer], [["form", "files"], "respond"]);
			assert.deepEqual([asked.auth, asked.handshake], [trigger.auth, null]);
			const signature = { scheme: "slack", credential: "sender" };
			await save(world, echo("mention", { trigger: { type: "webhook", signature, handshake: "slack" } }));
			const mentioned = (await readWorkflow(world, "mention")).call;
			assert.deepEqual([mentioned.signature?.credential, mentioned.handshake], ["sender", "slack"]);
		},
	},
	{
		name: "the console makes a link to the chat of the caller's own workflow",
		cites: ["MCP-GUI-AUTH"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("talk", { trigger: { type: "webhook", chat: {} } }));
			const { chat_url } = (await readWorkflow(world, "talk")).call;
			const made = await openConsole(world).expect(200, ChatLink, "POST", "/workflows/talk/chat-links");
			assert.equal(made.url.split("#")[0], chat_url);
			const token = made.url.split("#")[1];
			const headers = { authorization: `Bearer ${token}` };
			const path = `${new URL(made.url).pathname}/settings`;
			assert.equal((await world.anyone.call("GET", path, { headers })).status, 200);
			await openOthersConsole(world).refuse(404, "POST", "/workflows/talk/chat-links");
		},
	},
	{
		name: "the console draws the form of a document that is not saved, if asked",
		cites: ["MCP-GUI-AUTH"],
		environment: OPEN,
		async run(world) {
			const console = openConsole(world);
			const input_schema = { type: "object", properties: { name: { type: "string" } } };
			const trigger = { type: "webhook", form: { title: "<Ask>" } };
			const body = echo("ask", { trigger, options: { input_schema } });
			const draw = async (body: object, form?: string) =>
				(await console.expect(200, Validation, "POST", "/validate", { body, query: { form } })).form;
			assert.equal(await draw(body), undefined);
			const drawn = await draw(body, "zh-Hant");
			assert.match(drawn?.html ?? "", /<html lang="zh-Hant">[\s\S]*<h1>&lt;Ask&gt;<\/h1>[\s\S]*name="name"/);
			assert.ok(!drawn?.html.includes("<style") && drawn?.style.includes("color-scheme"));
			assert.equal(await draw(echo("plain"), "en"), null);
			await console.refuse(422, "POST", "/validate", { body, query: { form: "fr" } });
		},
	},
	{
		name: "the console shows how to sign a call, for every scheme",
		cites: ["MCP-GUI-AUTH"],
		environment: OPEN,
		async run(world) {
			const secrets = [
				"a long 'random' text $x",
				`whsec_${Buffer.from("another secret").toString("base64")}`,
			];
			for (const [nth, secret] of secrets.entries()) {
				const body = { auth_recipe: "signing_secret", fields: { secret } };
				await world.executor.call("PUT", "/credentials/sender", { body });
				for (const scheme of nth === 0 ? SIGNATURE_SCHEMES : (["standard-webhooks"] as const)) {
					const signature = { ...describeSignature(scheme), credential: "sender" };
					await save(world, echo(scheme, { options: { signature } }));
					const { call } = await readWorkflow(world, scheme);
					assert.deepEqual([call.signature?.scheme, call.query_url], [scheme, null]);
					// Only Discord has the private key, so the command is a comment.
					if (scheme === "discord") {
						assert.match(call.curl, /^# Only the sender /);
						continue;
					}
					for (const header of call.signature?.headers ?? []) assert.ok(call.curl.includes(`"${header}: `));
					assert.ok(!JSON.stringify(call).includes(secret));
					assert.equal((await runInShell(call.curl, secret)).success, true, `${scheme}: ${call.curl}`);
				}
			}
		},
	},
	{
		name: "without a selection the graph shows only the caller's nodes, predicates and latest facts",
		cites: ["MCP-GUI-AUTH", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const say = async (subject: string, predicate: string, object: string, uri: string, hash = "1") => {
				const body = { owner_id: world.owner, subject, predicate, object, source: { uri, hash } };
				assert.ok((await world.call("POST", "/triplets/ingest", { body })).status < 300);
			};
			const start = (from = openConsole(world), query = {}) =>
				from.expect(200, GuiGraphStart, "GET", "/graph/start", { query });
			const empty = { nodes: [], predicates: [], latest: [], looked_at: 0, more: false };
			assert.deepEqual(await start(), empty);
			await say("Ada", "wrote", "Notes", "file:a");
			await say("ADA ", "lives in", "London", "file:b");
			await say("Ada", "lives in", "Paris", "file:b", "2");
			await say("Bo", "Wrote", "Songs", "file:c");
			const told = await start();
			assert.deepEqual(told.nodes[0], { name: "Ada", facts: 2 });
			assert.deepEqual(told.predicates, [
				{ predicate: "Wrote", facts: 2 },
				{ predicate: "lives in", facts: 1 },
			]);
			assert.deepEqual(
				told.latest.map(({ subject, object, source_uri }) => [subject, object, source_uri]),
				[
					["Bo", "Songs", "file:c"],
					["Ada", "Paris", "file:b"],
					["Ada", "Notes", "file:a"],
				],
			);
			assert.deepEqual([told.looked_at, told.more], [3, false]);
			assert.equal((await start(openConsole(world), { limit: 1 })).latest.length, 1);
			assert.deepEqual(await start(openOthersConsole(world)), empty);
			await openConsole(world).refuse(422, "GET", "/graph/start", { query: { limit: 0 } });
		},
	},
];
