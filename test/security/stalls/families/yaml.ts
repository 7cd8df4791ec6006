import { type Case, type Family, makeWebhook, type Send, send, TENANT, validateYaml } from "../case.ts";
import { createFilled, list, text } from "../shapes.ts";

/** A size that is read completely, and the largest size that is read at all. */
const SIZES = [60_000, 256 * 1024 - 200] as const;
const TOO_LONG = 1_000_000;
/** Reserved for the text around the repeated pieces. */
const MARGIN = 400;

const HEAD =
	'name: hostile\ndescription: ""\nversion: "1"\ntriplets: ["input >> then >> set"]\nconfig:\n  set:\n    values:\n';

/** Texts of a given length, by what they are full of. */
const TEXTS: Readonly<Record<string, (characters: number) => string>> = {
	"empty lists in a list": (size) => `a: [${createFilled(size, () => "[]", ",")}]`,
	"empty maps in a list": (size) => `a: [${createFilled(size, () => "{}", ",")}]`,
	"numbers in a list": (size) => `a: [${createFilled(size, () => "1", ",")}]`,
	"commas in a list": (size) => `a: [${",".repeat(size)}]`,
	"lists that are not closed": (size) => `a: ${"[".repeat(size)}`,
	"maps that are not closed": (size) => `a: ${"{".repeat(size)}`,
	closings: (size) => `a: ${"]".repeat(size)}`,
	"lists in lists": (size) => `a: [${createFilled(size, () => "[".repeat(60) + "]".repeat(60), ",")}]`,
	"maps in maps": (size) => `a: [${createFilled(size, () => "{a: ".repeat(60) + "}".repeat(60), ",")}]`,
	"a map of short keys": (size) => `a: {${createFilled(size, (at) => `k${at}: 1`, ", ")}}`,
	"a map of one key": (size) => `a: {${createFilled(size, () => "k: 1", ", ")}}`,
	"a map of keys without values": (size) => `a: {${createFilled(size, (at) => `k${at}`, ",")}}`,
	"a block list": (size) => `${HEAD}${createFilled(size, () => "      - 1\n")}`,
	"a block list of nothing": (size) => `a:\n${createFilled(size, () => "-\n")}`,
	"a block list in one line": (size) => `a:\n${"- ".repeat(size / 2)}`,
	"a block map": (size) => createFilled(size, (at) => `k${at}: 1\n`),
	"a block map of one key": (size) => createFilled(size, () => "k: 1\n"),
	"a block map of nothing": (size) => createFilled(size, (at) => `k${at}:\n`),
	"a stair of maps": (size) => createFilled(Math.min(size, 200_000), (at) => `${" ".repeat(at)}a:\n`),
	"a stair of lists": (size) => createFilled(Math.min(size, 200_000), (at) => `${" ".repeat(at)}- \n`),
	"stairs of 60 steps": (size) => createFilled(size, (at) => `${" ".repeat(at % 60)}k${at}:\n`),
	comments: (size) => createFilled(size, () => "#\n"),
	"a long comment": (size) => `# ${"x".repeat(size)}`,
	"comments behind values": (size) => createFilled(size, (at) => `k${at}: 1 # c\n`),
	"comments in a list": (size) => `a: [${createFilled(size, () => "1, #\n ")}]`,
	newlines: (size) => `a:${"\n".repeat(size)}`,
	"newlines in a plain text": (size) => `a: b${"\n\n b".repeat(size / 4)}`,
	"carriage returns": (size) => `a:${"\r".repeat(size)}`,
	blanks: (size) => `a:${" ".repeat(size)}b`,
	tabs: (size) => createFilled(size, () => "\t\n"),
	"tabs for indentation": (size) => `a:\n${createFilled(size, () => "\t- b\n")}`,
	anchors: (size) => createFilled(size, (at) => `k${at}: &a${at} 1\n`),
	"one anchor again and again": (size) => createFilled(size, (at) => `k${at}: &a 1\n`),
	"aliases of nothing": (size) => `a: [${createFilled(size, () => "*b", ",")}]`,
	"aliases of one text": (size) =>
		`a: &a "${"x".repeat(1_000)}"\nb: [${createFilled(size - 2_000, () => "*a", ",")}]`,
	"aliases that grow ninefold": () =>
		`a0: &a0 [1,1,1,1,1,1,1,1,1]\n${text(30, (at) => `a${at + 1}: &a${at + 1} [${list(9, () => `*a${at}`).join(",")}]\n`)}`,
	"aliases that hold themselves": (size) => `a: &a [${createFilled(size, () => "*a", ",")}]`,
	"merge keys": (size) => `a: &a {x: 1}\n${createFilled(size, (at) => `k${at}: {<<: *a}\n`)}`,
	"merges of merges": () =>
		`a0: &a0 {k0: 1}\n${text(2_000, (at) => `a${at + 1}: &a${at + 1} {<<: *a${at}, k${at + 1}: 1}\n`)}`,
	tags: (size) => `a: [${createFilled(size, () => "!t 1", ",")}]`,
	"tags of Python": (size) => createFilled(size, (at) => `k${at}: !!python/object/apply:os.system [ls]\n`),
	"a long tag": (size) => `a: !${"t".repeat(size)} 1`,
	"binary tags": (size) => `a: !!binary ${"A".repeat(size)}`,
	directives: (size) => createFilled(size, () => "%YAML 1.2\n"),
	"tag directives": (size) => createFilled(size, (at) => `%TAG !t${at}! tag:a,2026:\n`),
	"quotes with escapes": (size) => `a: "${"\\u00e9".repeat(size / 6)}"`,
	"quotes with wrong escapes": (size) => `a: "${"\\q".repeat(size / 2)}"`,
	"quotes with line breaks": (size) => `a: "${"x\\\n  ".repeat(size / 5)}"`,
	"quotes that fold lines": (size) => `a: "${"x\n\n  ".repeat(size / 5)}"`,
	"a quote without an end": (size) => `a: "${"x".repeat(size)}`,
	"single quotes": (size) => `a: '${"''".repeat(size / 2)}'`,
	"many short quotes": (size) => `a: [${createFilled(size, () => '""', ",")}]`,
	"a literal block": (size) => `a: |\n${createFilled(size, () => "  x\n")}`,
	"a folded block": (size) => `a: >\n${createFilled(size, () => "  x\n")}`,
	"a folded block of empty lines": (size) => `a: >\n${"\n".repeat(size)}  x`,
	"a folded block of indented lines": (size) => `a: >\n  x\n${createFilled(size, () => "   y\n  x\n")}`,
	"a block with odd indentation": (size) =>
		`a: |9\n${createFilled(size, (at) => `${" ".repeat(at % 12)}x\n`)}`,
	"block headers": (size) => createFilled(size, (at) => `k${at}: |+9\n`),
	"syntax errors": (size) => createFilled(size, () => "a: b: c\n"),
	"syntax errors in lists": (size) => `a: [${createFilled(size, () => "} ]", "[")}]`,
	colons: (size) => ":".repeat(size),
	"colons with blanks": (size) => ": ".repeat(size / 2),
	"question marks": (size) => createFilled(size, () => "? a\n"),
	"question marks in one line": (size) => "? ".repeat(size / 2),
	"keys that are lists": (size) => createFilled(size, (at) => `? [${at}]\n: 1\n`),
	"keys that are maps": (size) => `a: {${createFilled(size, (at) => `{a: ${at}}: 1`, ",")}}`,
	"many documents": (size) => createFilled(size, () => "---\na\n"),
	"ends of documents": (size) => createFilled(size, () => "...\n"),
	"empty documents": (size) => createFilled(size, () => "---\n"),
	"a very long line": (size) => `a: ${"x".repeat(size)}`,
	"a very long key": (size) => `${"x".repeat(size)}: 1`,
	"a very long plain text with colons": (size) => `a: ${"x:".repeat(size / 2)}`,
	"a byte order mark": (size) => `\uFEFFa: [${createFilled(size, () => "\uFEFF1", ",")}]`,
	"characters of the astral planes": (size) => `a: "${"😀".repeat(size / 4)}"`,
	controls: (size) => `a: ${"\u0001".repeat(size)}`,
	"numbers of many digits": (size) =>
		`a: [${createFilled(size, () => "123456789012345678901234567890", ",")}]`,
	"a number of a megabyte": (size) => `a: ${"9".repeat(size)}`,
	"octal and hexadecimal numbers": (size) => `a: [${createFilled(size, () => "0o777,0xff", ",")}]`,
	"invalid numbers": (size) => `a: [${createFilled(size, () => ".nan,-.inf", ",")}]`,
	triplets: (size) => `name: hostile\ntriplets:\n${createFilled(size, (at) => `  - a${at} >> then >> b\n`)}`,
	settings: (size) =>
		`triplets: [a >> then >> b]\nconfig:\n${createFilled(size, (at) => `  n${at}: {ms: 1}\n`)}`,
	"wrong templates": (size) => `${HEAD}${createFilled(size, (at) => `      k${at}: "{{a b}}"\n`)}`,
};

const sendYaml = (make: () => string): Send => ({
	...send("/webhooks", make),
	headers: [...TENANT, "content-type", "application/yaml"],
});

const QUICK: ReadonlySet<string> = new Set([
	"empty lists in a list",
	"aliases that grow ninefold",
	"syntax errors",
	"stairs of 60 steps",
	"quotes with wrong escapes",
]);

const buildCase = (name: string, size: number): Case => {
	const make = () => (TEXTS[name] as (characters: number) => string)(size - MARGIN);
	return { name: `${name}, ${Math.round(size / 1024)} KiB`, steps: [validateYaml(make), sendYaml(make)] };
};

const cases: Case[] = Object.keys(TEXTS).flatMap((name) => [
	buildCase(name, SIZES[0]),
	{ ...buildCase(name, SIZES[1]), ...(QUICK.has(name) && { isQuick: true }) },
]);

/** Refused by length before they are parsed. */
const tooLong: Case[] = ["empty lists in a list", "a very long line", "newlines", "anchors"].map((name) =>
	buildCase(name, TOO_LONG),
);

const mixed: Case = {
	name: "YAML that says it is JSON, and the other way round",
	steps: [
		makeWebhook(() => TEXTS["a block map"]?.(200_000) ?? ""),
		sendYaml(() => JSON.stringify({ a: list(90_000, () => 1) })),
	],
};

export const yaml: Family = { name: "yaml", cases: [...cases, ...tooLong, mixed] };
