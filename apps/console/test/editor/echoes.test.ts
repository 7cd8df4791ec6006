import assert from "node:assert/strict";
import { test } from "node:test";
import { trackEchoes } from "../../src/editor/echoes.ts";

test("recognises a text that comes back after more was typed as an echo", () => {
	const { report: tell, isEcho } = trackEchoes("");
	tell("a");
	tell("ab");
	assert.equal(isEcho("a"), true);
	assert.equal(isEcho("ab"), true);
});

test("allows the page to skip texts", () => {
	const { report: tell, isEcho } = trackEchoes("");
	for (const text of ["a", "ab", "abc"]) tell(text);
	assert.equal(isEcho("abc"), true);
	assert.equal(isEcho("a"), false);
});

test("does not treat another author's text as an echo, even if it was typed before", () => {
	const { report: tell, isEcho } = trackEchoes("base");
	tell("base!");
	assert.equal(isEcho("base!"), true);
	assert.equal(isEcho("base"), false);
	assert.equal(isEcho("base"), true);
	assert.equal(isEcho("theirs"), false);
});

test("reports an unchanged text only once", () => {
	const { report: tell } = trackEchoes("a");
	assert.equal(tell("a"), false);
	assert.equal(tell("b"), true);
	assert.equal(tell("b"), false);
});
