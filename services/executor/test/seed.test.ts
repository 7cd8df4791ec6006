import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { apiRecipes, authRecipes } from "@tripline/components/seeds/seeds";
import { systemClock } from "@tripline/platform/clock";
import { migrate } from "@tripline/platform/migrations";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { createCatalogues } from "../src/catalogue/catalogues.ts";
import { seedChangedRecipes, seedRecipes } from "../src/catalogue/seed.ts";
import { parseSeededRecipes, readSeededText, writeSeeded } from "../src/catalogue/seeded.ts";
import { ownedComponentStorage } from "../src/storage/owned-components.ts";

const UNCHANGED = {
	recipes: { created: 0, updated: 0, unchanged: apiRecipes.length },
	auth_recipes: { created: 0, updated: 0, unchanged: authRecipes.length },
};

async function openCatalogues(context: TestContext, variables: Readonly<Record<string, string>> = {}) {
	const sql = openSqlite(":memory:");
	context.after(() => sql.close());
	await migrate(sql, storeMigrations);
	const settings = storeSettings(storeEnvironment.parse(variables));
	const store = createStore({ sql, clock: systemClock, log: () => {}, version: "test", settings });
	const storage = ownedComponentStorage(storeClient({ fetch: store.fetch, baseUrl: "http://store" }));
	return { storage, catalogues: createCatalogues({ storage, clock: systemClock, log: () => {} }) };
}

describe("the bundled recipes", () => {
	test("updates a changed recipe and keeps one that is no longer bundled", async (context) => {
		const { storage, catalogues } = await openCatalogues(context);
		await seedRecipes(storage);
		const { recipes, auth_recipes } = parseSeededRecipes(await readSeededText(storage));
		const [first, ...others] = recipes;
		assert.ok(first !== undefined);
		const old = [{ ...first, title: "As it was" }, { ...first, id: "gone" }, ...others.slice(1)];
		await writeSeeded(storage, { recipes: old, auth_recipes });
		assert.deepEqual(await seedRecipes(storage), {
			...UNCHANGED,
			recipes: { created: 1, updated: 1, unchanged: apiRecipes.length - 2 },
		});
		assert.deepEqual(await seedRecipes(storage), UNCHANGED);
		const { apiRecipes: there } = await catalogues.seeded();
		assert.equal(there.get(first.id)?.title, first.title);
		assert.ok(there.has("gone"));
	});

	test("a store with a small body limit gives an error that names the setting and a sufficient size", async (context) => {
		const small = await openCatalogues(context, { MAX_BODY_BYTES: "100000" });
		await assert.rejects(seedRecipes(small.storage), /set its MAX_BODY_BYTES to at least 1048576/);
		const enough = await openCatalogues(context, { MAX_BODY_BYTES: "1048576" });
		await seedRecipes(enough.storage);
		assert.deepEqual(await seedRecipes(enough.storage), UNCHANGED);
	});

	test("are found by id, also in the form in which earlier versions stored them", async (context) => {
		const { storage, catalogues } = await openCatalogues(context);
		await seedChangedRecipes(storage, "first");
		const entry = { owner: "_system", type: "api_recipe", page: "seeded" } as const;
		const stored = (await readSeededText(storage)) ?? "";
		for (const text of [stored, JSON.stringify(JSON.parse(stored))]) {
			await storage.putText(entry.owner, entry.type, entry.page, text);
			catalogues.forget(entry.owner);
			const seeded = await catalogues.seeded();
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
		}
	});

	test("are not compared again at a start with the same fingerprint", async (context) => {
		const { storage } = await openCatalogues(context);
		await seedChangedRecipes(storage, "first");
		const { recipes, ...rest } = parseSeededRecipes(await readSeededText(storage));
		assert.equal(recipes.length, apiRecipes.length);
		await writeSeeded(storage, { ...rest, recipes: recipes.slice(1) });
		await seedChangedRecipes(storage, "first");
		assert.equal(parseSeededRecipes(await readSeededText(storage)).recipes.length, recipes.length - 1);
		await seedChangedRecipes(storage, "second");
		assert.equal(parseSeededRecipes(await readSeededText(storage)).recipes.length, recipes.length);
	});

	test("are compared at the next start after they were written by a call", async (context) => {
		const { storage } = await openCatalogues(context);
		await seedChangedRecipes(storage, "first");
		const { recipes, auth_recipes } = parseSeededRecipes(await readSeededText(storage));
		await writeSeeded(storage, { fingerprint: "first", recipes: recipes.slice(1), auth_recipes });
		await seedRecipes(storage);
		assert.equal(parseSeededRecipes(await readSeededText(storage)).fingerprint, undefined);
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
