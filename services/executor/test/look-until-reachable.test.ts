import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreUnavailable } from "@tripline/store/client";
import { lookUntilReachable } from "../src/runs/effects.ts";

const unavailable = () => new StoreUnavailable("the store cannot be reached");

test("a run looks again for its answer until the store can be reached", async () => {
	let looks = 0;
	const look = async () => {
		looks += 1;
		if (looks === 1) throw unavailable();
		return "yes";
	};
	assert.equal(await lookUntilReachable(look, new AbortController().signal), "yes");
	assert.equal(looks, 2);
});

test("it stops when the run does, and at any other problem", async () => {
	const stopping = new AbortController();
	const stopped = lookUntilReachable(() => {
		stopping.abort(new Error("stopped"));
		return Promise.reject(unavailable());
	}, stopping.signal);
	await assert.rejects(stopped, /stopped/);
	const refused = lookUntilReachable(
		() => Promise.reject(new Error("refused")),
		new AbortController().signal,
	);
	await assert.rejects(refused, /refused/);
});
