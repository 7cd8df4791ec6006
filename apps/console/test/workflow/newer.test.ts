import assert from "node:assert/strict";
import { test } from "node:test";
import { isNewer } from "../../src/pages/workflow/text/newer.ts";

const [earlier, later] = ["2026-03-01T09:00:00.000Z", "2026-03-01T09:00:01.000Z"];

test("treats a later save as newer, even with the same text", () => {
	assert.equal(isNewer({ text: "a", at: later }, { text: "a", at: earlier }), true);
	assert.equal(isNewer({ text: "b", at: earlier }, { text: "a", at: later }), false);
});

test("treats a different text within the same second as newer", () => {
	assert.equal(isNewer({ text: "b", at: later }, { text: "a", at: later }), true);
	assert.equal(isNewer({ text: "a", at: later }, { text: "a", at: later }), false);
});

test("never treats an unsaved text as older or newer", () =>
	assert.equal(isNewer({ text: "b", at: later }, { text: "a", at: null }), false));
