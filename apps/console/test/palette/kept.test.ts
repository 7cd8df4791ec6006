import assert from "node:assert/strict";
import { test } from "node:test";
import { keptOf } from "../../src/pages/settings/kept.ts";

test("the login and what others keep for the same address are not among what can be cleared", () => {
	const keys = [
		"tripline.access_token",
		"tripline.theme",
		"tripline.inputs.greet",
		"tripline.inputs.a.b",
		"other",
	];
	assert.deepEqual(keptOf(keys), {
		preferences: ["tripline.theme"],
		inputs: ["tripline.inputs.greet", "tripline.inputs.a.b"],
	});
});
