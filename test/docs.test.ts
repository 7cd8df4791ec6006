import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { builtIn, builtInCatalogue } from "@tripline/components/catalogue";
import { apiRecipes, authRecipes } from "@tripline/components/seeds/seeds";
import { listAuthIds } from "@tripline/contract/auth-ids";
import { compileSource } from "@tripline/engine/compile";
import { market } from "@tripline/registry/market/market";
import { type Platform, platforms } from "./conformance/platforms.ts";
import { hasExamples, readSettings, runExamples, whyNotHere } from "./examples.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: root })];
const read = (page: string): string => readFileSync(root + page, "utf8");
const [node] = platforms as readonly [Platform];

describe("examples in the docs", () => {
	for (const page of pages) {
		if (isRunOnBothPlatforms(page) || !hasExamples(read(page))) continue;
		const skip = whyNotHere(read(page));
		test(`${page} works from top to bottom`, { skip }, async (context) => {
			const service = await node.start(readSettings(read(page)));
			context.after(() => service.close());
			await runExamples(read(page), service);
		});
	}
});

test("links in the docs point to existing pages and headings", () => {
	const broken = pages.flatMap((page) =>
		[...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
			([link, path, heading]) => {
				const target = path ? join(dirname(page), path) : page;
				if (!existsSync(root + target)) return [`${page}: ${link}`];
				return heading === undefined || listHeadings(read(target)).has(heading) ? [] : [`${page}: ${link}`];
			},
		),
	);
	assert.deepEqual(broken, []);
});

describe("the language page", () => {
	const page = read("docs/language.md");

	test("explains exactly the codes that the compiler reports", () => {
		const reported = globSync("packages/engine/src/!(json-schema)/**/*.ts", { cwd: root })
			.concat(globSync("packages/engine/src/*.ts", { cwd: root }))
			.concat(globSync("packages/components/src/{advice.ts,advice/code/*.ts}", { cwd: root }))
			.flatMap((file) => [...read(file).matchAll(CODE)].map(([, code = ""]) => code));
		const explained = listCodes(page.slice(page.indexOf("| Code |")));
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
		assert.deepEqual(listCodes(page.slice(start, page.indexOf("\n\n", start))).sort(), filters.sort());
	});
});

describe("the documentation of the seeded recipes", () => {
	const readRows = (page: string, heading: string) => {
		const text = read(page);
		const start = text.indexOf(heading);
		const rows = text.slice(start, text.indexOf("\n\n", start)).split("\n").slice(2);
		return rows.map((row) =>
			row.split("|").map((cell) => [...cell.matchAll(/`([a-z0-9_]+)`/g)].map(([, word]) => word)),
		);
	};

	test("lists every API recipe with its auth recipe and operations", () => {
		const said = readRows("docs/guides/recipes.md", "| Recipe |").map(([, id, auth, names]) => [
			id,
			auth,
			names,
		]);
		const there = apiRecipes.map(({ id, auth, operations }) => [
			[id],
			[...listAuthIds(auth)],
			Object.keys(operations),
		]);
		assert.deepEqual(said, there);
	});

	test("lists every operation with pages", () => {
		const line = /^Seeded operations with pages: (.*)\.$/m.exec(read("docs/guides/recipes.md"))?.[1] ?? "";
		const there = apiRecipes.flatMap(({ id, operations }) =>
			Object.entries(operations).flatMap(([name, { paginate }]) => (paginate ? [`\`${id}.${name}\``] : [])),
		);
		assert.deepEqual(line.split(", "), there.sort());
	});

	test("lists every auth recipe with its fields", () => {
		const said = readRows("docs/guides/credentials.md", "| Auth recipe |").map(
			([, id, fields]) => [id?.[0], fields?.filter((name) => name !== "api_key")] as const,
		);
		const there = authRecipes.map(({ id, fields }) => [id, fields.map(({ name }) => name)]);
		assert.deepEqual(new Map(said), new Map([...there, ["signing_secret", ["secret"]]] as never));
	});

	test("has the correct counts in README.md", () => {
		const operations = apiRecipes.flatMap((recipe) => Object.keys(recipe.operations));
		for (const count of [
			`${builtIn.length} built in`,
			`${apiRecipes.length} services with ${operations.length} operations`,
			`[${market.length} components](docs/market.md)`,
		]) {
			assert.ok(read("README.md").includes(count), count);
		}
	});
});

/** These pages are run by the test of the cookbook. */
function isRunOnBothPlatforms(page: string): boolean {
	return page.startsWith("docs/cookbook/") || page === "docs/language.md";
}

/** The codes in the source of the engine. */
const CODE =
	/(?:\.(?:error|warning|#fail)\(|\bwarn\(|\bcode: |: )\s*"([a-z]+(?:_[a-z]+)+|cycle|unavailable)"/g;

/** The words in code in the first column of a table, without arguments. */
const listCodes = (table: string): string[] =>
	table
		.split("\n")
		.filter((line) => line.startsWith("|"))
		.flatMap((line) =>
			[...(line.split("|")[1] ?? "").matchAll(/`(\w+)[^`]*`/g)].map(([, word = ""]) => word),
		);

const listHeadings = (markdown: string): Set<string> =>
	new Set(
		[...markdown.replaceAll(/^```.*?^```$/gms, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
			heading
				.toLowerCase()
				.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
				.replaceAll(/\s/g, "-"),
		),
	);
