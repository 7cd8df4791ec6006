import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { builtInCatalogue } from "@tripline/components/catalogue";
import { compileSource } from "@tripline/engine/compile";
import { start } from "../apps/node/test/process.ts";
import { hasExamples, runExamples, whyNotHere } from "./examples.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: root })];
const read = (page: string): string => readFileSync(root + page, "utf8");

describe("examples in the docs", () => {
	for (const page of pages) {
		if (isRunOnBothPlatforms(page) || !hasExamples(read(page))) continue;
		const skip = whyNotHere(read(page));
		test(`${page} works from top to bottom`, { skip }, async (context) => {
			await runExamples(read(page), await start(context, {}));
		});
	}
});

test("links in the docs lead to pages and headings that are there", () => {
	const broken = pages.flatMap((page) =>
		[...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
			([link, path, heading]) => {
				const target = path ? join(dirname(page), path) : page;
				if (!existsSync(root + target)) return [`${page}: ${link}`];
				return heading === undefined || headingsOf(read(target)).has(heading) ? [] : [`${page}: ${link}`];
			},
		),
	);
	assert.deepEqual(broken, []);
});

describe("the language page", () => {
	const page = read("docs/language.md");

	test("explains every code that the compiler reports, and no other", () => {
		const reported = globSync("packages/engine/src/**/*.ts", { cwd: root }).flatMap((file) =>
			[...read(file).matchAll(CODE)].map(([, code = ""]) => code),
		);
		const explained = codesIn(page.slice(page.indexOf("| Code |")));
		assert.deepEqual(explained.sort(), [...new Set(reported)].sort());
	});

	test("has every filter in its table", () => {
		const json = {
			triplets: ["input >> then >> set"],
			config: { set: { values: { a: "{{input | nothing_like_it}}" } } },
		};
		const { diagnostics } = compileSource({ json }, { catalogue: builtInCatalogue, named: false });
		const filters = diagnostics[0]?.hint?.replace("the filters are ", "").split(", ") ?? [];
		assert.ok(filters.length > 10, JSON.stringify(diagnostics));
		const start = page.indexOf("| Filter |");
		assert.deepEqual(codesIn(page.slice(start, page.indexOf("\n\n", start))).sort(), filters.sort());
	});
});

/** By the test of the cookbook. */
function isRunOnBothPlatforms(page: string): boolean {
	return page.startsWith("docs/cookbook/") || page === "docs/language.md";
}

/** As the engine writes them. */
const CODE = /(?:\.(?:error|warning|#fail)\(|\bcode: |: )\s*"([a-z]+(?:_[a-z]+)+|cycle)"/g;

/** The words in code in the first column of a table, without arguments. */
const codesIn = (table: string): string[] =>
	table
		.split("\n")
		.filter((line) => line.startsWith("|"))
		.flatMap((line) =>
			[...(line.split("|")[1] ?? "").matchAll(/`(\w+)[^`]*`/g)].map(([, word = ""]) => word),
		);

const headingsOf = (markdown: string): Set<string> =>
	new Set(
		[...markdown.replaceAll(/^```.*?^```$/gms, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
			heading
				.toLowerCase()
				.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
				.replaceAll(/\s/g, "-"),
		),
	);
