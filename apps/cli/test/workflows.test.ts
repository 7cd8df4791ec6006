import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "./world.ts";

const { cli, place, service } = await startWorld();

const document = (name: string, text: string) => `name: ${name}
description: Says hello
version: "1"
triplets:
  - input >> ON_SUCCESS >> hello
config:
  hello:
    component: template
    text: "${text}"
`;

const saveWorkflow = async (name: string, text = "Hello {{input.name}}") => {
	const { code, err } = await cli(["push", "one.yaml"], { files: { "one.yaml": document(name, text) } });
	assert.equal(code, 0, err);
};

interface Pushed {
	workflows: { name: string; result: string; webhook_url: string | null; diff: string[]; error?: string }[];
}

test("push saves a document and prints a call that runs it", async () => {
	const { code, out } = await cli(["push", "greet.yaml"], {
		files: { "greet.yaml": document("greet", "Hello {{input.name}}") },
	});
	assert.equal(code, 0);
	assert.match(out, /^greet +greet\.yaml +created$/m);
	const url = /curl -X POST '([^']+)'/.exec(out)?.[1] as string;
	assert.equal(url, `${service.publicUrl}/webhooks/named/default/greet/trigger`);
	const response = await fetch(url, { method: "POST", body: '{"name":"Ada"}' });
	assert.equal(((await response.json()) as { data: string }).data, "Hello Ada");
});

test("push does not save an unchanged document again, whatever the order of its fields", async () => {
	await saveWorkflow("same", "Hi");
	const again = {
		version: "1",
		config: { hello: { text: "Hi", component: "template" } },
		triplets: ["input >> ON_SUCCESS >> hello"],
		description: "Says hello",
		name: "same",
	};
	const { json } = await cli(["push", "same.json", "--json"], {
		files: { "same.json": JSON.stringify(again, null, "\t") },
	});
	const [pushed] = (json as Pushed).workflows;
	assert.equal(pushed?.result, "unchanged");
	assert.equal(pushed?.webhook_url, `${service.publicUrl}/webhooks/named/default/same/trigger`);
});

test("push shows the changes and saves them", async () => {
	await saveWorkflow("changing", "before");
	const files = { "c.yaml": document("changing", "after") };
	const { code, out, err } = await cli(["push", "c.yaml"], { files });
	assert.equal(code, 0);
	assert.match(err, /-\s+text: "before"\n\+\s+text: "after"/);
	assert.match(out, /updated/);
	assert.equal((await cli(["run", "changing"])).out, "after\n");
});

test("push --dry-run changes nothing", async () => {
	await saveWorkflow("dry", "before");
	const files = { "dry.yaml": document("dry", "after"), "new.yaml": document("never saved", "x") };
	const { json } = await cli(["push", ".", "--dry-run", "--json"], { files });
	assert.deepEqual(
		(json as Pushed).workflows.map(({ name, result }) => [name, result]),
		[
			["dry", "would update"],
			["never saved", "would create"],
		],
	);
	assert.equal((await cli(["run", "dry"])).out, "before\n");
	assert.equal((await cli(["run", "never saved"])).code, 1);
});

test("push asks on a terminal before it replaces a workflow, and accepts no", async () => {
	await saveWorkflow("asked", "before");
	const files = { "a.yaml": document("asked", "after") };
	const questions: string[] = [];
	const answer = (said: string) => (question: string) => {
		questions.push(question);
		return said;
	};
	const refused = await cli(["push", "a.yaml"], { files, answer: answer("n") });
	assert.equal(refused.code, 1);
	assert.match(refused.err, /nothing was pushed\n {2}--yes/);
	assert.equal((await cli(["run", "asked"])).out, "before\n");
	assert.equal((await cli(["push", "a.yaml"], { files, answer: answer("y") })).code, 0);
	assert.equal((await cli(["run", "asked"])).out, "after\n");
	assert.deepEqual(questions, ["replace asked? (y/N)", "replace asked? (y/N)"]);
	assert.equal((await cli(["push", "a.yaml", "--yes"], { files, answer: answer("n") })).code, 0);
	assert.equal(questions.length, 2);
});

test("push saves nothing if one document has an error", async () => {
	const files = {
		"w/good.yaml": document("good", "x"),
		"w/bad.yaml": document("bad", "x").replace("template", "templat"),
	};
	const { code, out } = await cli(["push", "w"], { files });
	assert.equal(code, 1);
	assert.match(out, /^w\/bad\.yaml:8:16 error unknown_component .*\n {2}Did you mean "template"\?/);
	assert.match(out, /nothing was pushed: 1 error in 1 file/);
	assert.equal((await cli(["run", "good"])).code, 1);
});

test("push rejects two documents with one name", async () => {
	const files = { "a.yaml": document("twin", "x"), "b.yaml": document("twin", "y") };
	const { code, err } = await cli(["push", "a.yaml", "b.yaml"], { files });
	assert.equal(code, 1);
	assert.match(err, /a\.yaml and b\.yaml are both named "twin"/);
});

test("push continues after a failure, and reports it", async () => {
	const files = { "a.yaml": document("lost", "x"), "b.yaml": document("kept", "y") };
	const { code, json } = await cli(["push", ".", "--json"], {
		files,
		fetch: (request, init) =>
			request.method === "POST" && request.url.endsWith("/workflows?name=lost")
				? Promise.reject(new Error("cut off"))
				: fetch(request, init),
	});
	assert.equal(code, 1);
	assert.deepEqual(
		(json as Pushed).workflows.map(({ name, result }) => [name, result]),
		[
			["lost", "failed"],
			["kept", "created"],
		],
	);
	assert.match((json as Pushed).workflows[0]?.error ?? "", /does not answer/);
	assert.equal((await cli(["run", "kept"])).out, "y\n");
});

test("push accepts folders, and names and skips files that are not workflow documents", async () => {
	const files = {
		"w/deep/in.yaml": document("in a folder", "x"),
		"w/settings.json": '{"a":1}',
		"w/node_modules/not.yaml": document("not meant", "x"),
		"w/.hidden/not.yaml": document("not meant", "x"),
	};
	const { json } = await cli(["push", "w", "--json"], { files });
	assert.deepEqual(
		(json as Pushed).workflows.map(({ name }) => name),
		["in a folder"],
	);
	assert.match(
		(await cli(["push", "w"], { files })).err,
		/w\/settings\.json: not a workflow document, skipped/,
	);
});

test("run prints data, takes input from a file and from standard input", async () => {
	await saveWorkflow("inputs");
	const at = place();
	const files = { "in.json": '{"name":"file"}' };
	const outs = [
		await cli(["run", "inputs", "--input", '{"name":"argument"}'], { at }),
		await cli(["run", "inputs", "--input", "@in.json"], { at, files }),
		await cli(["run", "inputs", "--input", "-"], { at, stdin: '{"name":"stdin"}' }),
	].map(({ out }) => out);
	assert.deepEqual(outs, ["Hello argument\n", "Hello file\n", "Hello stdin\n"]);
});

test("run --json prints the whole result", async () => {
	await saveWorkflow("whole");
	const { json } = await cli(["run", "whole", "--input", '{"name":"Ada"}', "--json"]);
	const { success, data, nodes } = json as { success: boolean; data: string; nodes: { id: string }[] };
	assert.deepEqual([success, data, nodes.map(({ id }) => id)], [true, "Hello Ada", ["hello"]]);
});

test("run names the failed node, with exit code 1", async () => {
	const failing = document("failing", "x").replace("template", "fail").replace("text:", "message:");
	const { err } = await cli(["push", "f.yaml"], { files: { "f.yaml": failing } });
	const { code, out, err: told } = await cli(["run", "failing", "--trace"]);
	assert.equal(code, 1, err);
	assert.equal(out, "");
	assert.match(told, /hello\s+fail\s+failed/);
	assert.match(
		told,
		/tripline: the run failed at node "hello" \(fail\): hello: x\n {2}tripline executions show \S+/,
	);
});

test("run suggests the nearest name for an unknown workflow", async () => {
	await saveWorkflow("invoices");
	const { code, err } = await cli(["run", "invoicse"]);
	assert.equal(code, 1);
	assert.match(err, /there is no workflow "invoicse"\n {2}did you mean: tripline run invoices/);
});

test("run --file runs a document without saving it, whatever its trigger", async () => {
	const scheduled = document("draft", "drafted {{input.name}}").replace(
		"triplets:",
		'trigger: { type: schedule, cron: "@hourly" }\ntriplets:',
	);
	const files = { "draft.yaml": scheduled };
	const { code, out, err } = await cli(["run", "--file", "draft.yaml", "--input", '{"name":"now"}'], {
		files,
	});
	assert.equal(code, 0, err);
	assert.equal(out, "drafted now\n");
	assert.equal((await cli(["run", "draft"])).code, 1);
	const { json } = await cli(["webhooks", "list", "--json"]);
	assert.ok(!JSON.stringify(json).includes("draft"));
});

test("run explains why it cannot run a workflow with signed calls only, and --file runs its document", async () => {
	const fields = JSON.stringify({ secret: "a long random text" });
	const stored = ["creds", "push", "--name", "sender", "--recipe", "signing_secret"];
	assert.equal((await cli(stored, { stdin: fields })).code, 0);
	const signed = `${document("signed", "Hello")}options:\n  signature: { scheme: github, credential: sender }\n`;
	const pushed = await cli(["push", "signed.yaml"], { files: { "signed.yaml": signed } });
	assert.equal(pushed.code, 0, pushed.err);
	const { code, err } = await cli(["run", "signed"]);
	assert.equal(code, 1);
	assert.match(
		err,
		/^tripline: not signed: header x-hub-signature-256 is missing\n {2}only its sender can sign; .*tripline run --file <path>$/m,
	);
	assert.equal((await cli(["run", "--file", "signed.yaml"], { at: pushed })).out, "Hello\n");
});

test("run rejects wrong usage with exit code 2", async () => {
	const calls = [
		["run"],
		["run", "a", "--file", "b"],
		["run", "a", "--input", "[1]"],
		["run", "a", "--input", "@no"],
	];
	for (const argv of calls) assert.equal((await cli(argv)).code, 2, argv.join(" "));
});

test("executions of one workflow and of all, newest first, failed ones, and since when", async () => {
	await saveWorkflow("counted", "x");
	const failing = document("counted wrong", "x").replace("template", "fail").replace("text:", "message:");
	await cli(["push", "f.yaml"], { files: { "f.yaml": failing } });
	await cli(["run", "counted"]);
	await cli(["run", "counted wrong"]);
	await cli(["run", "counted"]);
	const listExecutions = async (...argv: string[]) => {
		const { json } = await cli(["executions", ...argv, "--json"]);
		return (json as { executions: { workflow: string; verdict: string }[] }).executions;
	};
	await waitUntil(
		async () =>
			(await listExecutions("--limit", "3")).length === 3 && (await listExecutions("counted")).length === 2,
	);
	assert.equal((await listExecutions("counted wrong"))[0]?.verdict, "failed");
	assert.equal((await listExecutions("counted", "--failed")).length, 0);
	assert.deepEqual(
		(await listExecutions("--limit", "3")).map(({ workflow }) => workflow),
		["counted", "counted wrong", "counted"],
	);
	assert.ok((await listExecutions("--failed", "--since", "1h")).every(({ verdict }) => verdict === "failed"));
	assert.equal((await listExecutions("--since", "2099-01-01")).length, 0);
	assert.equal((await cli(["executions", "--since", "yesterday"])).code, 2);
	assert.equal((await cli(["executions", "--limit", "0"])).code, 2);
	assert.equal((await cli(["executions", "no such"])).code, 1);
});

test("executions show prints one run with its nodes", async () => {
	await saveWorkflow("shown", "x");
	const { json } = await cli(["run", "shown", "--json"]);
	const { execution_id: id } = json as { execution_id: string };
	const { code, out } = await cli(["executions", "show", id]);
	assert.equal(code, 0);
	assert.match(out, new RegExp(`execution: +${id}`));
	assert.match(out, /status: +success/);
	assert.match(out, /hello +template +success/);
	assert.match(
		(await cli(["executions", "show", "00000000-0000-7000-8000-000000000000"])).err,
		/no execution/,
	);
});

test("executions show prints what the nodes of a run received and gave", async () => {
	await saveWorkflow("seen", "for {{input.name}}");
	const { json } = await cli(["run", "seen", "--input", '{"name":"Ada"}', "--json"]);
	const { execution_id: id } = json as { execution_id: string };
	const all = await cli(["executions", "show", id, "--data"]);
	assert.equal(all.code, 0, all.err);
	assert.match(all.out, /^ {2}input: {3}\{"name":"Ada"\}$/m);
	assert.match(all.out, /^hello: success\n {2}input: {3}\{"text":"for Ada"\}\n {2}output: {2}"for Ada"$/m);
	const one = await cli(["executions", "show", id, "--node", "hello"]);
	assert.match(one.out, /^ {2}input:\n {4}\{\n {6}"text": "for Ada"\n {4}\}$/m);
	const read = await cli(["executions", "show", id, "--data", "--json"]);
	const { data } = read.json as { data: { nodes: { output: unknown }[] } };
	assert.deepEqual(data.nodes[0]?.output, { json: "for Ada" });
	const missing = await cli(["executions", "show", id, "--node", "nothing"]);
	assert.equal(missing.code, 1);
	assert.match(missing.err, /nothing is kept of this node/);
	assert.equal((await cli(["executions", "show", id, "--place", "0"])).code, 2);
});

test("webhooks are created, listed, called and revoked", async () => {
	const files = { "hook.yaml": document("hook", "called by {{input.name}}") };
	const { json } = await cli(["webhooks", "create", "hook.yaml", "--json"], { files });
	const { token, webhook_url } = json as { token: string; webhook_url: string };
	assert.match((await cli(["webhooks", "list"])).out, new RegExp(`hook +Says hello +${webhook_url}`));
	const call = () => fetch(webhook_url, { method: "POST", body: '{"name":"Ada"}' });
	assert.equal((await call()).status, 200);
	const revoked = await cli(["webhooks", "delete", "--", token]);
	assert.equal(revoked.out, "revoked\n", revoked.err);
	assert.equal((await call()).status, 404);
	const again = await cli(["webhooks", "delete", webhook_url]);
	assert.equal(again.code, 1);
	assert.match(again.err, /no webhook with this token/);
});

test("webhooks create reports the errors of a document", async () => {
	const files = { "hook.yaml": document("hook", "x").replace("template", "templat") };
	const { code, err } = await cli(["webhooks", "create", "hook.yaml"], { files });
	assert.equal(code, 1);
	assert.match(err, /unknown components: templat/);
	const broken = { "hook.yaml": document("hook", "x").replace("ON_SUCCESS", "sometimes") };
	const told = await cli(["webhooks", "create", "hook.yaml"], { files: broken });
	assert.match(told.err, /does not compile: .*\n {2}hook\.yaml:5:14 error unknown_relation/);
});

test("the hint explains how to pass a token that begins with a dash", async () => {
	const { code, err } = await cli(["webhooks", "delete", "-zzzzzzzzzzzzzzzzzzz"]);
	assert.equal(code, 2);
	assert.match(err, /tripline webhooks delete -- <token>/);
	assert.match((await cli(["webhooks", "delete", "--", "-zzzzzzzzzzzzzzzzzzz"])).err, /no webhook with this/);
});

/** Records are written in the background. */
async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
	for (let tries = 0; tries < 50; tries++) {
		if (await isSo()) return;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

test("list prints the workflows by name, and those with a tag", async () => {
	const tagged = (name: string, tags: string) =>
		document(name, "x").replace("triplets:", `tags: ${tags}\ntriplets:`);
	const files = { "b.yaml": tagged("listed b", "[listed, other]"), "a.yaml": tagged("listed a", "[listed]") };
	const at = place();
	assert.equal((await cli(["push", "."], { files, at })).code, 0);
	const { out } = await cli(["list", "--tag", "listed"]);
	assert.match(
		out,
		/^NAME +TRIGGER +ON +TAGS +DESCRIPTION\nlisted a +yes +listed +Says hello\nlisted b +yes +listed, other +Says hello\n$/,
	);
	assert.ok((await cli(["list"])).out.split("\n").length > 4);
	const { json } = await cli(["list", "--tag", "other", "--json"]);
	assert.deepEqual(
		(json as { workflows: { name: string }[] }).workflows.map(({ name }) => name),
		["listed b"],
	);
	assert.equal((await cli(["list", "--tag", "nobody"])).out, "no workflow has the tag nobody\n");
	assert.equal((await cli(["list", "--tag", "a b"])).code, 2);
	const again = await cli(["push", ".", "--json"], { at });
	assert.deepEqual(
		(again.json as Pushed).workflows.map(({ result }) => result),
		["unchanged", "unchanged"],
	);
});
