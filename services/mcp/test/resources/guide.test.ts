import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SIGNATURE_SCHEMES } from "@tripline/contract/calling/words";
import { INSTRUCTIONS } from "../../src/guide/instructions.ts";
import { LANGUAGE_GUIDE } from "../../src/guide/language.ts";
import { tools } from "../../src/tools/tools.ts";
import { buildWorkflow, startWorld } from "./world.ts";

const world = await startWorld();
const { executor } = world.context("acme");

const examples = [...LANGUAGE_GUIDE.matchAll(/^~~~yaml\n(.*?)^~~~$/gms)].map(([, yaml]) => yaml ?? "");
const getSection = (title: string): string =>
	LANGUAGE_GUIDE.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";

/** The compiler's hint for an unknown word, which lists all known words. */
async function readHint(document: ReturnType<typeof buildWorkflow>): Promise<string> {
	const { diagnostics } = await executor.workflows.validate({ json: document });
	return diagnostics[0]?.hint ?? "";
}

test("every example of the language guide compiles, with no warning but a missing credential", async () => {
	assert.equal(examples.length, 3);
	for (const yaml of examples) {
		const { valid, diagnostics } = await executor.workflows.validate({ yaml });
		assert.deepEqual(
			diagnostics.filter(({ code }) => code !== "missing_credential"),
			[],
		);
		assert.ok(valid);
	}
});

test("the first example of the language guide runs", async () => {
	await executor.workflows.save({ yaml: examples[0] ?? "" });
	const orders = [
		{ paid: true, total: 60.5 },
		{ paid: false, total: 500 },
		{ paid: true, total: 70 },
	];
	const result = await executor.workflows.run("order totals", { orders });
	assert.ok(result !== null && "success" in result);
	assert.equal(result.error, undefined);
	assert.equal(result.data, "130.5 from 2 orders");
});

test("the language guide names every relation", async () => {
	const hint = await readHint(buildWorkflow("x", { triplets: ["input >> zzzzzzzzzzzz >> say"] }));
	const relations = hint.match(/[A-Z_]{4,}/g) ?? [];
	assert.equal(relations.length, 10, hint);
	for (const relation of relations) assert.match(getSection("Relations"), new RegExp(`\\b${relation}\\b`));
});

test("every relation and alias that the language guide names exists", async () => {
	const words = getSection("Relations")
		.split("\n")
		.filter((line) => line.startsWith("- "))
		.flatMap((line) => (line.slice(2).split(":")[0] ?? "").split(/[(),]+/))
		.map((word) => word.trim())
		.filter((word) => word !== "");
	assert.ok(words.length > 14, words.join());
	for (const word of words) {
		const relation = /^(for each|對每個|重複)$/.test(word) ? `${word} element` : word;
		const isRepeat = /^(REPEAT|重複)/.test(word);
		const isWait = /^(ON_WAIT|while waiting|等待時)$/.test(word);
		const { diagnostics } = await executor.workflows.validate({
			json: buildWorkflow("x", {
				triplets: ["input >> then >> first", `first >> ${relation} >> say`],
				config: {
					first: isRepeat
						? { component: "repeat", until: "true" }
						: isWait
							? { component: "ask", question: "Go on?" }
							: { component: "code", code: "return input.any;" },
					say: { component: "template", text: "hello" },
				},
			}),
		});
		const errors = diagnostics.filter(({ severity }) => severity === "error");
		assert.deepEqual(errors, [], relation);
	}
});

test("the language guide lists exactly the existing filters", async () => {
	const config = { say: { component: "template", text: "{{input.name | zzzzzzzzzzzzzz}}" } };
	const hint = await readHint(buildWorkflow("x", { config }));
	const existing = hint.replace("the filters are ", "").split(", ").sort();
	assert.ok(existing.length > 15, hint);
	const named = getSection("Templates")
		.split("\n")
		.filter((line) => line.startsWith("- "))
		.flatMap(
			(line) =>
				line
					.replaceAll(/ ?\([^)]*\)/g, "")
					.split(": ")[1]
					?.split(", ") ?? [],
		);
	assert.deepEqual(named.sort(), existing);
});

test("the language guide lists exactly the built-in components", async () => {
	const { components } = await executor.components.list();
	const existing = components.filter(({ source }) => source === "built-in").map(({ id }) => id);
	const lines = getSection("Components").split("\n- ").slice(1, -1).join("\n");
	const named = new Set([...lines.matchAll(/([a-z_]+) \(/g)].map(([, name]) => name ?? ""));
	assert.deepEqual([...named].sort(), [...existing].sort());
	const ids = new Set(components.map(({ id }) => id));
	for (const [example] of getSection("Components").matchAll(/[a-z]+\.[a-z_]+/g))
		assert.ok(ids.has(example), example);
});

test("every parameter in the language guide exists in its component", async () => {
	const lines = getSection("Components").split("\n- ").slice(1, -1).join("\n");
	const listed = [...lines.matchAll(/([a-z_]+) \(([a-z_, ]+)[):;]/g)];
	assert.ok(listed.length > 15);
	for (const [, id = "", parameters = ""] of listed) {
		const detail = await executor.components.get(id);
		const { properties } = (detail?.params ?? {}) as { properties?: object };
		for (const name of parameters.split(", "))
			assert.ok(Object.hasOwn(properties ?? {}, name.trim().split(" ")[0] ?? ""), `${id} has no ${name}`);
	}
});

test("the language guide lists the fields of system events, and the signature schemes", async () => {
	const page = readFileSync(new URL("../../../../docs/guides/events.md", import.meta.url), "utf8");
	const section = page.split("## Internal events")[1] ?? "";
	const rows = [...section.matchAll(/^\| `([a-z]+\.[a-z]+)` \|.*\| (.*) \|$/gm)];
	assert.deepEqual(
		rows.map(([, type]) => type),
		["execution.failed", "entry.upserted", "triplet.ingested"],
	);
	for (const [, type = "", fields = ""] of rows) {
		const listed = new RegExp(`${type} \\((?:data: )?([^)]*)\\)`).exec(LANGUAGE_GUIDE)?.[1];
		assert.equal(listed, fields.replaceAll("`", ""), type);
	}
	for (const scheme of SIGNATURE_SCHEMES) assert.ok(getSection("Document").includes(scheme), scheme);
});

test("the language guide names every documented diagnostics code", () => {
	const page = readFileSync(new URL("../../../../docs/language.md", import.meta.url), "utf8");
	const rows = page.split("## Diagnostics")[1]?.match(/^\| `.*?\|/gm) ?? [];
	const codes = rows.flatMap((row) => [...row.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code ?? ""));
	assert.ok(codes.length > 25);
	for (const code of codes) assert.ok(getSection("Diagnostics and what to do").includes(code), code);
});

test("the language guide stays under its length limit", () => {
	assert.ok(LANGUAGE_GUIDE.length < 15_000, `${LANGUAGE_GUIDE.length} characters`);
});

test("the instructions are short and name only existing tools", () => {
	assert.ok(INSTRUCTIONS.length < 1_650, `${INSTRUCTIONS.length} characters`);
	const names = new Set(tools.map(({ name }) => name));
	const named = INSTRUCTIONS.match(/\b[a-z]+_[a-z_]*[a-z]\b/g) ?? [];
	assert.ok(named.length > 8);
	for (const name of named) assert.ok(names.has(name), name);
});
