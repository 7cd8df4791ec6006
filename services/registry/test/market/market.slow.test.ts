import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { advice } from "@tripline/components/advice";
import { builtIn } from "@tripline/components/catalogue";
import { findManifestProblems } from "@tripline/components/installed/problems";
import { runTrial } from "@tripline/components/installed/trial";
import { apiRecipes } from "@tripline/components/seeds/seeds";
import { Manifest } from "@tripline/contract/registry";
import { MAX_DOCUMENT_UNITS, Meter } from "@tripline/engine/meter";
import { market } from "../../src/market/market.ts";
import { sandbox } from "./run-component.ts";

test("the market has at least twenty components with unique ids", () => {
	const ids = market.map(({ id }) => id);
	assert.ok(ids.length >= 20);
	assert.deepEqual(ids.toSorted(), [...new Set(ids)].sort());
});

test("no component of the market has the id of a built-in component or of a seeded recipe", () => {
	const taken = new Set([...builtIn, ...apiRecipes].map(({ id }) => id));
	assert.deepEqual(
		market.map(({ id }) => id).filter((id) => taken.has(id)),
		[],
	);
});

for (const manifest of market) {
	describe(manifest.id, () => {
		test("is a manifest that the registry accepts", () => {
			assert.deepEqual(Manifest.parse(manifest), manifest);
			assert.deepEqual(findManifestProblems(manifest), []);
		});

		test("has code in which the check of `code` finds nothing but http", () => {
			if (manifest.kind !== "code") return;
			const found = advice.checks.code?.({
				id: manifest.id,
				params: { code: manifest.code, input: "{{input}}" },
				deadlineMs: undefined,
				missingWorkflows: new Map(),
				meter: new Meter(MAX_DOCUMENT_UNITS),
			});
			assert.deepEqual(
				found?.filter(({ message }) => message !== '"http" is not defined in code'),
				[],
			);
		});

		test("describes all its parameters and output fields", () => {
			const schemas =
				manifest.kind === "code"
					? [manifest.params, manifest.output]
					: Object.values(manifest.recipe.operations).flatMap(({ params, output }) => [
							params,
							output.schema,
						]);
			assert.deepEqual(schemas.flatMap(listUndescribed), []);
			assert.ok(manifest.tags.length >= 2);
		});

		test("has examples that all pass in the sandbox", async () => {
			const examples =
				manifest.kind === "code"
					? manifest.examples
					: Object.values(manifest.recipe.operations).flatMap((operation) => operation.examples ?? []);
			assert.ok(examples.length >= 3);
			const { results } = await runTrial(manifest, sandbox, AbortSignal.timeout(30_000));
			assert.deepEqual(
				results.filter(({ ok }) => !ok),
				[],
			);
		});
	});
}

/** Names of the fields of an object, at any depth, that have no description. */
function listUndescribed(schema: unknown): string[] {
	if (typeof schema !== "object" || schema === null) return [];
	const { properties = {}, items } = schema as { properties?: Record<string, unknown>; items?: unknown };
	const here = Object.entries(properties).flatMap(([name, property]) => {
		const isSaid = typeof (property as { description?: unknown }).description === "string";
		return [...(isSaid ? [] : [name]), ...listUndescribed(property)];
	});
	return [...here, ...listUndescribed(items)];
}
