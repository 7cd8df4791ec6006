import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { apiRecipes, authRecipes } from "@tripline/components/seeds/seeds";

import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { manualClock } from "../../../packages/platform/test/contracts/contract.ts";
import { openMigrated } from "../../../packages/platform/test/open-migrated.ts";
import { createCatalogues } from "../src/catalogue/catalogues.ts";
import { seedChangedRecipes, seedRecipes } from "../src/catalogue/seed.ts";
import { parseSeededRecipes, readFingerprint, readSeeded, writeSeeded } from "../src/catalogue/seeded.ts";
import { type OwnedComponentStorage, ownedComponentStorage } from "../src/storage/owned-components.ts";

const UNCHANGED = {
	recipes: { created: 0, updated: 0, unchanged: apiRecipes.length },
	auth_recipes: { created: 0, updated: 0, unchanged: authRecipes.length },
};

async function openCatalogues(context: TestContext, variables: Readonly<Record<string, string>> = {}) {
	const sql = await openMigrated(storeMigrations);
	context.after(() => sql.close());
	const settings = storeSettings(storeEnvironment.parse(variables));
	const clock = manualClock();
	const store = createStore({ sql, clock, log: () => {}, version: "test", settings });
	const sent: { method: string; bytes: number }[] = [];
	const fetch = async (request: Request) => {
		sent.push({ method: request.method, bytes: (await request.clone().bytes()).length });
		return store.fetch(request);
	};
	const client = storeClient({ fetch, baseUrl: "http://store" });
	const storage = ownedComponentStorage(client);
	const catalogues = createCatalogues({ storage, clock, log: () => {} });
	const listPages = async () => [...(await storage.texts("_system", "api_recipe")).keys()].sort();
	return { storage, catalogues, sent, clock, listPages };
}

const readRecipes = async (storage: OwnedComponentStorage) => parseSeededRecipes(await readSeeded(storage));

/** As if an earlier process had stored these. */
async function store(storage: OwnedComponentStorage, recipes: Parameters<typeof writeSeeded>[1]) {
	await writeSeeded(storage, recipes, await readSeeded(storage));
}

describe("the bundled recipes", () => {
	test("updates a changed recipe and keeps one that is no longer bundled", async (context) => {
		const { storage, catalogues } = await openCatalogues(context);
		await seedRecipes(storage);
		const { recipes, auth_recipes } = await readRecipes(storage);
		const [first, ...others] = recipes;
		assert.ok(first !== undefined);
		const old = [{ ...first, title: "As it was" }, { ...first, id: "gone" }, ...others.slice(1)];
		await store(storage, { recipes: old, auth_recipes });
		assert.deepEqual(await seedRecipes(storage), {
			...UNCHANGED,
			recipes: { created: 1, updated: 1, unchanged: apiRecipes.length - 2 },
		});
		assert.deepEqual(await seedRecipes(storage), UNCHANGED);
		const { apiRecipes: there } = await catalogues.readSeeded();
		assert.equal(there.get(first.id)?.title, first.title);
		assert.ok(there.has("gone"));
	});

	test("a store with a small body limit gives an error that names the setting and a sufficient size", async (context) => {
		const small = await openCatalogues(context, { MAX_BODY_BYTES: "100000" });
		await assert.rejects(seedRecipes(small.storage), /set its MAX_BODY_BYTES to at least 524288/);
		const enough = await openCatalogues(context, { MAX_BODY_BYTES: "524288" });
		await seedRecipes(enough.storage);
		assert.deepEqual(await seedRecipes(enough.storage), UNCHANGED);
	});

	test("are stored in parts, and no request is larger than half of the store's limit", async (context) => {
		const { storage, sent } = await openCatalogues(context);
		await seedChangedRecipes(storage, "first");
		const { maxBodyBytes } = storeSettings(storeEnvironment.parse({}));
		const largest = Math.max(...sent.map(({ bytes }) => bytes));
		assert.ok(largest <= maxBodyBytes / 2, `${largest} bytes`);
		const { parts } = await readSeeded(storage);
		assert.ok(parts.length > 1);
		for (const part of parts) JSON.parse(part);
		// A request on Workers makes at most 50.
		assert.ok(sent.length < 20, `${sent.length} requests`);

		const [first = assert.fail()] = apiRecipes;
		const many = Array.from({ length: 200 }, (_, index) => ({ ...first, id: `copy-${index}` }));
		sent.length = 0;
		await store(storage, { recipes: [...apiRecipes, ...many], auth_recipes: authRecipes });
		assert.ok(Math.max(...sent.map(({ bytes }) => bytes)) <= maxBodyBytes / 2);
		assert.deepEqual((await readRecipes(storage)).recipes, [...apiRecipes, ...many]);
	});

	test("are read by one request, and again only if they changed", async (context) => {
		const { storage, catalogues, sent, clock } = await openCatalogues(context);
		await seedRecipes(storage);
		sent.length = 0;
		const first = await catalogues.readSeeded();
		assert.equal(sent.length, 1);
		clock.advance(6_000);
		assert.equal(await catalogues.readSeeded(), first);
		assert.equal(sent.length, 2);
		await store(storage, { recipes: apiRecipes.slice(1), auth_recipes: authRecipes });
		clock.advance(6_000);
		assert.equal((await catalogues.readSeeded()).apiRecipes.size, apiRecipes.length - 1);
	});

	test("keep the parts that were used before, and delete older ones", async (context) => {
		const { storage, clock, listPages } = await openCatalogues(context);
		const pages: string[][] = [];
		for (const count of [1, 2, 3]) {
			await store(storage, { recipes: apiRecipes.slice(0, count), auth_recipes: [] });
			pages.push(await listPages());
			clock.advance(2 * 3_600_000);
		}
		const [first = [], second = [], third = []] = pages;
		assert.deepEqual([first.length, second.length, third.length], [2, 3, 3]);
		assert.ok(first.every((page) => second.includes(page)));
		assert.equal(third.filter((page) => first.includes(page)).length, 1);
	});

	test("of a process that stores others at the same time stay complete", async (context) => {
		const { storage } = await openCatalogues(context);
		const auth_recipes = authRecipes.slice(0, 1);
		for (let round = 0; round < 5; round++) {
			const counts = [1, 2, 3].map((count) => count + 3 * round);
			await Promise.all(
				counts.map((count) => store(storage, { recipes: apiRecipes.slice(0, count), auth_recipes })),
			);
			const found = await readRecipes(storage);
			assert.ok(counts.includes(found.recipes.length), `${found.recipes.length} recipes`);
			assert.deepEqual(found.auth_recipes, auth_recipes);
		}
	});

	test("are found by id, also in the form in which earlier versions stored them", async (context) => {
		const check = async (catalogues: Awaited<ReturnType<typeof openCatalogues>>["catalogues"]) => {
			const seeded = await catalogues.readSeeded();
			assert.equal(seeded.apiRecipes.size, apiRecipes.length);
			assert.deepEqual(
				seeded.apiRecipes.get("slack"),
				apiRecipes.find(({ id }) => id === "slack"),
			);
			assert.deepEqual([...seeded.apiRecipes.values()], apiRecipes);
			assert.deepEqual(
				[...seeded.authRecipes],
				authRecipes.map((recipe) => [recipe.id, recipe]),
			);
			assert.ok(!seeded.apiRecipes.has("fingerprint"));
			assert.equal(seeded.authRecipes.get("nothing"), undefined);
		};
		const { storage, catalogues, listPages } = await openCatalogues(context);
		const single = { fingerprint: "first", recipes: apiRecipes, auth_recipes: authRecipes };
		await storage.put("_system", "api_recipe", "seeded", single);
		await check(catalogues);
		assert.deepEqual(await seedRecipes(storage), UNCHANGED);
		catalogues.forget("_system");
		await check(catalogues);
		// A process of the version before still reads it.
		assert.ok((await listPages()).includes("seeded"));
	});

	test("are not compared again at a start with the same fingerprint", async (context) => {
		const { storage } = await openCatalogues(context);
		await seedChangedRecipes(storage, "first");
		const { recipes, auth_recipes } = await readRecipes(storage);
		assert.equal(recipes.length, apiRecipes.length);
		await store(storage, { fingerprint: "first", recipes: recipes.slice(1), auth_recipes });
		await seedChangedRecipes(storage, "first");
		assert.equal((await readRecipes(storage)).recipes.length, recipes.length - 1);
		await seedChangedRecipes(storage, "second");
		assert.equal((await readRecipes(storage)).recipes.length, recipes.length);
	});

	test("are compared at the next start after they were written by a call", async (context) => {
		const { storage } = await openCatalogues(context);
		await seedChangedRecipes(storage, "first");
		const { recipes, auth_recipes } = await readRecipes(storage);
		await store(storage, { fingerprint: "first", recipes: recipes.slice(1), auth_recipes });
		await seedRecipes(storage);
		assert.equal(await readFingerprint(storage), null);
	});

	test("requests for seeded recipes wait while seeding is in progress", async (context) => {
		const { storage, catalogues } = await openCatalogues(context);
		const { promise, resolve } = Promise.withResolvers<void>();
		catalogues.waitFor(promise.then(() => seedRecipes(storage)));
		const asked = catalogues.catalogue("acme");
		resolve();
		assert.ok((await asked).get("github.create_issue") !== undefined);
	});
});
