import assert from "node:assert/strict";
import { test } from "node:test";
import { listStoredKeys } from "../../src/pages/settings/kept.ts";

test("does not clear the login or keys of other programs", () => {
	const keys = [
		"tripline.access_token",
		"tripline.theme",
		"tripline.inputs.greet",
		"tripline.inputs.a.b",
		"tripline.pins.default/greet",
		"other",
	];
	assert.deepEqual(listStoredKeys(keys), {
		preferences: ["tripline.theme"],
		inputs: ["tripline.inputs.greet", "tripline.inputs.a.b"],
		pins: ["tripline.pins.default/greet"],
	});
});
