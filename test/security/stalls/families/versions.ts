import { type Case, createNamed, type Family, get, oneNode, type Send, send, TENANT } from "../case.ts";
import { createFilled, createNested, list, object } from "../shapes.ts";

const YAML_TYPE: readonly string[] = ["content-type", "application/yaml"];

type MakeText = (characters: number) => string;

/** Pairs of texts that are slow to compare by lines. */
const TEXTS: Readonly<Record<string, readonly [MakeText, MakeText]>> = {
	"line ends": [(size) => "\n".repeat(size), (size) => "\r\n".repeat(size / 2)],
	"equal lines": [
		(size) => "a\n".repeat(size / 2),
		(size) => `${"a\n".repeat(size / 4)}b\n${"a\n".repeat(size / 5)}`,
	],
	"two lines by turns": [(size) => "a\nb\n".repeat(size / 4), (size) => "b\na\n".repeat(size / 4)],
	"lines of which none is in both": [
		(size) => createFilled(size, (at) => `a${at}\n`),
		(size) => createFilled(size, (at) => `b${at}\n`),
	],
	"few different lines": [
		(size) => createFilled(size, (at) => `${(at * 7_919) % 13}\n`),
		(size) => createFilled(size, (at) => `${(at * 104_729) % 11}\n`),
	],
	"9,900 lines in another order": [
		() => list(9_900, (at) => `${(at * 7_919) % 9_900}\n`).join(""),
		() => list(9_900, (at) => `${(at * 7_907) % 9_900}\n`).join(""),
	],
	"one long line": [(size) => "x".repeat(size), (size) => `${"x".repeat(size - 1)}y`],
	ideographs: [(size) => "漢\n".repeat(size / 4), (size) => "字\n".repeat(size / 4)],
};

/** Of a draft, and of a description, which is stored beside its document. */
const DRAFT_LENGTH = 1_000_000;
const DESCRIPTION_LENGTH = 300_000;

/** Pairs of values in the graph, whose nodes are compared too. */
const VALUES: Readonly<Record<string, readonly [() => object, () => object]>> = {
	numbers: [() => ({ v: list(350_000, () => 1) }), () => ({ v: list(350_000, (at) => at % 10) })],
	keys: [() => object(70_000, (at) => [`k${at}`, 1]), () => object(70_000, (at) => [`k${69_999 - at}`, 1])],
	"deep objects": [
		() => ({ v: list(2_000, () => createNested(55, (inner) => ({ a: inner }))) }),
		() => ({ v: list(2_000, () => createNested(55, (inner) => ({ a: inner }), 2)) }),
	],
	"a text of many lines": [() => ({ v: "x\n".repeat(300_000) }), () => ({ v: "y\n".repeat(300_000) })],
};

const prepare = (document: () => object): Send =>
	send("/workflows", () => createNamed("compared", document()), { isPreparation: true });
const setting = (values: object): object => oneNode({ component: "set", values });
const compare = (query: string): Send => get(`/workflows/compared/diff${query}`, { isPreparation: true });
const remove: Send = get("/webhooks/named/compared", { method: "DELETE" });

const saveDraft = (text: () => string): Send => ({
	...send("/workflows/compared/draft", text, { method: "PUT", isPreparation: true }),
	headers: [...TENANT, ...YAML_TYPE],
});

const drafts: Case[] = Object.entries(TEXTS).map(([name, texts]) => ({
	name: `a draft of ${name}`,
	steps: [
		prepare(() => setting({ v: 1 })),
		...texts.flatMap((make) => [
			saveDraft(() => make(DRAFT_LENGTH)),
			compare("?to=draft"),
			compare("?from=draft&to=1"),
		]),
		send("/workflows/compared/draft/run", () => ({})),
		send("/workflows/compared/draft/publish", () => ""),
		remove,
	],
}));

const texts: Case[] = Object.entries(TEXTS).map(([name, [from, to]]) => ({
	name: `two versions with descriptions of ${name}`,
	steps: [
		prepare(() => ({ ...setting({}), description: from(DESCRIPTION_LENGTH) })),
		prepare(() => ({ ...setting({}), description: to(DESCRIPTION_LENGTH) })),
		compare(""),
		remove,
	],
	...(name === "lines of which none is in both" && { isQuick: true as const }),
}));

const values: Case[] = Object.entries(VALUES).map(([name, [from, to]]) => ({
	name: `two versions with nodes of ${name}`,
	steps: [
		prepare(() => setting(from())),
		prepare(() => setting(to())),
		compare(""),
		send("/workflows/compared/rollback", () => ({ version: 1 })),
		send("/workflows/compared/rename", () => ({ to: "compared too" })),
		get("/webhooks/named/compared%20too", { method: "DELETE" }),
	],
}));

/** Nearly as much as is compiled at all. Only the name is replaced in the text. */
const LONG_YAML = () => `name: compared
description: ""
version: "1"
triplets: ["input >> then >> set"]
config:
  set:
    values:
      v: [${createFilled(14_000, () => "1", ",")}]
${createFilled(230_000, () => `# ${"x".repeat(100)}\n`)}`;

const renamed: Case = {
	name: "a YAML document of 250,000 characters that is renamed",
	steps: [
		{
			...send("/workflows", LONG_YAML, { isPreparation: true }),
			headers: [...TENANT, ...YAML_TYPE],
		},
		send("/workflows/compared/rename", () => ({ to: "compared too" }), { isPreparation: true }),
		get("/webhooks/named/compared%20too", { method: "DELETE" }),
	],
	isQuick: true,
};

export const versions: Family = { name: "versions", cases: [...drafts, ...texts, ...values, renamed] };
